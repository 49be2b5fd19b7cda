// The queue of deferred releases: a stack that any thread pushes on, and that an attached thread takes as a whole. Beside
// it, the releases of memory that a thread keeps for itself.
#include "tie/deferred.h"

#include <pthread.h>

#include "tie/attach.h"
#include "tie/core.h"
#include "tie/go_order.h"
#include "tie/signals.h"
#include "tie/tie_word.h"

uintptr_t ss_deferred_head;
__thread SsDeferredOwn ss_deferred_own SS_STATIC_TLS;

static int64_t total;  // deferred so far
static int64_t begun;  // of those, the ones that were run or are running

// Attached threads only: with the GIL one thread at a time.
static void count_begun(void) {
#if SS_FREE_THREADED
  __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED);
#else
  __atomic_store_n(&begun, begun + 1, __ATOMIC_RELAXED);
#endif
}

// ---- entries ----
//
// An entry is the address of an SsDeferred, or of a native object with the bit NATIVE. The latter owns a reference to
// the native object. While that lasts nobody reads the object's deleter, so the next entry's number stands there.
enum { NATIVE = 1 };
typedef void (*Deleter)(void* self, int flags);
static Deleter tied_deleter;  // that of all native objects with a tie record

static uintptr_t next_of(uintptr_t entry) {
  if (!(entry & NATIVE)) return ((SsDeferred*)entry)->next;
  return (uintptr_t)__atomic_load_n(&((TVMFFIObject*)(entry - NATIVE))->deleter, __ATOMIC_RELAXED);
}

static void set_next(uintptr_t entry, uintptr_t next) {
  if (!(entry & NATIVE)) {
    ((SsDeferred*)entry)->next = next;
  } else {
    __atomic_store_n(&((TVMFFIObject*)(entry - NATIVE))->deleter, (Deleter)next, __ATOMIC_RELAXED);
  }
}

// An entry for a native object that is in no list.
static uintptr_t entry_of(TVMFFIObject* object) {
  __atomic_store_n(&tied_deleter, object->deleter, __ATOMIC_RELAXED);  // the same each time
  return (uintptr_t)object | NATIVE;
}

