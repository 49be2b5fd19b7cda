// Following CPython's full collections; full_collection.h says what for.
#include "gc/full_collection.h"

#include "gc/collection_holds.h"
#include "gc/collectors.h"
#include "gc/cpython_gc.h"
#include "gc/graph.h"
#include "gc/references.h"
#include "tie/attach.h"
#include "tie/counters.h"
#include "tie/deferred.h"

// An object that is always in use, and so is traversed in both phases of each collection: with generations it is put into
// the youngest when a collection begins.
static PyObject* mark;

enum { IDLE, STARTING, REFUSED, MARKING, SUBTRACTING, REACHING, CLEARING };
int ss_collection_phase = IDLE;

static struct {
  uintptr_t number;  // of the collections whose graph was pinned
  int again;         // the graph is that of the second run of the two phases, after the finalizers
  int pinned;        // the graph owns a reference to each of its internal objects
  int ending;        // those references are being released
  int sweep;         // there are internal objects that no wrapper leads to
  int told;          // gc.callbacks were told of a collection, and not of its end
  int partial;       // that collection examines some objects only
  visitproc reach;   // the function that CPython passes to tp_traverse in the reach phase
} state;

static struct {
  int64_t looked_at, internal, unread;  // numbers of nodes: of all, of internal ones, of those that could not be read
} last;

// ---- making the graph, and breaking cycles of what is dead in it ----

// As ss_graph_fill, under the mutex. With `pin` the graph takes a reference to each internal object.
static int make_graph(SsGraphScope scope, int pin) {
  ss_graph_lock();
  int rc = ss_graph_fill(scope);
  if (rc == 0 && pin) {
    for (uint32_t i = 0; i < ss_graph.count; i++) {
      if (ss_is_internal(&ss_graph.nodes[i])) ss_incref(ss_graph.nodes[i].object);
    }
    state.pinned = 1;
  }
  ss_graph_unlock();
  ss_graph_release_deaths();
  return rc;
}

// Breaks the cycles of the internal objects that nothing alive leads to. The graph is pinned, so none of them is freed.
// `cleared` is the wrapper whose tp_clear calls this, or NULL.
static void break_dead_cycles(const SsWrapper* cleared) {
  ss_graph_lock();
  for (uint32_t i = 0; i < ss_graph.count; i++) {
    SsNode* node = &ss_graph.nodes[i];
    node->flags &= ~(uint32_t)SS_NODE_VISITED;
    if (node->wrapper != NULL && node->wrapper != cleared && !ss_in_collection(node->wrapper)) {
      node->flags |= SS_NODE_VISITED;
    }
    // Finalizers and destructors may have taken references since the graph was made.
    if (ss_is_internal(node) && !ss_ownership_unchanged(&ss_graph, node, 1)) node->flags |= SS_NODE_VISITED;
  }
  ss_ownership_spread(&ss_graph, SS_NODE_VISITED);
  ss_graph_unlock();
  for (uint32_t i = 0; i < ss_graph.count; i++) {
    const SsNode* node = &ss_graph.nodes[i];
    if (ss_is_internal(node) && !(node->flags & SS_NODE_VISITED)) ss_break_cycle(node->object);
  }
}

// Other threads read the phase without the mutex, to see whether a wrapper that dies must be taken out of the ss_graph.
static void set_phase(int phase) { __atomic_store_n(&ss_collection_phase, phase, __ATOMIC_RELAXED); }

static void unpin(void) {
  state.ending = 1;
  for (uint32_t i = 0; i < ss_graph.count; i++) {
    if (ss_is_internal(&ss_graph.nodes[i])) ss_decref(ss_graph.nodes[i].object);
  }
  ss_graph_lock();
  state.pinned = state.ending = 0;
  ss_graph_unlock();
}

static void end_collection(void) {
  int broken = ss_collection_phase == CLEARING;
  set_phase(IDLE);
  if (!state.pinned || state.ending) return;
  state.ending = 1;  // a release may run Python code, and so another collection
  if (!broken) break_dead_cycles(NULL);
  unpin();
  ss_graph_lock();
  ss_ownership_reset(&ss_graph);
  ss_graph_unlock();
}

// A pending call that ends a collection whose "stop" did not arrive, because the program changed gc.callbacks. The next
// collection makes it: code that runs during a collection runs pending calls too, so before that nobody knows.
static int end_forgotten_collection(void* number) {
  if (!state.pinned || state.number != (uintptr_t)number) return 0;
  set_phase(CLEARING);  // the marks may already be those of the next collection, so no cycle is broken by them
  end_collection();
  return 0;
}

// ---- the two phases ----

