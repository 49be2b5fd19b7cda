// The rounds of the cycle collector. What they are for is in round.h.
#include "round.h"

#include "account.h"
#include "edges.h"
#include "open.h"
#include "queue.h"
#include "tie_states.h"

// The bit by which CPython's collector knows the objects of the collection under way, in the second word of its header;
// it has had that place since 3.8. The incremental and the free-threaded collectors work otherwise.
#if SS_FREE_THREADED || PY_VERSION_HEX >= 0x030E0000
#define ROUNDS 0
#else
#define ROUNDS 1
#endif

static int in_collection(const void* object) {
  enum { COLLECTING = 2 };
  return ROUNDS && (((const uintptr_t*)object)[-1] & COLLECTING) != 0;
}

// An object that is always in use and is traversed in every full collection: the first call with the collector's bit
// set on it begins a round, and it is never missing from either of the two phases.
static PyObject* mark;

static SsAccount account;

enum { IDLE, REFUSED, SUBTRACTING, REACHING, CLEARING };
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

typedef enum { COLLECTED_WRAPPERS, ALL_WRAPPERS, NO_WRAPPERS } Scope;

static void add_record(const SelfsameTieRecord* record, Scope scope) {
  uintptr_t word = __atomic_load_n(&record->wrapper, __ATOMIC_SEQ_CST);
  if (word == 0) return;
  TVMFFIObject* object = __atomic_load_n(&record->object, __ATOMIC_ACQUIRE);
  if (object == NULL) return;
  if (word & SELFSAME_TIE_INACTIVE) {
    ss_account_add(&account, object, NULL);
  } else if (scope != NO_WRAPPERS && (word & SELFSAME_TIE_TAGS) == 0) {
    SsWrapper* wrapper = (SsWrapper*)word;
    if (scope == COLLECTED_WRAPPERS && !in_collection(wrapper)) return;
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
  int rc = fill_account(scope);
  if (rc == 0 && pin) {
    for (uint32_t i = 0; i < account.count; i++) {
      if (is_closed(&account.nodes[i])) ss_incref(account.nodes[i].object);
    }
    state.pinned = 1;
  }
  release_deaths();
  return rc;
}

// Opens the cycles among the closed natives that nothing alive leads to. The account is pinned, so none of them goes
// away meanwhile.
static void open_dead(void) {
  for (uint32_t i = 0; i < account.count; i++) {
    SsNode* node = &account.nodes[i];
    node->flags &= ~(uint32_t)SS_NODE_VISITED;
    if (node->wrapper != NULL && !in_collection(node->wrapper)) node->flags |= SS_NODE_VISITED;
    // The counts again: finalizers and other objects' ends may have run code in between.
    if (is_closed(node) && !ss_account_holds(&account, node, 1)) node->flags |= SS_NODE_VISITED;
  }
  ss_account_spread(&account, SS_NODE_VISITED);
  for (uint32_t i = 0; i < account.count; i++) {
    const SsNode* node = &account.nodes[i];
    if (is_closed(node) && !(node->flags & SS_NODE_VISITED)) ss_open(node->object);
  }
}

static void unpin(void) {
  state.ending = 1;
  for (uint32_t i = 0; i < account.count; i++) {
    if (is_closed(&account.nodes[i])) ss_decref(account.nodes[i].object);
  }
  state.pinned = state.ending = 0;
}

static void end_round(void) {
  int opened = ss_round_phase == CLEARING;
  ss_round_phase = IDLE;
  if (!state.pinned || state.ending) return;
  state.ending = 1;  // what is released here may run Python code, and so a collection
  if (!opened) open_dead();
  unpin();
  ss_account_reset(&account);
}

// Ends a round whose end nobody told us, because gc.callbacks was changed.
static int end_forgotten_round(void* number) {
  if (state.pinned && state.number == (uintptr_t)number) end_round();
  return 0;
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
    ss_round_phase = REFUSED;
    return;
  }
  ss_round_phase = SUBTRACTING;
  state.again = again;
  state.subtract = visit;
  if (make_account(COLLECTED_WRAPPERS, again) != 0) return;
  if (again) Py_AddPendingCall(end_forgotten_round, (void*)++state.number);
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

// Shows what a used wrapper's native leads to. Each native is passed once in a state.
static void show_reached(const SsWrapper* wrapper, visitproc visit, void* arg) {
  SsNode* root = wrapper->handle == NULL ? NULL : ss_account_find(&account, wrapper->handle);
  if (root == NULL || !is_closed(root) || (root->flags & SS_NODE_VISITED)) return;
  uint32_t pending = 0;
  root->flags |= SS_NODE_VISITED;
  account.work[pending++] = (uint32_t)(root - account.nodes);
  while (pending > 0) {
    const SsNode* node = &account.nodes[account.work[--pending]];
    if (node->wrapper != NULL && (ss_flags(node->wrapper) & SS_HELD)) visit((PyObject*)node->wrapper, arg);
    if (node->payload != NULL) visit(node->payload, arg);
    for (uint32_t e = 0; e < node->count; e++) {
      uint32_t number = account.edges[node->first + e];
      SsNode* child = &account.nodes[number];
      if (!is_closed(child) || (child->flags & SS_NODE_VISITED)) continue;
      child->flags |= SS_NODE_VISITED;
      account.work[pending++] = number;
    }
  }
}

int ss_round_traverse(SsWrapper* wrapper, visitproc visit, void* arg) {
  if (mark == NULL) return 0;
  int full = in_collection(mark);
  if (ss_round_phase == REFUSED) return full;
  if (full && (ss_round_phase == IDLE || ss_round_phase == CLEARING || state.again ||
               (ss_round_phase == REACHING && visit == state.subtract))) {
    begin(0, visit, arg);
    return 1;
  }
  if (full && visit == state.subtract) return 1;
  if (full) {
    state.reach = visit;
    ss_round_phase = REACHING;
  } else if (visit == state.subtract) {
    if (ss_round_phase == REACHING && !state.again) begin(1, visit, arg);
    return ss_round_phase == SUBTRACTING && state.again;
  } else if (visit != state.reach || ss_round_phase == IDLE || ss_round_phase == CLEARING) {
    return 0;
  } else {
    ss_round_phase = REACHING;
  }
  if (wrapper != NULL) show_reached(wrapper, visit, arg);
  return 1;
}

// ---- what is dead ----

static const SsNode* dead_node(const SsWrapper* wrapper) {
  if (ss_round_phase == IDLE || wrapper->handle == NULL || !in_collection(wrapper)) return NULL;
  const SsNode* node = ss_account_find(&account, wrapper->handle);
  return node == NULL || node->wrapper != wrapper || !is_closed(node) ? NULL : node;
}

uint32_t ss_round_dead_owners(const SsWrapper* wrapper) {
  const SsNode* node = dead_node(wrapper);
  return node == NULL ? 0 : node->strong + (uint32_t)state.pinned;
}

void ss_round_forget_slow(const SsWrapper* wrapper) {
  SsNode* node = ss_account_find(&account, wrapper->handle);
  if (node == NULL || node->wrapper != wrapper) return;
  node->wrapper = NULL;
  node->strong--;
}

int ss_round_clear(const SsWrapper* wrapper) {
  if (ss_round_phase == CLEARING || !state.again || !state.pinned) return 0;
  if (dead_node(wrapper) == NULL) return 0;
  ss_round_phase = CLEARING;
  open_dead();
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
  } else if (mark != NULL && count > 1 && is_full(args[1])) {
    // gc.freeze() may have taken it out of the collector's sight.
    PyObject_GC_UnTrack(mark);
    PyObject_GC_Track(mark);
  }
  Py_RETURN_NONE;
}

