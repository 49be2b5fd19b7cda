// Following CPython's full collections; full_collection.h says what for.
#include "gc/full_collection.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "gc/break_cycles.h"
#include "gc/collectors.h"
#include "gc/cpython_gc.h"
#include "gc/ownership.h"
#include "gc/references.h"
#include "tie/attach.h"
#include "tie/imported_tensor.h"

#if SS_FREE_THREADED
// Guards the graph. During the phases the collector stops all other threads; before and after them wrappers die on
// other threads. A thread that holds the mutex runs no Python code and does not sleep, so it is not stopped with the
// mutex.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void lock(void) { pthread_mutex_lock(&mutex); }
static void unlock(void) { pthread_mutex_unlock(&mutex); }
#else
static void lock(void) {}
static void unlock(void) {}
#endif

// An object of the collector's oldest generation that is always in use, and so is traversed in both phases of each full
// collection.
static PyObject* mark;

static SsOwnership graph;

enum { IDLE, STARTING, REFUSED, SUBTRACTING, REACHING, CLEARING };
int ss_collection_phase = IDLE;

static struct {
  uintptr_t number;  // of the collections whose graph was pinned
  int again;         // the graph is that of the second run of the two phases, after the finalizers
  int pinned;        // the graph owns a reference to each of its internal objects
  int ending;        // those references are being released
  int sweep;         // there are internal objects that no wrapper leads to
  visitproc reach;   // the function that CPython passes to tp_traverse in the reach phase
} state;

static struct {
  int64_t looked_at, internal, unread;
} last;

// ---- making the graph ----

typedef enum { COLLECTED_WRAPPERS, DEAD_WRAPPERS, ALL_WRAPPERS, NO_WRAPPERS } Scope;

static void add_record(const SelfsameTieRecord* record, Scope scope) {
  uintptr_t word = __atomic_load_n(&record->wrapper, __ATOMIC_SEQ_CST);
  if (word == 0) return;
  TVMFFIObject* object = __atomic_load_n(&record->object, __ATOMIC_ACQUIRE);
  if (object == NULL) return;
  if (word & SELFSAME_TIE_INACTIVE) {
    ss_ownership_add_kept(&graph, object, (PyObject*)(word & ~SELFSAME_TIE_TAGS));
  } else if (scope != NO_WRAPPERS && (word & SELFSAME_TIE_TAGS) == 0) {
    SsWrapper* wrapper = (SsWrapper*)word;
    if (scope == COLLECTED_WRAPPERS && !ss_in_new_collection(wrapper)) return;
    if (scope == DEAD_WRAPPERS && !ss_in_collection(wrapper)) return;
    if (wrapper->handle == object) ss_ownership_add(&graph, object, wrapper);
  }
}

static int run_postponed(void* unused) {
  (void)unused;
  ss_table->run_postponed();
  return 0;
}

// Makes the graph of all native objects with a kept block, or with a wrapper in the scope. From here until
// release_deaths deaths are postponed. 0, or -1 without memory: then the graph is empty. The caller must hold the
// mutex, or all other threads are stopped.
static int fill_graph(Scope scope) {
  ss_ownership_reset(&graph);
  ss_table->postpone_deaths(1);
  uint32_t end = ss_table->record_end();
  for (uint32_t n = 1; n < end; n++) {
    const SelfsameTieRecord* chunk = ss_table->chunks[n >> SELFSAME_TIE_CHUNK_BITS];
    if (chunk != NULL) add_record(&chunk[n & (SELFSAME_TIE_CHUNK_RECORDS - 1u)], scope);
  }
  int rc = ss_ownership_complete(&graph);
  if (rc != 0) ss_ownership_reset(&graph);
  return rc;
}

static void release_deaths(void) {
  // The postponed deleters run after the collection.
  if (ss_table->postpone_deaths(0)) Py_AddPendingCall(run_postponed, NULL);
}

// As fill_graph, under the mutex. With `pin` the graph takes a reference to each internal object.
static int make_graph(Scope scope, int pin) {
  lock();
  int rc = fill_graph(scope);
  if (rc == 0 && pin) {
    for (uint32_t i = 0; i < graph.count; i++) {
      if (ss_is_internal(&graph.nodes[i])) ss_incref(graph.nodes[i].object);
    }
    state.pinned = 1;
  }
  unlock();
  release_deaths();
  return rc;
}