// The subtract phase: visits the references to Python objects that internal objects own.
static void show_all(visitproc visit, void* arg) {
  for (uint32_t i = 0; i < ss_graph.count; i++) {
    const SsNode* node = &ss_graph.nodes[i];
    if (!ss_is_internal(node)) continue;
    if (node->wrapper != NULL && (node->flags & SS_NODE_HOLDS)) visit((PyObject*)node->wrapper, arg);
    if (node->python != NULL) visit(node->python, arg);
    if (node->block_class != NULL) visit(node->block_class, arg);
  }
}

// Whether the phases show the collector this wrapper as something that is in use. A stateful one is shown also when it owns its
// native object: it must keep its state, since the native object would hold it if it died.
static int is_shown(SsWrapper* wrapper) {
  if (!(ss_flags(wrapper) & SS_STATEFUL)) return 0;
#if SS_FREE_THREADED
  // The collector itself counts what other threads have dropped, and leaves an object whose count gets to zero to its phases,
  // which do not free it when it is shown. So it gets a reference, which the end of the collection drops.
  if (Py_REFCNT((PyObject*)wrapper) == 0) return ss_collection_keep((PyObject*)wrapper);
#endif
  return 1;
}

// The mark and reach phases: visits what the native object of a wrapper in use leads to. Each node is visited once in
// both together: what the mark phase has reached is in use already.
// Returns what `visit` returned when that was not 0: CPython is out of memory and gives the collection up.
static int show_reached(const SsWrapper* wrapper, visitproc visit, void* arg) {
  SsNode* root = wrapper->handle == NULL ? NULL : ss_ownership_find(&ss_graph, wrapper->handle);
  if (root == NULL || !ss_is_internal(root) || (root->flags & SS_NODE_VISITED)) return 0;
  uint32_t pending = 0;
  root->flags |= SS_NODE_VISITED;
  ss_graph.work[pending++] = (uint32_t)(root - ss_graph.nodes);
  while (pending > 0) {
    const SsNode* node = &ss_graph.nodes[ss_graph.work[--pending]];
    if (node->wrapper != NULL && is_shown(node->wrapper)) Py_VISIT((PyObject*)node->wrapper);
    Py_VISIT(node->python);
    Py_VISIT(node->block_class);
    for (uint32_t r = 0; r < node->count; r++) {
      uint32_t number = ss_graph.references[node->first + r];
      SsNode* child = &ss_graph.nodes[number];
      if (!ss_is_internal(child) || (child->flags & SS_NODE_VISITED)) continue;
      child->flags |= SS_NODE_VISITED;
      ss_graph.work[pending++] = number;
    }
  }
  return 0;
}

// The reach phase: visits the stateful wrappers whose native objects have unknown owners besides. If only garbage refers
// to them they live on all the same, see collection_holds.h.
static int show_in_use(visitproc visit, void* arg) {
  for (uint32_t i = 0; i < ss_graph.count; i++) {
    const SsNode* node = &ss_graph.nodes[i];
    if (ss_is_internal(node) || ss_wrapper_owns(node) == 0 || node->strong == node->owned) continue;
    if (is_shown(node->wrapper)) Py_VISIT((PyObject*)node->wrapper);
  }
  return 0;
}

// Counts the nodes for ss_collection_report, and finds out whether a sweep is needed: internal objects that no wrapper
// of the collection leads to are dead already.
static void take_stock(void) {
  // Each node was added for a wrapper or a kept block, or was found from such a node.
  int all_from_wrappers = ss_graph.kept == 0;
  for (uint32_t i = 0; i < ss_graph.count && !all_from_wrappers; i++) {
    if (ss_graph.nodes[i].wrapper != NULL) ss_graph.nodes[i].flags |= SS_NODE_FROM_WRAPPER;
  }
  if (!all_from_wrappers) ss_ownership_spread(&ss_graph, SS_NODE_FROM_WRAPPER);
  last.looked_at = ss_graph.count;
  last.internal = last.unread = 0;
  for (uint32_t i = 0; i < ss_graph.count; i++) {
    const SsNode* node = &ss_graph.nodes[i];
    last.unread += (node->flags & SS_NODE_UNREADABLE) != 0;
    if (!ss_is_internal(node)) continue;
    last.internal++;
    if (!all_from_wrappers && !(node->flags & SS_NODE_FROM_WRAPPER)) state.sweep = 1;
  }
}

// Makes the graph of a collection, with the first call of its first phase. 0, or -1 when this collection sees nothing
// of native objects. `again`: the phases run again, after the finalizers.
static int begin(int phase, int again) {
  if (state.pinned) {  // the last collection has not ended yet
    Py_AddPendingCall(end_forgotten_collection, (void*)state.number);
    set_phase(REFUSED);
    return -1;
  }
#if SS_FREE_THREADED
  ss_graph_answer();
#endif
  set_phase(phase);
  state.again = again;
  if (make_graph(again ? SS_DEAD_WRAPPERS : SS_COLLECTED_WRAPPERS, again) != 0) return -1;
  if (again) state.number++;
  if (!again) take_stock();
  return 0;
}

