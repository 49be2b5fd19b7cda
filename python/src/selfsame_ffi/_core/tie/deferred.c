// The queue of deferred releases: a stack that any thread pushes on, and that an attached thread takes as a whole.
#include "tie/deferred.h"

#include <pthread.h>
#include <signal.h>

#include "tie/attach.h"
#include "tie/go_order.h"

SsDeferred* ss_deferred_head;

static int64_t total;    // deferred so far
static int64_t waiting;  // of those, not run yet

void ss_run_deferred_slow(void) {
  SsDeferred* item = __atomic_exchange_n(&ss_deferred_head, NULL, __ATOMIC_ACQ_REL);
  if (item == NULL) return;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  while (item != NULL) {
    SsDeferred* next = item->next;
    __atomic_fetch_sub(&waiting, 1, __ATOMIC_RELAXED);
    item->run(item);
    item = next;
  }
  PyErr_Restore(type, value, traceback);
}

// ---- the drainer ----

// CPython runs pending calls on the main thread, and only when that thread runs Python code. While it sleeps in native
// code, there may be no other entry from Python. So when the queue is long, a thread is made that attaches itself,
// empties the queue once and ends. No thread waits for it.
enum { BACKLOG = 1000 };
static int drainer;  // 1: a drainer has not yet begun to empty the queue

static void drain_all(void) {
  __atomic_store_n(&drainer, 0, __ATOMIC_SEQ_CST);  // first, so that releases pushed from here on can start another one
  ss_run_deferred();
}

static void* run_drainer(void* unused) {
  (void)unused;
  ss_run_attached(drain_all);
  __atomic_store_n(&drainer, 0, __ATOMIC_SEQ_CST);  // drain_all did not run when the interpreter shuts down
  return NULL;
}

static void start_drainer(void) {
  int none = 0;
  if (!__atomic_compare_exchange_n(&drainer, &none, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
  // The drainer takes no signals, so that they go to the program's threads as before.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_t thread;
  int failed = pthread_attr_init(&attributes);
  if (!failed) {
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    failed = pthread_create(&thread, &attributes, run_drainer, NULL);
    pthread_attr_destroy(&attributes);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failed) __atomic_store_n(&drainer, 0, __ATOMIC_SEQ_CST);  // the next deferred release tries again
}

void ss_deferred_after_fork(void) {
  drainer = 0;
  int64_t left = 0;
  for (SsDeferred* item = ss_deferred_head; item != NULL; item = item->next) left++;
  waiting = left;  // a thread of the parent may have counted a release and not pushed it yet
}

// ---- deferring ----

// A release can end a Python object that ends a native object that ends a Python object, and so on. Releases nested
// deeper than this run when the outermost is done. CPython's trashcan does the same, but does not see native objects.
enum { MOST_NESTED = 50 };
static __thread int nested __attribute__((tls_model("initial-exec")));
static __thread SsDeferred* too_deep __attribute__((tls_model("initial-exec")));

static void run_now(SsDeferred* item) {
  if (nested == MOST_NESTED) {
    item->next = too_deep;
    too_deep = item;
    return;
  }
  nested++;
  item->run(item);
  while (nested == 1 && too_deep != NULL) {
    item = too_deep;
    too_deep = item->next;
    item->run(item);
  }
  nested--;
}

static int run_pending(void* unused) {
  (void)unused;
  ss_run_deferred();
  return 0;
}

// Has the main thread empty the stack. Needs no GIL and no thread state.
//
// Py_AddPendingCall of CPython before 3.12 crashes on a thread that does not hold the GIL. It reads the interpreter
// from the thread state of the thread that does, and that state is freed when a native thread detaches.
// _PyEval_AddPendingCall, which 3.9 to 3.11 export, takes the interpreter as an argument.
#if PY_VERSION_HEX < 0x030C0000
PyAPI_FUNC(int) _PyEval_AddPendingCall(PyInterpreterState* interpreter, int (*function)(void*), void* argument);
static void ask_main_thread(void) { _PyEval_AddPendingCall(PyInterpreterState_Main(), run_pending, NULL); }
#else
static void ask_main_thread(void) { Py_AddPendingCall(run_pending, NULL); }
#endif

void ss_defer(SsDeferred* item) {
  if (ss_have_gil()) {
    SsUnderGo under = ss_under_go_begin();
    run_now(item);
    if (SS_UNLIKELY(ss_under_go_end(&under) != 0)) PyErr_WriteUnraisable(NULL);
    return;
  }
  if (!ss_python_alive()) return;
  __atomic_fetch_add(&total, 1, __ATOMIC_RELAXED);
  int64_t backlog = __atomic_add_fetch(&waiting, 1, __ATOMIC_RELAXED);
  SsDeferred* head = __atomic_load_n(&ss_deferred_head, __ATOMIC_RELAXED);
  do {
    item->next = head;
  } while (!__atomic_compare_exchange_n(&ss_deferred_head, &head, item, 1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  // One pending call empties the whole stack. When CPython's table of pending calls is full, the next entry from Python
  // does.
  if (head == NULL) ask_main_thread();
  if (SS_UNLIKELY(backlog > BACKLOG)) start_drainer();
}

int64_t ss_deferred_total(void) { return __atomic_load_n(&total, __ATOMIC_RELAXED); }

int64_t ss_deferred_waiting(void) { return __atomic_load_n(&waiting, __ATOMIC_RELAXED); }