// Runs an entry that was taken out of its list.
static void run(uintptr_t entry) {
  if (!(entry & NATIVE)) {
    ((SsDeferred*)entry)->run((SsDeferred*)entry);
    return;
  }
  TVMFFIObject* object = (TVMFFIObject*)(entry - NATIVE);
  __atomic_store_n(&object->deleter, __atomic_load_n(&tied_deleter, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  ss_decref(object);  // hands itself back on this thread, unless it has got another owner
}

// The whole queue, for the calling thread. An empty one is left alone, since an exchange is a locked instruction.
static uintptr_t take_queue(void) {
  if (__atomic_load_n(&ss_deferred_head, __ATOMIC_RELAXED) == 0) return 0;
  return __atomic_exchange_n(&ss_deferred_head, 0, __ATOMIC_ACQ_REL);
}

void ss_run_deferred_slow(void) {
  SsDeferred* own = ss_deferred_own.first;
  ss_deferred_own = (SsDeferredOwn){NULL, 0};
  uintptr_t entry = take_queue();
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  while (own != NULL) {
    SsDeferred* next = (SsDeferred*)own->next;
    own->run(own);
    own = next;
  }
  while (entry != 0) {
    uintptr_t next = next_of(entry);
    count_begun();
    run(entry);
    entry = next;
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
  SsSignals before;
  ss_signals_block(&before);
  pthread_attr_t attributes;
  pthread_t thread;
  int failed = pthread_attr_init(&attributes);
  if (!failed) {
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    failed = pthread_create(&thread, &attributes, run_drainer, NULL);
    pthread_attr_destroy(&attributes);
  }
  ss_signals_restore(&before);
  if (failed) __atomic_store_n(&drainer, 0, __ATOMIC_SEQ_CST);  // the next deferred release tries again
}

// ---- deferring ----

// A release can end a Python object that ends a native object that ends a Python object, and so on. Releases nested
// deeper than this run when the outermost is done. CPython's trashcan does the same, but does not see native objects.
enum { MOST_NESTED = 50 };
static __thread int nested SS_STATIC_TLS;
static __thread uintptr_t too_deep SS_STATIC_TLS;

// Runs the entry, or takes over the native object `object` when that is not NULL.
static void run_now(uintptr_t entry, TVMFFIObject* object) {
  if (nested == MOST_NESTED) {
    if (object != NULL) entry = entry_of(object);
    if (entry == 0) return;  // never: the callers give one of the two
    set_next(entry, too_deep);
    too_deep = entry;
    return;
  }
  SsUnderGo under = ss_under_go_begin();
  nested++;
  if (object != NULL) {
    ss_word_take_over(SelfsameTieFind(ss_table, object), object);
  } else if (entry != 0) {
    run(entry);
  }
  while (nested == 1 && too_deep != 0) {
    entry = too_deep;
    too_deep = next_of(entry);
    run(entry);
  }
  nested--;
  if (SS_UNLIKELY(ss_under_go_end(&under) != 0)) PyErr_WriteUnraisable(NULL);
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

static void push(uintptr_t entry) {
  int64_t backlog = __atomic_add_fetch(&total, 1, __ATOMIC_RELAXED) - __atomic_load_n(&begun, __ATOMIC_RELAXED);
  uintptr_t head = __atomic_load_n(&ss_deferred_head, __ATOMIC_RELAXED);
  do {
    set_next(entry, head);
  } while (!__atomic_compare_exchange_n(&ss_deferred_head, &head, entry, 1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  // One pending call empties the whole stack. When CPython's table of pending calls is full, the next entry from Python
  // does. The main thread inside a call that has released the GIL runs no pending call before it is attached again, and
  // then empties the stack itself (call_safely, ss_closure_call). In a Go program the main thread runs no Python code.
  if (head == 0 && !ss_api_hosted && !ss_main_thread_released()) ask_main_thread();
  if (SS_UNLIKELY(backlog > BACKLOG || (head == 0 && ss_api_hosted))) start_drainer();
}

void ss_defer(SsDeferred* item) {
  if (ss_have_gil()) {
    run_now((uintptr_t)item, NULL);
  } else if (ss_python_alive()) {
    push((uintptr_t)item);
  }
}

// A thread that has released the GIL for a native function attaches itself when that function returns, or calls back
// before. So there is always a thread that runs what it keeps, except in a forked child: what other threads of the
// parent have kept is lost there.
enum { MOST_OWN = 64 };

void ss_defer_memory(SsDeferred* item) {
  if (SS_UNLIKELY(ss_released_state == NULL || ss_deferred_own.count == MOST_OWN)) {
    ss_defer(item);
    return;
  }
  item->next = (uintptr_t)ss_deferred_own.first;
  ss_deferred_own.first = item;
  ss_deferred_own.count++;
}

// ---- native objects that hand themselves back ----

// Threads that wait for one. The thread that gives a native object a reference again reads the number afterwards, and a
// waiting thread counts itself before it reads the object's count, so no wake-up is lost.
static int awaiting;
static pthread_mutex_t await_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t handed_back = PTHREAD_COND_INITIALIZER;

void ss_hand_back(TVMFFIObject* object) {
  if (SS_UNLIKELY(__atomic_load_n(&awaiting, __ATOMIC_SEQ_CST) != 0)) {
    pthread_mutex_lock(&await_mutex);
    pthread_cond_broadcast(&handed_back);
    pthread_mutex_unlock(&await_mutex);
  }
  if (ss_have_gil()) {
    run_now(0, object);
  } else if (ss_python_alive()) {
    push(entry_of(object));
  }
}

void ss_await_hand_back(const TVMFFIObject* object) {
  __atomic_fetch_add(&awaiting, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&await_mutex);
  while ((uint32_t)__atomic_load_n(&object->combined_ref_count, __ATOMIC_SEQ_CST) == 0) {
    pthread_cond_wait(&handed_back, &await_mutex);
  }
  pthread_mutex_unlock(&await_mutex);
  __atomic_fetch_sub(&awaiting, 1, __ATOMIC_SEQ_CST);
}

// In a forked child the thread that was about to give a native object a reference is gone: this one does it.
static void hand_back_after_fork(void) {
  awaiting = 0;
  pthread_mutex_init(&await_mutex, NULL);
  pthread_cond_init(&handed_back, NULL);
  uint32_t end = ss_table == NULL ? 0 : ss_table->record_end();
  for (uint32_t n = 1; n < end; n++) {
    const SelfsameTieRecord* record = SelfsameTieRecordAt(ss_table, n);
    if (record == NULL || record->object == NULL || !(record->wrapper & SELFSAME_TIE_HELD)) continue;
    TVMFFIObject* object = record->object;
    if (ss_strong(object) != 0) continue;
    object->combined_ref_count += SS_STRONG_ONE;
    uintptr_t entry = entry_of(object);
    set_next(entry, ss_deferred_head);  // not by push: the interpreter's locks may be those of the parent's threads
    ss_deferred_head = entry;
    begun--;
  }
}

void ss_deferred_after_fork(void) {
  drainer = 0;
  int64_t left = 0;
  for (uintptr_t entry = ss_deferred_head; entry != 0; entry = next_of(entry)) left++;
  begun = total - left;  // a thread of the parent may have counted a release and not pushed it yet
  hand_back_after_fork();
}

int64_t ss_deferred_total(void) { return __atomic_load_n(&total, __ATOMIC_RELAXED); }

int64_t ss_deferred_waiting(void) {
  int64_t before = __atomic_load_n(&begun, __ATOMIC_ACQUIRE);  // first, so that the difference is not negative
  return ss_deferred_total() - before;
}