typedef enum { OTHER_CALL, MARK, FIRST_SUBTRACT, SECOND_SUBTRACT, REACH, YOUNG_SUBTRACT, YOUNG_REACH } Call;

// Which phase of the collector a call of tp_traverse belongs to. CPython does not say; it follows from what it passes,
// and from the marks on the object.
//
//                  GIL                                     free-threaded
//   mark           none                                    from 3.14 on: the object is marked ALIVE
//   subtract       arg is the object itself                arg is NULL, and the object is marked UNREACHABLE
//   first/second   the mark is/is not in the collection    the first has another `visit` than the second
//   reach          arg is the collector's list             arg is the collector's stack
//   others         arg is a list or tuple of gc's functions, or any pointer
//   young          the first subtract and the reach phase of a collection of some objects only
//
// The reach phase follows the first subtract phase without any other code between them, so the first call after it
// shows the `visit` of the reach phase, by which the later calls are told from those of gc.get_referents.
static Call call_of(const void* object, visitproc visit, const void* arg) {
#if SS_FREE_THREADED
  static visitproc first_subtract;
  if (ss_marked_alive(object)) return MARK;
  if (ss_in_collection(object)) {
    if (arg != NULL) return OTHER_CALL;
    // gc.callbacks are not told of the collections in the interpreter's shutdown, so STARTING is not enough.
    int phase = ss_collection_phase;
    if (phase == STARTING || phase == MARKING || first_subtract == NULL) first_subtract = visit;
    return visit == first_subtract ? FIRST_SUBTRACT : SECOND_SUBTRACT;
  }
#else
  if (arg == object) return !ss_in_collection(mark) ? SECOND_SUBTRACT : state.partial ? YOUNG_SUBTRACT : FIRST_SUBTRACT;
  if (state.partial) return object == mark && ss_in_collection(mark) ? YOUNG_REACH : OTHER_CALL;
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
    case MARK:
      if (phase != MARKING && begin(MARKING, 0) != 0) return 1;
      if (wrapper != NULL) *rc = show_reached(wrapper, visit, arg);
      return 1;
    case FIRST_SUBTRACT:
      if (phase == MARKING) {
        set_phase(SUBTRACTING);
        show_all(visit, arg);
      } else if ((phase != SUBTRACTING || state.again) && begin(SUBTRACTING, 0) == 0) {
        show_all(visit, arg);
      }
      return 1;
    case SECOND_SUBTRACT:
      if (phase == REACHING && !state.again && begin(SUBTRACTING, 1) == 0) show_all(visit, arg);
      return ss_collection_phase == SUBTRACTING && state.again;
    case REACH:
      if (phase != SUBTRACTING && phase != REACHING) return 0;
      set_phase(REACHING);
      *rc = wrapper != NULL ? show_reached(wrapper, visit, arg) : state.again ? 0 : show_in_use(visit, arg);
      return 1;
#if !SS_FREE_THREADED
    case YOUNG_SUBTRACT:
      if (wrapper != NULL) ss_young_note(wrapper);
      return 0;
    case YOUNG_REACH:
      *rc = ss_young_show(visit, arg);
      return 1;
#endif
    default:
      break;
  }
  return 0;
}

int ss_collection_judges(void) { return ss_collection_phase == SUBTRACTING && state.again; }

int ss_collection_finalizes(const SsWrapper* wrapper) {
  return ss_collection_phase == REACHING && !state.again && ss_in_collection(wrapper);
}

int ss_collection_under_way(void) { return __atomic_load_n(&state.told, __ATOMIC_RELAXED); }

int ss_collection_idle(void) { return ss_collection_phase == IDLE && !state.pinned; }

// ---- dead wrappers ----

int64_t ss_collection_dead_owners(const SsWrapper* wrapper, int clearing) {
  if (__atomic_load_n(&ss_collection_phase, __ATOMIC_RELAXED) == IDLE || wrapper->handle == NULL) return -1;
  if (!clearing && !ss_in_collection(wrapper)) return -1;
  ss_graph_lock();
  const SsNode* node = ss_ownership_find(&ss_graph, wrapper->handle);
  int64_t owners = -1;
  if (node != NULL && node->wrapper == wrapper && ss_is_internal(node))
    owners = node->strong - ss_wrapper_owns(node) + (uint32_t)state.pinned;
  ss_graph_unlock();
  return owners;
}

void ss_collection_forget_slow(const SsWrapper* wrapper) {
  ss_graph_lock();
  SsNode* node = ss_ownership_find(&ss_graph, wrapper->handle);
  if (node != NULL && node->wrapper == wrapper) {
    node->strong -= ss_wrapper_owns(node);
    node->wrapper = NULL;
  }
  ss_graph_unlock();
}