// Breaks the cycles of the internal objects that nothing alive leads to. The graph is pinned, so none of them is freed.
// `cleared` is the wrapper whose tp_clear calls this, or NULL.
static void break_dead_cycles(const SsWrapper* cleared) {
  lock();
  for (uint32_t i = 0; i < graph.count; i++) {
    SsNode* node = &graph.nodes[i];
    node->flags &= ~(uint32_t)SS_NODE_VISITED;
    if (node->wrapper != NULL && node->wrapper != cleared && !ss_in_collection(node->wrapper)) {
      node->flags |= SS_NODE_VISITED;
    }
    // Finalizers and destructors may have taken references since the graph was made.
    if (ss_is_internal(node) && !ss_ownership_unchanged(&graph, node, 1)) node->flags |= SS_NODE_VISITED;
  }
  ss_ownership_spread(&graph, SS_NODE_VISITED);
  unlock();
  for (uint32_t i = 0; i < graph.count; i++) {
    const SsNode* node = &graph.nodes[i];
    if (ss_is_internal(node) && !(node->flags & SS_NODE_VISITED)) ss_break_cycle(node->object);
  }
}

// Other threads read the phase without the mutex, to see whether a wrapper that dies must be taken out of the graph.
static void set_phase(int phase) { __atomic_store_n(&ss_collection_phase, phase, __ATOMIC_RELAXED); }

static void unpin(void) {
  state.ending = 1;
  for (uint32_t i = 0; i < graph.count; i++) {
    if (ss_is_internal(&graph.nodes[i])) ss_decref(graph.nodes[i].object);
  }
  lock();
  state.pinned = state.ending = 0;
  unlock();
}

static void end_collection(void) {
  int broken = ss_collection_phase == CLEARING;
  set_phase(IDLE);
  if (!state.pinned || state.ending) return;
  state.ending = 1;  // a release may run Python code, and so another collection
  if (!broken) break_dead_cycles(NULL);
  unpin();
  lock();
  ss_ownership_reset(&graph);
  unlock();
}

// A pending call that ends a collection whose "stop" did not arrive, because the program changed gc.callbacks.
static int end_forgotten_collection(void* number) {
  if (!state.pinned || state.number != (uintptr_t)number) return 0;
  // Without the GIL the marks may already be those of the next collection, so no cycle is broken by them.
  if (SS_FREE_THREADED) set_phase(CLEARING);
  end_collection();
  return 0;
}

// ---- the leak report ----

// Why a node is external; NULL when only its owners are the reason.
static const char* reason_of(const SsNode* node) {
  if (node->flags & SS_NODE_BUSY) return "call";
  if (node->flags & SS_NODE_WEAK) return "weak";
  if (node->flags & SS_NODE_UNREADABLE) return "unread";
  return node->strong > ss_owners_found(node) ? "owner" : NULL;
}

typedef struct {
  int index;
  const char* reason;
  unsigned long unknown;
} Row;

// The rows of ss_collection_unaccounted. They are taken from the graph at once, because making Python objects of them
// may begin a collection, which makes another graph.
static struct {
  int wanted;  // without the GIL: the next collection shall fill in the rows
  Row* rows;
  uint32_t count;
} report;

static void fill_report(void) {
  free(report.rows);
  report.count = 0;
  fill_graph(ALL_WRAPPERS);
  report.rows = calloc(2 * (size_t)graph.count + 1, sizeof(Row));  // an object may have two reasons
  for (uint32_t i = 0; report.rows != NULL && i < graph.count; i++) {
    const SsNode* node = &graph.nodes[i];
    int retained = (node->flags & SS_NODE_RETAINED) != 0;
    const SsImportedTensor* imported = retained ? ss_imported_tensor_of(node->object) : NULL;
    if (imported != NULL && imported->exporter == NULL) {
      report.rows[report.count++] = (Row){kTVMFFITensor, "exporter", 1};
    }
    const char* reason = ss_is_internal(node) ? NULL : reason_of(node);
    if (reason == NULL) continue;
    uint32_t found = ss_owners_found(node);
    report.rows[report.count++] =
        (Row){retained ? node->object->type_index : -1, reason, node->strong > found ? node->strong - found : 0};
  }
  ss_ownership_reset(&graph);
}

// ---- the two phases ----

