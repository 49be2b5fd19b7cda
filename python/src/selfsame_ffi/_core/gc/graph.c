// Making the ownership graph from the tie records.
#include "gc/graph.h"

#include <pthread.h>

#include "gc/cpython_gc.h"

SsOwnership ss_graph;

enum { AHEAD = 12 };  // records

#if SS_FREE_THREADED
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void ss_graph_lock(void) { pthread_mutex_lock(&mutex); }
void ss_graph_unlock(void) { pthread_mutex_unlock(&mutex); }
#endif

static int is_in_scope(const SsWrapper* wrapper, SsGraphScope scope) {
  switch (scope) {
    case SS_COLLECTED_WRAPPERS:
      return ss_in_new_collection(wrapper);
    case SS_DEAD_WRAPPERS:
      return ss_in_collection(wrapper);
    default:
      return scope == SS_ALL_WRAPPERS;
  }
}

// The records are a run of memory, the objects and wrappers are not: asks for those of a later record. Not for a free
// record's: the processor walks the page table for each address that is no memory's.
static void prefetch(const SelfsameTieRecord* record) {
  const TVMFFIObject* object = __atomic_load_n(&record->object, __ATOMIC_RELAXED);
  if (object == NULL) return;
  __builtin_prefetch(object);
  const char* wrapper = (const char*)(__atomic_load_n(&record->wrapper, __ATOMIC_RELAXED) & ~SELFSAME_TIE_TAGS);
  __builtin_prefetch(wrapper);  // no access: an address that is no memory's does nothing
}

static void add_record(uint32_t number, const SelfsameTieRecord* record, SsGraphScope scope) {
  uintptr_t word = __atomic_load_n(&record->wrapper, __ATOMIC_SEQ_CST);
  if (word == 0) return;
  TVMFFIObject* object = __atomic_load_n(&record->object, __ATOMIC_ACQUIRE);
  if (object == NULL) return;
  if (word & SELFSAME_TIE_INACTIVE) {
    ss_ownership_add_kept(&ss_graph, number, object, (PyObject*)(word & ~SELFSAME_TIE_TAGS));
  } else if ((word & SELFSAME_TIE_TAGS & ~SELFSAME_TIE_HELD) == 0) {
    SsWrapper* wrapper = (SsWrapper*)(word & ~SELFSAME_TIE_HELD);
    if (is_in_scope(wrapper, scope)) {
      if (wrapper->handle == object) ss_ownership_add(&ss_graph, number, object, wrapper);
    } else if (word & SELFSAME_TIE_HELD) {
      ss_ownership_add_in_use(&ss_graph, number, object);
    }
  }
}

int ss_graph_fill(SsGraphScope scope) {
  ss_table->postpone_deaths(1);
  uint32_t end = ss_table->record_end();
  ss_ownership_begin(&ss_graph, end);
  for (uint32_t n = 1; n < end; n++) {
    const SelfsameTieRecord* chunk = ss_table->chunks[n >> SELFSAME_TIE_CHUNK_BITS];
    if (chunk == NULL) continue;
    uint32_t at = n & (SELFSAME_TIE_CHUNK_RECORDS - 1u);
    if (at + AHEAD < SELFSAME_TIE_CHUNK_RECORDS) prefetch(&chunk[at + AHEAD]);
    add_record(n, &chunk[at], scope);
  }
  int rc = ss_ownership_complete(&ss_graph);
  if (rc != 0) ss_ownership_reset(&ss_graph);
  return rc;
}

static int run_postponed(void* unused) {
  (void)unused;
  ss_table->run_postponed();
  return 0;
}

void ss_graph_release_deaths(void) {
  if (ss_table->postpone_deaths(0)) Py_AddPendingCall(run_postponed, NULL);
}
