// The rounds of the cycle collector. What they are for is in round.h.
#include "gc/full_collection.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "gc/ownership.h"
#include "gc/cpython_gc.h"
#include "gc/references.h"
#include "gc/break_cycles.h"
#include "tie/attach.h"

#if SS_FREE_THREADED
// The collector stops all other threads while it asks what leads where; before and after, wrappers die on other
// threads. Whoever holds the mutex runs no Python code and does not sleep, so nobody is stopped with it.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void lock(void) { pthread_mutex_lock(&mutex); }
static void unlock(void) { pthread_mutex_unlock(&mutex); }
#else
static void lock(void) {}
static void unlock(void) {}
#endif

// An object that is always in use and is traversed in every full collection: the first call with the collector's bit
// set on it begins a round, and it is never missing from either of the two phases.
static PyObject* mark;

static SsAccount account;

enum { IDLE, STARTING, REFUSED, SUBTRACTING, REACHING, CLEARING };
int ss_round_phase = IDLE;

static struct {
  uintptr_t number;    // of the rounds with a pinned account
  int again;           // the account is that after the finalizers
  int pinned;          // the account owns a reference to each of its closed natives
  int ending;          // those references are being released
  int sweep;           // natives are closed without any wrapper
  visitproc subtract;  // what CPython takes references off the counts with
  visitproc reach;     // what it finds reachable objects with
} state;

static struct {
  int64_t looked_at, closed, unread;
} last;

// ---- making the account ----

typedef enum { COLLECTED_WRAPPERS, DEAD_WRAPPERS, ALL_WRAPPERS, NO_WRAPPERS } Scope;

static void add_record(const SelfsameTieRecord* record, Scope scope) {
  uintptr_t word = __atomic_load_n(&record->wrapper, __ATOMIC_SEQ_CST);
  if (word == 0) return;
  TVMFFIObject* object = __atomic_load_n(&record->object, __ATOMIC_ACQUIRE);
  if (object == NULL) return;
  if (word & SELFSAME_TIE_INACTIVE) {
    ss_account_add(&account, object, NULL);
  } else if (scope != NO_WRAPPERS && (word & SELFSAME_TIE_TAGS) == 0) {
    SsWrapper* wrapper = (SsWrapper*)word;
    if (scope == COLLECTED_WRAPPERS && !ss_is_looked_at(wrapper)) return;
    if (scope == DEAD_WRAPPERS && !ss_in_collection(wrapper)) return;
    if (wrapper->handle == object) ss_account_add(&account, object, wrapper);
  }
}

static int run_postponed(void* unused) {
  (void)unused;
  ss_table->run_postponed();
  return 0;
}

static int is_closed(const SsNode* node) { return (node->flags & SS_NODE_OUTSIDE) == 0; }

// Makes the account of all natives with a kept block, or with a wrapper in the scope. Deaths are postponed from here to
// release_deaths. 0, or -1 when memory was used up: then the account is empty.
static int fill_account(Scope scope) {
  ss_account_reset(&account);
  ss_table->postpone_deaths(1);
  uint32_t end = ss_table->record_end();
  for (uint32_t n = 1; n < end; n++) {
    const SelfsameTieRecord* chunk = ss_table->chunks[n >> SELFSAME_TIE_CHUNK_BITS];
    if (chunk != NULL) add_record(&chunk[n & (SELFSAME_TIE_CHUNK_RECORDS - 1u)], scope);
  }
  int rc = ss_account_close(&account);
  if (rc != 0) ss_account_reset(&account);
  return rc;
}

static void release_deaths(void) {
  // Deleters run no sooner than after the collection.
  if (ss_table->postpone_deaths(0)) Py_AddPendingCall(run_postponed, NULL);
}

// As fill_account; with `pin`, takes a reference to each closed native.
static int make_account(Scope scope, int pin) {
  lock();
  int rc = fill_account(scope);
  if (rc == 0 && pin) {
    for (uint32_t i = 0; i < account.count; i++) {
      if (is_closed(&account.nodes[i])) ss_incref(account.nodes[i].object);
    }
    state.pinned = 1;
  }
  unlock();
  release_deaths();
  return rc;
}