// Whether an object with weak references has no owner but its held wrapper. Another thread may promote a weak reference
// at any time, so what the object leads to cannot be known to be dead. But the hold alone keeps nothing alive that
// matters: the wrapper's finalizer takes it again when the object has got another owner.
static int has_only_its_hold(const SsNode* node) {
  return (node->flags & (SS_NODE_WEAK | SS_NODE_BUSY | SS_NODE_UNREADABLE)) == SS_NODE_WEAK && node->wrapper != NULL &&
         node->strong == 1 && node->found == 0;
}

// The subtract phase: visits the references to Python objects that internal objects own.
static void show_all(visitproc visit, void* arg) {
  for (uint32_t i = 0; i < graph.count; i++) {
    const SsNode* node = &graph.nodes[i];
    if (!ss_is_internal(node)) {
      if (has_only_its_hold(node) && (ss_flags(node->wrapper) & SS_HELD)) {
        ss_flags_clear(node->wrapper, SS_OWNER_KNOWN);  // its finalizer shall count all owners but the wrapper
        visit((PyObject*)node->wrapper, arg);
      }
      continue;
    }
    if (node->wrapper != NULL && (ss_flags(node->wrapper) & SS_HELD)) visit((PyObject*)node->wrapper, arg);
    if (node->python != NULL) visit(node->python, arg);
    if (node->block_class != NULL) visit(node->block_class, arg);
  }
}

// The reach phase: visits what the native object of a wrapper in use leads to. Each node is visited once in a phase.
// Returns what `visit` returned when that was not 0: CPython is out of memory and gives the collection up.
static int show_reached(const SsWrapper* wrapper, visitproc visit, void* arg) {
  SsNode* root = wrapper->handle == NULL ? NULL : ss_ownership_find(&graph, wrapper->handle);
  if (root == NULL || !ss_is_internal(root) || (root->flags & SS_NODE_VISITED)) return 0;
  uint32_t pending = 0;
  root->flags |= SS_NODE_VISITED;
  graph.work[pending++] = (uint32_t)(root - graph.nodes);
  while (pending > 0) {
    const SsNode* node = &graph.nodes[graph.work[--pending]];
    if (node->wrapper != NULL && (ss_flags(node->wrapper) & SS_HELD)) Py_VISIT((PyObject*)node->wrapper);
    Py_VISIT(node->python);
    Py_VISIT(node->block_class);
    for (uint32_t r = 0; r < node->count; r++) {
      uint32_t number = graph.references[node->first + r];
      SsNode* child = &graph.nodes[number];
      if (!ss_is_internal(child) || (child->flags & SS_NODE_VISITED)) continue;
      child->flags |= SS_NODE_VISITED;
      graph.work[pending++] = number;
    }
  }
  return 0;
}

// Counts the nodes for ss_collection_report, and finds out whether a sweep is needed: internal objects that no wrapper
// of the collection leads to are dead already.
static void take_stock(void) {
  for (uint32_t i = 0; i < graph.count; i++) {
    if (graph.nodes[i].wrapper != NULL) graph.nodes[i].flags |= SS_NODE_FROM_WRAPPER;
  }
  ss_ownership_spread(&graph, SS_NODE_FROM_WRAPPER);
  last.looked_at = graph.count;
  last.internal = last.unread = 0;
  for (uint32_t i = 0; i < graph.count; i++) {
    const SsNode* node = &graph.nodes[i];
    last.unread += (node->flags & SS_NODE_UNREADABLE) != 0;
    if (!ss_is_internal(node)) continue;
    last.internal++;
    if (!(node->flags & SS_NODE_FROM_WRAPPER)) state.sweep = 1;
  }
}

// Begins a subtract phase, with its first call. `again`: it is the one after the finalizers.
static void begin(int again, visitproc visit, void* arg) {
  if (state.pinned) {  // the last collection has not ended yet: this one sees nothing of native objects
    if (SS_FREE_THREADED) Py_AddPendingCall(end_forgotten_collection, (void*)state.number);
    set_phase(REFUSED);
    return;
  }
#if SS_FREE_THREADED
  if (__atomic_load_n(&report.wanted, __ATOMIC_ACQUIRE)) {
    fill_report();
    release_deaths();
    __atomic_store_n(&report.wanted, 0, __ATOMIC_RELEASE);
  }
#endif
  set_phase(SUBTRACTING);
  state.again = again;
  if (make_graph(again ? DEAD_WRAPPERS : COLLECTED_WRAPPERS, again) != 0) return;
  // Without the GIL the pending call could come before this collection's end; there the next collection makes it.
  if (again) state.number++;
  if (again && !SS_FREE_THREADED) Py_AddPendingCall(end_forgotten_collection, (void*)state.number);
  show_all(visit, arg);
  if (!again) take_stock();
}

