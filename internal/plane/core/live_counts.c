// The counts of live objects: one array per thread for the common types, shared counters for the others. The count of a
// type is the sum over all threads; that of one thread may be negative, when it frees objects that others made.
// Counts are always on, and a shared atomic counter would cost more than the rest of making and freeing a short string.
#include "live_counts.h"

#include <pthread.h>
#include <stdlib.h>

#include "raise.h"
#include "selfsame/internal/free_list.h"
#include "selfsame/selfsame.h"
#include "type_table.h"

typedef struct ThreadCounts {
  int64_t counts[SS_LIVE_LOCAL];  // first: ss_live_mine points here
  struct ThreadCounts* next;      // those of another thread; guarded by mutex
  struct ThreadCounts** link;     // the pointer to this struct
} ThreadCounts;

__thread int64_t* ss_live_mine SS_STATIC_TLS;
static __thread int leaving SS_STATIC_TLS;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static ThreadCounts* all;
static pthread_key_t exit_key;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;
static int exit_key_made;

// ---- shared counters: for the types beyond SS_LIVE_LOCAL, and for threads that have ended ----------------------

#define CHUNK_BITS 10
#define CHUNK_SIZE (1 << CHUNK_BITS)

static int64_t* chunks[SS_TYPE_LIMIT >> CHUNK_BITS];
static int64_t first_chunk[CHUNK_SIZE];  // needs no allocation
static int64_t no_type;                  // for indices that no object can have; never read

// NULL: the counter does not exist and `make` is 0, or there is no memory.
static int64_t* shared_counter(int32_t type_index, int make) {
  if (type_index < 0 || type_index >= SS_TYPE_LIMIT) return &no_type;
  if (type_index < CHUNK_SIZE) return &first_chunk[type_index];
  int64_t** place = &chunks[type_index >> CHUNK_BITS];
  int64_t* chunk = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (chunk == NULL) {
    if (!make) return NULL;
    int64_t* fresh = calloc(CHUNK_SIZE, sizeof(int64_t));
    if (fresh == NULL) return NULL;
    if (__atomic_compare_exchange_n(place, &chunk, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      chunk = fresh;
    } else {
      free(fresh);  // another thread was first; its chunk is in `chunk` now
    }
  }
  return &chunk[type_index & (CHUNK_SIZE - 1)];
}

// ---- per-thread counters -----------------------------------------------------------------------------------

static void leave_thread(void* counts) {
  ThreadCounts* l = counts;
  leaving = 1;  // destructors that run later count in the shared counters
  ss_live_mine = NULL;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < SS_LIVE_LOCAL; i++) {
    if (l->counts[i] != 0) __atomic_fetch_add(&first_chunk[i], l->counts[i], __ATOMIC_RELAXED);
  }
  *l->link = l->next;
  if (l->next != NULL) l->next->link = l->link;
  pthread_mutex_unlock(&mutex);
  free(l);
}

static void make_exit_key(void) { exit_key_made = pthread_key_create(&exit_key, leave_thread) == 0; }

// Gives the calling thread an array of counters; without memory or a key it has none.
static void join_thread(void) {
  pthread_once(&exit_once, make_exit_key);
  ThreadCounts* l = exit_key_made ? calloc(1, sizeof(ThreadCounts)) : NULL;
  if (l == NULL) return;
  if (pthread_setspecific(exit_key, l) != 0) {
    free(l);
    return;
  }
  pthread_mutex_lock(&mutex);
  l->next = all;
  l->link = &all;
  if (all != NULL) all->link = &l->next;
  all = l;
  pthread_mutex_unlock(&mutex);
  ss_live_mine = l->counts;
}

int ss_live_add_slowly(int32_t type_index, int64_t change) {
  if ((uint32_t)type_index < SS_LIVE_LOCAL) {
    if (ss_live_mine == NULL && !leaving) join_thread();
    if (ss_live_mine != NULL) return ss_live_add(type_index, change);
  }
  int64_t* counter = shared_counter(type_index, 1);
  if (counter == NULL) return -1;
  __atomic_fetch_add(counter, change, __ATOMIC_RELAXED);
  return 0;
}

// ---- free lists of frontends -------------------------------------------------------------------------------------

static const SsFreeListCounter* free_lists;  // only grows

int SelfsameCountFreeList(int32_t type_index, const uint64_t* word) {
  static const char name[] = "SelfsameCountFreeList";
  if (type_index < 0 || type_index >= SS_TYPE_LIMIT) {
    return ss_raise("ValueError", "%s: type_index must be that of an object type, got %d", name, type_index);
  }
  if (!ss_check_ptr(word, name, "word")) return -1;
  if (ss_free_list_add(&free_lists, type_index, word) == 0) return 0;
  return ss_raise_no_memory("the counter of a free list");
}

// ---- reading -------------------------------------------------------------------------------------------------------

int64_t SelfsameLiveObjects(int32_t type_index) {
  if (type_index < 0) return 0;
  int64_t* counter = shared_counter(type_index, 0);
  if (counter == NULL || counter == &no_type) return 0;
  if (type_index >= SS_LIVE_LOCAL)
    return __atomic_load_n(counter, __ATOMIC_RELAXED) - ss_free_list_sum(&free_lists, type_index);
  // Under the mutex: a thread that ends moves its counts, and they must be counted once.
  pthread_mutex_lock(&mutex);
  int64_t count = __atomic_load_n(counter, __ATOMIC_RELAXED);
  for (ThreadCounts* l = all; l != NULL; l = l->next)
    count += __atomic_load_n(&l->counts[type_index], __ATOMIC_RELAXED);
  pthread_mutex_unlock(&mutex);
  return count - ss_free_list_sum(&free_lists, type_index);
}

// The child keeps the counts of the threads that it no longer has.
void ss_live_fork_prepare(void) { pthread_mutex_lock(&mutex); }
void ss_live_fork_parent(void) { pthread_mutex_unlock(&mutex); }
void ss_live_fork_child(void) { pthread_mutex_init(&mutex, NULL); }