// Opens the cycles among the closed natives that nothing alive leads to. The account is pinned, so none of them goes
// away meanwhile. `cleared`: the wrapper whose tp_clear this is, or NULL.
static void open_dead(const SsWrapper* cleared) {
  lock();
  for (uint32_t i = 0; i < account.count; i++) {
    SsNode* node = &account.nodes[i];
    node->flags &= ~(uint32_t)SS_NODE_VISITED;
    if (node->wrapper != NULL && node->wrapper != cleared && !ss_in_collection(node->wrapper)) {
      node->flags |= SS_NODE_VISITED;
    }
    // The counts again: finalizers and other objects' ends may have run code in between.
    if (is_closed(node) && !ss_account_holds(&account, node, 1)) node->flags |= SS_NODE_VISITED;
  }
  ss_account_spread(&account, SS_NODE_VISITED);
  unlock();
  for (uint32_t i = 0; i < account.count; i++) {
    const SsNode* node = &account.nodes[i];
    if (is_closed(node) && !(node->flags & SS_NODE_VISITED)) ss_open(node->object);
  }
}

// Other threads read it without the mutex, to see whether there is anything to do for them.
static void set_phase(int phase) { __atomic_store_n(&ss_round_phase, phase, __ATOMIC_RELAXED); }

static void unpin(void) {
  state.ending = 1;
  for (uint32_t i = 0; i < account.count; i++) {
    if (is_closed(&account.nodes[i])) ss_decref(account.nodes[i].object);
  }
  lock();
  state.pinned = state.ending = 0;
  unlock();
}

static void end_round(void) {
  int opened = ss_round_phase == CLEARING;
  set_phase(IDLE);
  if (!state.pinned || state.ending) return;
  state.ending = 1;  // what is released here may run Python code, and so a collection
  if (!opened) open_dead(NULL);
  unpin();
  lock();
  ss_account_reset(&account);
  unlock();
}

// Ends a round whose end nobody told us, because gc.callbacks was changed.
static int end_forgotten_round(void* number) {
  if (!state.pinned || state.number != (uintptr_t)number) return 0;
  // Without the lock another collection may be under way, whose marks say nothing about this round.
  if (SS_FREE_THREADED) set_phase(CLEARING);
  end_round();
  return 0;
}

// ---- what no account can close ----

// What keeps a native outside of every account, apart from what leads to it. NULL: nothing of its own.
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

// The rows of ss_round_unaccounted, from an account that is read at once: making Python objects of them may begin a
// round, which makes another.
static struct {
  int wanted;  // by whom all other threads are to be stopped for
  Row* rows;
  uint32_t count;
} report;

static void fill_report(void) {
  free(report.rows);
  report.count = 0;
  fill_account(ALL_WRAPPERS);
  report.rows = calloc((size_t)account.count + 1, sizeof(Row));
  for (uint32_t i = 0; report.rows != NULL && i < account.count; i++) {
    const SsNode* node = &account.nodes[i];
    const char* reason = is_closed(node) ? NULL : reason_of(node);
    if (reason == NULL) continue;
    uint32_t found = ss_owners_found(node);
    report.rows[report.count++] = (Row){node->flags & SS_NODE_THERE ? node->object->type_index : -1, reason,
                                        node->strong > found ? node->strong - found : 0};
  }
  ss_account_reset(&account);
}

// ---- the two phases ----

// Shows the references that closed natives own to the function that takes them off the counts.
static void show_all(visitproc visit, void* arg) {
  for (uint32_t i = 0; i < account.count; i++) {
    const SsNode* node = &account.nodes[i];
    if (!is_closed(node)) continue;
    if (node->wrapper != NULL && (ss_flags(node->wrapper) & SS_HELD)) visit((PyObject*)node->wrapper, arg);
    if (node->payload != NULL) visit(node->payload, arg);
  }
}