typedef enum { OTHER_CALL, FIRST_SUBTRACT, SECOND_SUBTRACT, REACH } Call;

// Which phase of the collector a call of tp_traverse belongs to. CPython does not say; it follows from what it passes.
//
//                  GIL, 3.9 to 3.13                        free-threaded 3.13
//   subtract       arg is the object itself                arg is NULL, and the object is marked UNREACHABLE
//   first/second   the mark is/is not in the collection    the first has another `visit` than the second
//   reach          arg is the collector's list             arg is the collector's stack
//   others         arg is a list or tuple of gc's functions, or any pointer
//
// The reach phase follows the first subtract phase without any other code between them, so the first call after it
// shows the `visit` of the reach phase, by which the later calls are told from those of gc.get_referents.
static Call call_of(const void* object, visitproc visit, const void* arg) {
#if SS_FREE_THREADED
  static visitproc first_subtract;
  if (ss_in_collection(object)) {
    if (arg != NULL) return OTHER_CALL;
    // gc.callbacks are not told of the collections in the interpreter's shutdown, so STARTING is not enough.
    if (ss_collection_phase == STARTING || first_subtract == NULL) first_subtract = visit;
    return visit == first_subtract ? FIRST_SUBTRACT : SECOND_SUBTRACT;
  }
#else
  if (arg == object) return ss_in_collection(mark) ? FIRST_SUBTRACT : SECOND_SUBTRACT;
#endif
  if (ss_collection_phase == SUBTRACTING && !state.again) state.reach = visit;
  return visit == state.reach ? REACH : OTHER_CALL;
}

int ss_collection_traverse(SsWrapper* wrapper, visitproc visit, void* arg, int* rc) {
  if (mark == NULL) return 0;
  Call call = call_of(wrapper == NULL ? (void*)mark : (void*)wrapper, visit, arg);
  int phase = ss_collection_phase;
  if (phase == REFUSED) return call != OTHER_CALL;
  switch (call) {
    case FIRST_SUBTRACT:
      if (phase != SUBTRACTING || state.again) begin(0, visit, arg);
      return 1;
    case SECOND_SUBTRACT:
      if (phase == REACHING && !state.again) begin(1, visit, arg);
      return ss_collection_phase == SUBTRACTING && state.again;
    case REACH:
      if (phase != SUBTRACTING && phase != REACHING) return 0;
      set_phase(REACHING);
      if (wrapper != NULL) *rc = show_reached(wrapper, visit, arg);
      return 1;
    case OTHER_CALL:
      break;
  }
  return 0;
}

// ---- dead wrappers ----

uint32_t ss_collection_dead_owners(const SsWrapper* wrapper, int clearing) {
  if (__atomic_load_n(&ss_collection_phase, __ATOMIC_RELAXED) == IDLE || wrapper->handle == NULL) return 0;
  if (!clearing && !ss_in_collection(wrapper)) return 0;
  lock();
  const SsNode* node = ss_ownership_find(&graph, wrapper->handle);
  uint32_t owners = 0;
  if (node != NULL && node->wrapper == wrapper && ss_is_internal(node)) owners = node->strong + (uint32_t)state.pinned;
  unlock();
  return owners;
}

void ss_collection_forget_slow(const SsWrapper* wrapper) {
  lock();
  SsNode* node = ss_ownership_find(&graph, wrapper->handle);
  if (node != NULL && node->wrapper == wrapper) {
    node->wrapper = NULL;
    node->strong--;
  }
  unlock();
}

int ss_collection_clear(const SsWrapper* wrapper) {
  if (ss_collection_phase == CLEARING || !state.again || !state.pinned) return 0;
  if (ss_collection_dead_owners(wrapper, 1) == 0) return 0;
  set_phase(CLEARING);
  break_dead_cycles(wrapper);
  // gc.callbacks are not told of the collections in the interpreter's shutdown. The graph stays: by it the other
  // wrappers of this collection are let go. RATIONALE.md, "Why the ownership graph outlives its references
  // at exit".
  if (!ss_python_alive()) unpin();
  return 1;
}

// ---- around a collection ----

// Breaks cycles of native objects that no wrapper leads to.
static void sweep(void) {
  state.sweep = 0;
  if (make_graph(NO_WRAPPERS, 1) == 0) end_collection();
}

