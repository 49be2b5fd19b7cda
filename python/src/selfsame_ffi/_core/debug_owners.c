// The ownership graph as Python objects, for selfsame_ffi.debug.
//
// The graph is copied while no other thread runs Python code, and becomes Python objects afterwards. Without the GIL it
// is copied inside the collector, which computes with the reference counts of Python objects then. So the copy owns
// nothing: native objects may be freed and wrappers may die before it is read. It has addresses alone, to compare with.
#include "module.h"

#include <stdlib.h>
#include <unistd.h>

#include "gc/graph.h"
#include "tie/word_lock.h"

typedef struct {
  uintptr_t native, wrapper;  // addresses, never followed; 0 for no live wrapper
  uint32_t record;            // the number of the tie record, 0 when that is not known
  int32_t type_index;         // -1 when it is not known
  uint32_t strong, found;     // references that the native object counts, and those that were found
  uint32_t first, count;      // its references, in Copy.owned
  int flags;                  // those of the tuple
} Owner;

typedef struct {
  Owner* owners;     // from malloc; the caller of copy_graph frees both arrays
  uintptr_t* owned;  // addresses of native objects, never followed
  uint32_t count;    // of owners
} Copy;

static Owner copy_node(const SsNode* node) {
  int retained = (node->flags & SS_NODE_RETAINED) != 0;
  return (Owner){
      .native = (uintptr_t)node->object,
      .wrapper = (uintptr_t)node->wrapper,
      .record = retained ? __atomic_load_n(&node->object->__padding, __ATOMIC_RELAXED) : 0,
      .type_index = retained ? node->object->type_index : -1,
      .strong = node->strong - (node->owned - 1),  // the wrapper counts once
      .found = node->found,
      .first = node->first,
      .count = node->count,
      .flags = (ss_wrapper_owns(node) != 0) | (node->flags & SS_NODE_BUSY ? 2 : 0) |
               (node->flags & SS_NODE_UNREADABLE ? 4 : 0) | (node->flags & SS_NODE_HOLDS ? 8 : 0),
  };
}

// The SsGraphReader. On failure too the caller frees the arrays.
static int copy_graph(void* arg) {
  Copy* copy = arg;
  copy->owners = malloc(((size_t)ss_graph.count + 1) * sizeof(Owner));
  copy->owned = malloc(((size_t)ss_graph.reference_count + 1) * sizeof(uintptr_t));
  if (copy->owners == NULL || copy->owned == NULL) return -1;
  copy->count = ss_graph.count;
  for (uint32_t i = 0; i < ss_graph.count; i++) copy->owners[i] = copy_node(&ss_graph.nodes[i]);
  for (uint32_t r = 0; r < ss_graph.reference_count; r++) {
    copy->owned[r] = (uintptr_t)ss_graph.nodes[ss_graph.references[r]].object;
  }
  return 0;
}

// Whether a word has the wrapper that was copied, of the native object that was copied. The wrapper in the word owns a
// reference to the record's native object. A native object that got the memory and the record of one that has died, and
// its wrapper that of the other's wrapper, is told apart by its type only: no class is named that did not fit.
static int is_same(const Owner* owner, const SelfsameTieRecord* record, uintptr_t word) {
  if ((word & ~SELFSAME_TIE_HELD) != owner->wrapper) return 0;
  const TVMFFIObject* native = __atomic_load_n(&record->object, __ATOMIC_ACQUIRE);
  return (uintptr_t)native == owner->native && native->type_index == owner->type_index;
}

static SelfsameTieRecord* record_of(const Owner* owner) {
  SelfsameTieRecord* chunk =
      __atomic_load_n(&ss_table->chunks[owner->record >> SELFSAME_TIE_CHUNK_BITS], __ATOMIC_ACQUIRE);
  return &chunk[owner->record & (SELFSAME_TIE_CHUNK_RECORDS - 1u)];
}

#if SS_FREE_THREADED

// Takes a reference to the wrapper if the word has it still. 1 when the reference was taken, 0 when the word has it no
// more, -1 when another thread has locked the word. A wrapper leaves its word, under the word's lock, before its memory
// is freed; so it may be read while the word is locked and has it.
static int try_take(const Owner* owner, SelfsameTieRecord* record) {
  uintptr_t word;
  ss_table->postpone_deaths(1);
  int looked = ss_word_try_look(record, &word);
  int taken = looked && is_same(owner, record, word) && ss_try_incref((PyObject*)owner->wrapper);
  if (looked) ss_word_looked(record, word);
  if (ss_table->postpone_deaths(0)) ss_table->run_postponed();
  return looked || (word & ~SELFSAME_TIE_TAGS) != owner->wrapper ? taken : -1;
}

// Waits for other threads, which lock a word for a few instructions, but not without end: they also mark a word whose
// wrapper dies, and the calling thread may be the one on which it dies.
static int take(const Owner* owner, SelfsameTieRecord* record) {
  enum { TRIES = 100, MICROSECONDS = 100 };
  int taken = try_take(owner, record);
  for (int i = 1; taken < 0 && i < TRIES; i++) {
    Py_BEGIN_ALLOW_THREADS;
    usleep(MICROSECONDS);
    Py_END_ALLOW_THREADS;
    taken = try_take(owner, record);
  }
  return taken > 0;
}

#else

static int take(const Owner* owner, SelfsameTieRecord* record) {
  return is_same(owner, record, ss_word_lock(record)) && ss_try_incref((PyObject*)owner->wrapper);
}

#endif

// The wrapper, when it is alive still: new reference, or NULL. No reference to the native object is taken for that,
// since a wrapper whose native object has another owner becomes held when it is dropped.
static PyObject* live_wrapper(const Owner* owner) {
  if (owner->wrapper == 0 || owner->record == 0) return NULL;
  return take(owner, record_of(owner)) ? (PyObject*)owner->wrapper : NULL;
}

static PyObject* row_of(const Copy* copy, const Owner* owner) {
  PyObject* owned = PyList_New(0);
  for (uint32_t i = 0; owned != NULL && i < owner->count; i++) {
    PyObject* address = PyLong_FromUnsignedLongLong((unsigned long long)copy->owned[owner->first + i]);
    if (ss_list_take(owned, address) != 0) Py_CLEAR(owned);
  }
  if (owned == NULL) return NULL;
  PyObject* wrapper = live_wrapper(owner);
  PyObject* row =
      Py_BuildValue("(KikkiOO)", (unsigned long long)owner->native, owner->type_index, (unsigned long)owner->strong,
                    (unsigned long)owner->found, owner->flags, owned, wrapper == NULL ? Py_None : wrapper);
  Py_XDECREF(wrapper);
  Py_DECREF(owned);
  return row;
}

PyObject* ss_debug_owners(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  Copy copy = {NULL, NULL, 0};
  PyObject* list = ss_graph_request(copy_graph, &copy) < 0 ? PyErr_NoMemory() : PyList_New(0);
  for (uint32_t i = 0; list != NULL && i < copy.count; i++) {
    if (ss_list_take(list, row_of(&copy, &copy.owners[i])) != 0) Py_CLEAR(list);
  }
  free(copy.owners);
  free(copy.owned);
  return list;
}