static void begin(int again, visitproc visit, void* arg) {
  if (state.pinned) {  // the last round's end is still to come; this collection does without an account
    if (SS_FREE_THREADED && ss_round_phase != REFUSED) Py_AddPendingCall(end_forgotten_round, (void*)state.number);
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
  state.subtract = visit;
  if (make_account(again ? DEAD_WRAPPERS : COLLECTED_WRAPPERS, again) != 0) return;
  // Without the GIL the call may come before this collection's end, so the next one asks for it.
  if (again) state.number++;
  if (again && !SS_FREE_THREADED) Py_AddPendingCall(end_forgotten_round, (void*)state.number);
  show_all(visit, arg);
  if (again) return;
  // Closed natives that no wrapper of the collection leads to are dead already.
  for (uint32_t i = 0; i < account.count; i++) {
    if (account.nodes[i].wrapper != NULL) account.nodes[i].flags |= SS_NODE_LED_TO;
  }
  ss_account_spread(&account, SS_NODE_LED_TO);
  last.looked_at = account.count;
  last.closed = last.unread = 0;
  for (uint32_t i = 0; i < account.count; i++) {
    const SsNode* node = &account.nodes[i];
    last.unread += (node->flags & SS_NODE_UNREADABLE) != 0;
    if (!is_closed(node)) continue;
    last.closed++;
    if (!(node->flags & SS_NODE_LED_TO)) state.sweep = 1;
  }
}

// Shows what a used wrapper's native leads to. Each native is passed once in a state. Returns what `visit` returned
// when that was not 0: memory was used up, and the collection is given up.
static int show_reached(const SsWrapper* wrapper, visitproc visit, void* arg) {
  SsNode* root = wrapper->handle == NULL ? NULL : ss_account_find(&account, wrapper->handle);
  if (root == NULL || !is_closed(root) || (root->flags & SS_NODE_VISITED)) return 0;
  uint32_t pending = 0;
  root->flags |= SS_NODE_VISITED;
  account.work[pending++] = (uint32_t)(root - account.nodes);
  while (pending > 0) {
    const SsNode* node = &account.nodes[account.work[--pending]];
    if (node->wrapper != NULL && (ss_flags(node->wrapper) & SS_HELD)) Py_VISIT((PyObject*)node->wrapper);
    Py_VISIT(node->payload);
    for (uint32_t e = 0; e < node->count; e++) {
      uint32_t number = account.edges[node->first + e];
      SsNode* child = &account.nodes[number];
      if (!is_closed(child) || (child->flags & SS_NODE_VISITED)) continue;
      child->flags |= SS_NODE_VISITED;
      account.work[pending++] = number;
    }
  }
  return 0;
}

#if SS_FREE_THREADED

// Each collection looks at everything, and all other threads are stopped. First each object is traversed with one
// function, its mark UNREACHABLE on; then those in use, with another function, the mark off. After the finalizers,
// during which other threads went on, what seemed dead is traversed with a third function, the mark on, and what is in
// use of that with the second. A function that others (gc.get_referents and the like) traverse with has an argument.
int ss_round_traverse(SsWrapper* wrapper, visitproc visit, void* arg, int* rc) {
  if (mark == NULL) return 0;
  static visitproc first;  // how a collection begins: gc.callbacks are not told of those in the interpreter's shutdown
  int phase = ss_round_phase;
  if (ss_in_collection(wrapper == NULL ? (void*)mark : (void*)wrapper)) {
    if (arg != NULL) return 0;
    if (phase == STARTING || first == NULL) first = visit;
    if (visit == first && (phase != SUBTRACTING || state.again)) begin(0, visit, arg);
    if (phase == REACHING && !state.again && visit != first && visit != state.reach) begin(1, visit, arg);
    return ss_round_phase == REFUSED || visit == state.subtract;
  }
  if (phase == REFUSED) return 1;
  if (phase == IDLE || phase == CLEARING) return 0;
  if (phase == SUBTRACTING && !state.again && visit != state.subtract) state.reach = visit;
  if (phase == STARTING || visit != state.reach) return 0;
  set_phase(REACHING);
  if (wrapper != NULL) *rc = show_reached(wrapper, visit, arg);
  return 1;
}

#else

int ss_round_traverse(SsWrapper* wrapper, visitproc visit, void* arg, int* rc) {
  if (mark == NULL) return 0;
  int full = ss_in_collection(mark);
  if (ss_round_phase == REFUSED) return full;
  if (full && (ss_round_phase == IDLE || ss_round_phase == CLEARING || state.again ||
               (ss_round_phase == REACHING && visit == state.subtract))) {
    begin(0, visit, arg);
    return 1;
  }
  if (full && visit == state.subtract) return 1;
  if (full) {
    state.reach = visit;
    set_phase(REACHING);
  } else if (visit == state.subtract) {
    if (ss_round_phase == REACHING && !state.again) begin(1, visit, arg);
    return ss_round_phase == SUBTRACTING && state.again;
  } else if (visit != state.reach || ss_round_phase == IDLE || ss_round_phase == CLEARING) {
    return 0;
  } else {
    set_phase(REACHING);
  }
  if (wrapper != NULL) *rc = show_reached(wrapper, visit, arg);
  return 1;
}

#endif

// ---- what is dead ----

uint32_t ss_round_dead_owners(const SsWrapper* wrapper, int cleared) {
  if (__atomic_load_n(&ss_round_phase, __ATOMIC_RELAXED) == IDLE || wrapper->handle == NULL) return 0;
  if (!cleared && !ss_in_collection(wrapper)) return 0;
  lock();
  const SsNode* node = ss_account_find(&account, wrapper->handle);
  uint32_t owners = 0;
  if (node != NULL && node->wrapper == wrapper && is_closed(node)) owners = node->strong + (uint32_t)state.pinned;
  unlock();
  return owners;
}

void ss_round_forget_slow(const SsWrapper* wrapper) {
  lock();
  SsNode* node = ss_account_find(&account, wrapper->handle);
  if (node != NULL && node->wrapper == wrapper) {
    node->wrapper = NULL;
    node->strong--;
  }
  unlock();
}

int ss_round_clear(const SsWrapper* wrapper) {
  if (ss_round_phase == CLEARING || !state.again || !state.pinned) return 0;
  if (ss_round_dead_owners(wrapper, 1) == 0) return 0;
  set_phase(CLEARING);
  open_dead(wrapper);
  // The collections in the interpreter's shutdown tell nobody when they end. The account stays: it is what the other
  // wrappers of this collection are let go by.
  if (!ss_python_alive()) unpin();
  return 1;
}

// ---- around a collection ----

static void sweep(void) {
  state.sweep = 0;
  if (make_account(NO_WRAPPERS, 1) == 0) end_round();
}

static int is_full(PyObject* info) {
  PyObject* generation = PyDict_Check(info) ? PyDict_GetItemString(info, "generation") : NULL;
  return generation != NULL && PyLong_Check(generation) && PyLong_AsLong(generation) == 2;
}

PyObject* ss_round_callback(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  if (count < 1 || !PyUnicode_Check(args[0])) {
    PyErr_SetString(PyExc_TypeError, "expected the phase of a collection");
    return NULL;
  }
  if (mark != NULL && PyUnicode_CompareWithASCIIString(args[0], "stop") == 0) {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    ss_table->run_postponed();
    end_round();
    if (state.sweep && ss_python_alive()) sweep();
    PyErr_Restore(type, value, traceback);
#if SS_FREE_THREADED
  } else if (mark != NULL) {
    if (state.pinned) end_round();  // somebody changed gc.callbacks before its end
    __atomic_fetch_and(&mark->ob_gc_bits, (uint8_t)~SS_FROZEN, __ATOMIC_RELAXED);  // by gc.freeze()
    state.again = 0;
    set_phase(STARTING);
  }
#else
  } else if (mark != NULL && count > 1 && is_full(args[1])) {
    // gc.freeze() may have taken it out of the collector's sight.
    PyObject_GC_UnTrack(mark);
    PyObject_GC_Track(mark);
  }
#endif
  Py_RETURN_NONE;
}