static int is_full(PyObject* info) {
  PyObject* generation = PyDict_Check(info) ? PyDict_GetItemString(info, "generation") : NULL;
  return generation != NULL && PyLong_Check(generation) && PyLong_AsLong(generation) == 2;
}

PyObject* ss_collection_callback(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  if (count < 1 || !PyUnicode_Check(args[0])) {
    PyErr_SetString(PyExc_TypeError, "expected the phase of a collection");
    return NULL;
  }
  if (count > 1 && is_full(args[1]) && PyUnicode_CompareWithASCIIString(args[0], "start") == 0) {
    ss_collect_others_if_much();
  }
  if (mark != NULL && PyUnicode_CompareWithASCIIString(args[0], "stop") == 0) {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    ss_table->run_postponed();
    end_collection();
    if (state.sweep && ss_python_alive()) sweep();
    PyErr_Restore(type, value, traceback);
#if SS_FREE_THREADED
  } else if (mark != NULL) {
    if (state.pinned) end_collection();  // the program changed gc.callbacks during the last collection
    __atomic_fetch_and(&mark->ob_gc_bits, (uint8_t)~SS_FROZEN, __ATOMIC_RELAXED);  // undoes gc.freeze()
    state.again = 0;
    set_phase(STARTING);
  }
#else
  } else if (mark != NULL && count > 1 && is_full(args[1])) {
    // Undoes gc.freeze(), which takes objects out of all generations.
    PyObject_GC_UnTrack(mark);
    PyObject_GC_Track(mark);
  }
#endif
  Py_RETURN_NONE;
}

PyObject* ss_collection_report(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  return Py_BuildValue("{s:L,s:L,s:L}", "looked_at", (long long)last.looked_at, "internal", (long long)last.internal,
                       "unread", (long long)last.unread);
}

// Fills in the rows of the report. 0, or -1 when that is not possible now.
static int ask_report(void) {
#if SS_FREE_THREADED
  // Only a collection stops all other threads.
  int enabled = PyGC_Enable();
  __atomic_store_n(&report.wanted, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < 100 && __atomic_load_n(&report.wanted, __ATOMIC_ACQUIRE); i++) {
    if (i > 0) {  // a collection on another thread kept this thread's from running
      Py_BEGIN_ALLOW_THREADS;
      usleep(1000);
      Py_END_ALLOW_THREADS;
    }
    PyGC_Collect();
  }
  if (!enabled) PyGC_Disable();
  return __atomic_exchange_n(&report.wanted, 0, __ATOMIC_ACQ_REL);
#else
  if (ss_collection_phase != IDLE || state.pinned) return -1;
  fill_report();
  if (ss_table->postpone_deaths(0)) ss_table->run_postponed();
  return 0;
#endif
}

PyObject* ss_collection_unaccounted(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  PyObject* list = PyList_New(0);
  if (list == NULL || !SS_SEES_FULL_COLLECTIONS || ask_report() != 0) return list;
  lock();
  Row* rows = report.rows;
  uint32_t count = report.count;
  report.rows = NULL;
  report.count = 0;
  unlock();
  for (uint32_t i = 0; list != NULL && rows != NULL && i < count; i++) {
    PyObject* row = Py_BuildValue("(isk)", rows[i].index, rows[i].reason, rows[i].unknown);
    if (row == NULL || PyList_Append(list, row) != 0) Py_CLEAR(list);
    Py_XDECREF(row);
  }
  free(rows);
  return list;
}

static void dealloc_mark(PyObject* self) {
  PyObject_GC_UnTrack(self);
  PyObject_GC_Del(self);
}

static int traverse_mark(PyObject* self, visitproc visit, void* arg) {
  (void)self;
  int rc = 0;
  ss_collection_traverse(NULL, visit, arg, &rc);
  return rc;
}

static PyTypeObject mark_type = {
    PyVarObject_HEAD_INIT(NULL, 0)  //
        .tp_name = "selfsame_ffi._core.CollectorMark",
    .tp_doc = "Tells the core that a full collection is under way.",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = dealloc_mark,
    .tp_traverse = traverse_mark,
};

int ss_collection_init(void) {
  if (!SS_SEES_FULL_COLLECTIONS || mark != NULL) return 0;
  if (PyType_Ready(&mark_type) != 0) return -1;
  PyObject* made = PyObject_GC_New(PyObject, &mark_type);
  if (made == NULL) return -1;
  PyObject_GC_Track(made);
  mark = made;
  return 0;
}