PyObject* ss_round_report(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  return Py_BuildValue("{s:L,s:L,s:L}", "looked_at", (long long)last.looked_at, "closed", (long long)last.closed,
                       "unread", (long long)last.unread);
}

// What keeps a native outside of every account, apart from what leads to it. NULL: nothing of its own.
static const char* reason_of(const SsNode* node) {
  if (node->flags & SS_NODE_BUSY) return "call";
  if (node->flags & SS_NODE_WEAK) return "weak";
  if (node->flags & SS_NODE_UNREADABLE) return "unread";
  return node->strong > ss_owners_found(node) ? "owner" : NULL;
}

PyObject* ss_round_unaccounted(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  PyObject* list = PyList_New(0);
  if (list == NULL || !ROUNDS || ss_round_phase != IDLE || state.pinned) return list;
  fill_account(ALL_WRAPPERS);
  for (uint32_t i = 0; list != NULL && i < account.count; i++) {
    const SsNode* node = &account.nodes[i];
    const char* reason = is_closed(node) ? NULL : reason_of(node);
    if (reason == NULL) continue;
    int index = node->flags & SS_NODE_THERE ? node->object->type_index : -1;
    uint32_t unknown = node->strong > ss_owners_found(node) ? node->strong - ss_owners_found(node) : 0;
    PyObject* row = Py_BuildValue("(isk)", index, reason, (unsigned long)unknown);
    if (row == NULL || PyList_Append(list, row) != 0) Py_CLEAR(list);
    Py_XDECREF(row);
  }
  ss_account_reset(&account);
  if (ss_table->postpone_deaths(0)) ss_table->run_postponed();
  return list;
}

static void dealloc_mark(PyObject* self) {
  PyObject_GC_UnTrack(self);
  PyObject_GC_Del(self);
}

static int traverse_mark(PyObject* self, visitproc visit, void* arg) {
  (void)self;
  ss_round_traverse(NULL, visit, arg);
  return 0;
}

static PyTypeObject mark_type = {
    PyVarObject_HEAD_INIT(NULL, 0)  //
        .tp_name = "selfsame._core.CollectorMark",
    .tp_doc = "Tells the core that a full collection is under way.",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = dealloc_mark,
    .tp_traverse = traverse_mark,
};

int ss_rounds_init(void) {
  if (!ROUNDS || mark != NULL) return 0;
  if (PyType_Ready(&mark_type) != 0) return -1;
  PyObject* made = PyObject_GC_New(PyObject, &mark_type);
  if (made == NULL) return -1;
  PyObject_GC_Track(made);
  mark = made;
  return 0;
}