PyObject* ss_round_report(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  return Py_BuildValue("{s:L,s:L,s:L}", "looked_at", (long long)last.looked_at, "closed", (long long)last.closed,
                       "unread", (long long)last.unread);
}

// 0: the rows are there.
static int ask_report(void) {
#if SS_FREE_THREADED
  // Only the collector can stop all other threads.
  int enabled = PyGC_Enable();
  __atomic_store_n(&report.wanted, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < 100 && __atomic_load_n(&report.wanted, __ATOMIC_ACQUIRE); i++) {
    if (i > 0) {  // another thread collects
      Py_BEGIN_ALLOW_THREADS;
      usleep(1000);
      Py_END_ALLOW_THREADS;
    }
    PyGC_Collect();
  }
  if (!enabled) PyGC_Disable();
  return __atomic_exchange_n(&report.wanted, 0, __ATOMIC_ACQ_REL);
#else
  if (ss_round_phase != IDLE || state.pinned) return -1;
  fill_report();
  if (ss_table->postpone_deaths(0)) ss_table->run_postponed();
  return 0;
#endif
}

PyObject* ss_round_unaccounted(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  PyObject* list = PyList_New(0);
  if (list == NULL || !SS_ROUNDS || ask_report() != 0) return list;
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
  ss_round_traverse(NULL, visit, arg, &rc);
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

int ss_rounds_init(void) {
  if (!SS_ROUNDS || mark != NULL) return 0;
  if (PyType_Ready(&mark_type) != 0) return -1;
  PyObject* made = PyObject_GC_New(PyObject, &mark_type);
  if (made == NULL) return -1;
  PyObject_GC_Track(made);
  mark = made;
  return 0;
}