int ss_collection_clear(const SsWrapper* wrapper) {
  if (ss_collection_phase == CLEARING || !state.again || !state.pinned) return 0;
  if (ss_collection_dead_owners(wrapper, 1) < 0) return 0;
  set_phase(CLEARING);
  break_dead_cycles(wrapper);
  // gc.callbacks are not told of the collections in the interpreter's shutdown. The graph stays, without
  // its references: by it the other wrappers of this collection are let go. An object that two fields of one owner
  // share would not be finalized otherwise.
  if (!ss_python_alive()) unpin();
  return 1;
}

// ---- around a collection ----

// Breaks cycles of native objects that no wrapper leads to.
static void sweep(void) {
  state.sweep = 0;
  if (make_graph(SS_NO_WRAPPERS, 1) == 0) end_collection();
}

static int is_full(PyObject* info) {
  PyObject* generation = PyDict_Check(info) ? PyDict_GetItemString(info, "generation") : NULL;
  return generation != NULL && PyLong_Check(generation) && PyLong_AsLong(generation) == 2;
}

// The incremental collector makes no full collection by itself. So one is made when there are a quarter more wrappers
// and kept blocks than after the last: the rule by which the collector with generations chooses its full collections.
static int full_collection_asked;

static int collect_fully(void* unused) {
  (void)unused;
  full_collection_asked = 0;
  PyGC_Collect();
  return 0;
}

static void after_increment(int full) {
  enum { FEW = 10000 };
  static int64_t after_last;
  int64_t now = ss_counted(SS_COUNT_BLOCKS);
  if (full) {
    after_last = now;
  } else if (!full_collection_asked && now > after_last + after_last / 4 + FEW) {
    full_collection_asked = Py_AddPendingCall(collect_fully, NULL) == 0;
  }
}

PyObject* ss_collection_callback(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  if (count < 1 || !PyUnicode_Check(args[0])) {
    PyErr_SetString(PyExc_TypeError, "expected the phase of a collection");
    return NULL;
  }
  int starts = PyUnicode_CompareWithASCIIString(args[0], "start") == 0;
  int full = count > 1 && is_full(args[1]);
  state.partial = starts && !full && !SS_FREE_THREADED;
  if (starts && full) ss_collect_others_if_much();
  __atomic_store_n(&state.told, starts, __ATOMIC_RELAXED);
  if (mark != NULL && PyUnicode_CompareWithASCIIString(args[0], "stop") == 0) {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    end_collection();
    ss_run_deferred();  // CPython 3.9 to 3.11 may not run a pending call that a native thread has added
    if (state.sweep && ss_python_alive()) sweep();
    ss_table->run_postponed();  // last: it also puts the records in order that all these dead have given back
    PyErr_Restore(type, value, traceback);
    if (ss_gc_kind == SS_GC_INCREMENTS) after_increment(full);
  } else if (mark != NULL && starts && state.pinned) {
    end_collection();  // the program changed gc.callbacks during the last collection
  }
#if SS_FREE_THREADED
  if (mark != NULL && starts) {
    __atomic_fetch_and(&mark->ob_gc_bits, (uint8_t)~SS_FROZEN, __ATOMIC_RELAXED);  // undoes gc.freeze()
    state.again = 0;
    set_phase(STARTING);
  }
#else
  if (mark != NULL && starts) {
    ss_young_begin();
    // Puts the mark into the youngest generation, which each collection examines, also after gc.freeze().
    PyObject_GC_UnTrack(mark);
    PyObject_GC_Track(mark);
  }
#endif
  if (!starts) {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    ss_collection_let_go();
    PyErr_Restore(type, value, traceback);
  }
  Py_RETURN_NONE;
}

PyObject* ss_collection_report(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  return Py_BuildValue("{s:L,s:L,s:L}", "looked_at", (long long)last.looked_at, "internal", (long long)last.internal,
                       "unread", (long long)last.unread);
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
    SS_TYPE("selfsame_ffi._core.CollectorMark", "Tells the core that a full collection is under way.", sizeof(PyObject),
            Py_TPFLAGS_HAVE_GC),
    .tp_dealloc = dealloc_mark,
    .tp_traverse = traverse_mark,
};

int ss_collection_init(void) {
  if (mark != NULL) return 0;
  if (ss_gc_recognize() != 0) return -1;
  if (ss_gc_kind == SS_GC_UNKNOWN) return 0;
  if (PyType_Ready(&mark_type) != 0) return -1;
  PyObject* made = PyObject_GC_New(PyObject, &mark_type);
  if (made == NULL) return -1;
  PyObject_GC_Track(made);
  mark = made;
  return 0;
}
