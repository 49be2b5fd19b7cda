// Thread states of native threads.
#include "tie/attach.h"

#include "tie/api.h"
#include "tie/first_thread.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

int ss_alive;
static int started;  // ss_python_set_alive(1) was called

__thread PyThreadState* ss_released_state SS_STATIC_TLS;

// Threads other than the main one that ss_attachment_begin attached. Once the interpreter shuts down, CPython ends a
// thread that asks for the GIL by unwinding its stack, and C++ frames on that stack turn the unwinding into an abort.
// So ss_attach_stop waits for these threads and lets no others in.
static int attached;
static PyThreadState* main_state;
static PyThreadState* stopping;  // that of the thread that shuts the interpreter down; NULL before

// CPython before 3.13 does not hold the lock of its list of threads across fork, and the free-threaded 3.14 and 3.15
// not that of the numbers of their threads. When another thread of the parent is making a thread state, the child waits
// for that lock forever. So states are made under this mutex, and the thread that forks holds it across the fork.
// make_state does not wait for the GIL with the mutex; the thread that forks does. Without it 4 of 1,000 children
// under load hang (make forks).
static pthread_mutex_t making_state = PTHREAD_MUTEX_INITIALIZER;

#if PY_VERSION_HEX >= 0x030D0000
#define CURRENT_STATE PyThreadState_GetUnchecked
#else
#define CURRENT_STATE _PyThreadState_UncheckedGet
#endif

// ---- whether this thread is attached ----

void ss_python_set_alive(int value) {
  if (value) __atomic_store_n(&started, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&ss_alive, value, __ATOMIC_SEQ_CST);
}

// PyGILState_Check does not serve: it answers 1 on every thread once the process has made a sub-interpreter. During the
// interpreter's shutdown the thread that runs it is attached; after it no thread has a thread state.
int ss_have_gil(void) {
  if (!__atomic_load_n(&started, __ATOMIC_RELAXED)) return 0;
  PyThreadState* state = CURRENT_STATE();
  if (state == NULL) return 0;
#if PY_VERSION_HEX < 0x030C0000
  return state == PyGILState_GetThisThreadState();  // CURRENT_STATE is that of the thread that holds the GIL
#else
  return PyThreadState_GetInterpreter(state) == PyInterpreterState_Main();  // a sub-interpreter may have its own GIL
#endif
}

// ---- attaching and detaching ----

#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000
// PyThreadState_New of 3.11 crashes when there is no memory. These are its two halves; CPython exports both.
PyAPI_FUNC(void) _PyThreadState_SetCurrent(PyThreadState* state);
static PyThreadState* new_state(PyInterpreterState* interpreter) {
  PyThreadState* made = _PyThreadState_Prealloc(interpreter);
  if (made != NULL) _PyThreadState_SetCurrent(made);  // makes it this thread's state without attaching the thread
  return made;
}
#else
#define new_state PyThreadState_New
#endif

// Makes a state for this thread, which must have none, without attaching it. PyGILState_Release deletes the state. NULL
// without memory; sets no error.
static PyThreadState* make_state(void) {
  pthread_mutex_lock(&making_state);
  PyThreadState* made = new_state(PyInterpreterState_Main());
  pthread_mutex_unlock(&making_state);
  return made;
}

// PyGILState_Ensure that fails without memory, where CPython's ends the process. 0, or -1; sets no error.
static int ensure(PyGILState_STATE* before) {
  if (PyGILState_GetThisThreadState() != NULL) {
    *before = PyGILState_Ensure();  // attaches the existing state
    return 0;
  }
  PyThreadState* made = make_state();
  if (made == NULL) return -1;
  PyEval_RestoreThread(made);
  *before = PyGILState_UNLOCKED;  // the state's count is 1, so the matching PyGILState_Release deletes it
  return 0;
}

PyGILState_STATE ss_gilstate_ensure(void) {
  PyGILState_STATE before;
  return ensure(&before) == 0 ? before : PyGILState_Ensure();  // cannot report a failure: ends the process
}

// ---- the signals of Go's threads ----

// A thread of Go's blocks all signals but those of its runtime (internal/guest). Processes and threads that Python code
// starts there would inherit that, and could not be ended by a signal. So Python code runs there with the mask of the thread
// that imported the package.
#ifdef __linux__
static sigset_t hosts;

static int is_blocked_by_go(const sigset_t* mask) {
  static const int others[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (!sigismember(mask, others[i])) return 0;
  }
  return !sigismember(mask, SIGURG);  // which no other code leaves out
}

// Returns the signals that a thread of Go's blocks, 0 on another thread. is_of_go: the thread is known to be one.
static uint64_t take_mask_of_host(int is_of_go) {
  sigset_t own;
  uint64_t blocked = 0;
  if (!is_of_go && (pthread_sigmask(SIG_SETMASK, NULL, &own) != 0 || !is_blocked_by_go(&own))) return 0;
  pthread_sigmask(SIG_SETMASK, &hosts, &own);
  memcpy(&blocked, &own, sizeof blocked);
  return blocked;
}

static void give_mask_back(uint64_t blocked) {
  sigset_t own;
  if (blocked == 0) return;
  sigemptyset(&own);
  memcpy(&own, &blocked, sizeof blocked);
  pthread_sigmask(SIG_SETMASK, &own, NULL);
}

static void keep_mask_of_host(void) { pthread_sigmask(SIG_SETMASK, NULL, &hosts); }
#else
static uint64_t take_mask_of_host(int is_of_go) { return (void)is_of_go, 0; }
static void give_mask_back(uint64_t blocked) { (void)blocked; }
static void keep_mask_of_host(void) {}
#endif

// ---- kept states ----

// Threads of Go's call Python again and again, and a state for each call would take ten times as long as the call. So a
// thread keeps the state of its first call until it ends. It waits for the GIL then, which a thread of Go's may, as nobody
// waits for its end; one of C++ code may be joined by a thread that holds the GIL.
//
// In a Go program that made the interpreter the state keeps context variables and thread-local values too. In a process of
// Python's a call on any goroutine begins with none, whatever ran on the thread before. There a thread of Go's is known by
// its signals, which those of a library that starts programs do not block: their states go. So do they in a free-threaded
// interpreter, which keeps what a thread made until that thread runs again.
static __thread PyThreadState* kept SS_STATIC_TLS;
static __thread int is_in_call SS_STATIC_TLS;  // with the kept state and an empty context
static pthread_key_t kept_key;                 // its destructor ends the state
static pthread_once_t kept_once = PTHREAD_ONCE_INIT;

// Begins a call with no context variables. New reference; NULL without memory, when the call sees those of the last one, and
// within another call.
static PyObject* enter_empty_context(void) {
  if (is_in_call) return NULL;
  PyObject* context = PyContext_New();
  if (context != NULL && PyContext_Enter(context) != 0) Py_CLEAR(context);
  if (context == NULL) PyErr_Clear();
  is_in_call = context != NULL;
  return context;
}

// Ends every threading.local of this thread, as the end of its state would.
static void clear_locals(PyThreadState* state) {
#if PY_VERSION_HEX >= 0x030D0000
  Py_CLEAR(state->threading_local_key);
  Py_CLEAR(state->threading_local_sentinel);
#else
  if (state->dict == NULL || PyDict_GET_SIZE(state->dict) == 0) return;
  PyObject* keys = PyDict_Keys(state->dict);  // asyncio's entry stays: asyncio has its address
  for (Py_ssize_t i = 0; keys != NULL && i < PyList_GET_SIZE(keys); i++) {
    PyObject* key = PyList_GET_ITEM(keys, i);
    const char* name = PyUnicode_Check(key) ? PyUnicode_AsUTF8(key) : NULL;
    if (name != NULL && strncmp(name, "thread.local.", 13) == 0 && PyDict_DelItem(state->dict, key) != 0) break;
  }
  Py_XDECREF(keys);
  PyErr_Clear();
#endif
}

static void leave_context(PyObject* context) {
  if (context == NULL) return;
  is_in_call = 0;
  if (PyContext_Exit(context) != 0) PyErr_Clear();
  Py_DECREF(context);
  clear_locals(kept);
}

static void clear_kept(void) {
  PyThreadState_Clear(kept);
  kept = NULL;
}

static void end_kept(void* state) {
  kept = state;
  SsAttachment attachment;
  ss_attachment_begin_slow(&attachment);
  if (attachment.how != SS_ATTACH_KEPT) return;  // the interpreter is gone, and its states with it
  leave_context(attachment.context);
  clear_kept();
  PyThreadState_DeleteCurrent();
  give_mask_back(attachment.blocked);
  __atomic_fetch_sub(&attached, 1, __ATOMIC_SEQ_CST);
}

static void make_kept_key(void) { pthread_key_create(&kept_key, end_kept); }

// Attaches this thread, which has no state or keeps one. 0, or -1 without memory; sets no error.
static int attach_kept(void) {
  PyThreadState* made = kept == NULL ? make_state() : kept;
  if (made == NULL) return -1;
  PyEval_RestoreThread(made);
  if (kept == NULL) {
    kept = made;
    pthread_once(&kept_once, make_kept_key);
    pthread_setspecific(kept_key, made);
  }
  return 0;
}

// Whether a thread keeps its state, which has none yet, or one of its own.
static int keeps_state(int is_of_go) {
  return kept != NULL ||
         ((ss_api_hosted || (is_of_go && !SS_FREE_THREADED)) && PyGILState_GetThisThreadState() == NULL);
}

// ---- beginning and ending an attachment ----

// Counts this thread among the attached ones, unless it is the main thread. 0 when the interpreter shuts down.
static int count_in(SsAttachment* attachment, const PyThreadState* own) {
  if (own != NULL && own == main_state) return 1;
  __atomic_fetch_add(&attached, 1, __ATOMIC_SEQ_CST);
  attachment->counted = 1;
  if (ss_python_alive()) return 1;  // checked after the count: ss_attach_stop changes the flag and then reads the count
  __atomic_fetch_sub(&attached, 1, __ATOMIC_SEQ_CST);
  return 0;
}

void ss_attachment_begin_slow(SsAttachment* attachment) {
  *attachment = (SsAttachment){.how = SS_ATTACH_REFUSED};
  PyThreadState* own = ss_released_state;
  // Finalizers of Python objects call native functions as before, on the thread that ends the interpreter.
  int ends = own != NULL && own == __atomic_load_n(&stopping, __ATOMIC_SEQ_CST);
  if (!ends && (!ss_python_alive() || !count_in(attachment, own))) return;
  if (own != NULL) {  // Python called native code on this thread: it gets its own state back
    attachment->how = SS_ATTACH_RESTORED;
    attachment->restored = own;
    ss_released_state = NULL;
    PyEval_RestoreThread(own);
  } else {
    if (!ss_api_hosted) attachment->blocked = take_mask_of_host(kept != NULL);
    if (keeps_state(attachment->blocked != 0)) {
      attachment->how = attach_kept() == 0 ? SS_ATTACH_KEPT : SS_ATTACH_NO_MEMORY;
      if (attachment->how == SS_ATTACH_KEPT && !ss_api_hosted) attachment->context = enter_empty_context();
    } else {
      attachment->how = ensure(&attachment->ensured) == 0 ? SS_ATTACH_ENSURED : SS_ATTACH_NO_MEMORY;
    }
  }
  if (attachment->how == SS_ATTACH_NO_MEMORY) {
    give_mask_back(attachment->blocked);
    if (attachment->counted) __atomic_fetch_sub(&attached, 1, __ATOMIC_SEQ_CST);
  }
}

void ss_attachment_end_slow(SsAttachment* attachment) {
  if (attachment->how == SS_ATTACH_RESTORED) {
    PyEval_SaveThread();
    ss_released_state = attachment->restored;
  } else if (attachment->how == SS_ATTACH_KEPT) {
    leave_context(attachment->context);
    PyEval_SaveThread();
  } else if (attachment->how == SS_ATTACH_ENSURED) {
    PyGILState_Release(attachment->ensured);
  }
  give_mask_back(attachment->blocked);
  if (attachment->counted) __atomic_fetch_sub(&attached, 1, __ATOMIC_SEQ_CST);
}

int ss_main_thread_released(void) { return ss_released_state != NULL && ss_released_state == main_state; }

void ss_run_attached(void (*work)(void)) {
  SsAttachment attachment;
  ss_attachment_begin(&attachment);
  if (attachment.how == SS_ATTACH_REFUSED || attachment.how == SS_ATTACH_NO_MEMORY) return;
  work();
  ss_attachment_end(&attachment);
}

// ---- start, end and fork ----

// When a thread other than the main one imports the module, main_state stays NULL, and the main thread is counted too.
void ss_attach_start(void) {
  main_state = ss_on_first_thread() ? PyThreadState_Get() : NULL;
  keep_mask_of_host();
}

void ss_attach_halt(void) {
  PyThreadState* shuts_down = __atomic_load_n(&stopping, __ATOMIC_SEQ_CST);
  if (shuts_down == NULL || PyThreadState_Get() == shuts_down) return;
  PyEval_SaveThread();
  for (;;) usleep(1000000);
}

void ss_attach_stop(void) {
  __atomic_store_n(&stopping, PyThreadState_Get(), __ATOMIC_SEQ_CST);
  ss_python_set_alive(0);
  if (__atomic_load_n(&attached, __ATOMIC_SEQ_CST) == 0) return;
  Py_BEGIN_ALLOW_THREADS
      // A callback that does not end delays the exit by a second at most.
      for (int i = 0; i < 1000 && __atomic_load_n(&attached, __ATOMIC_SEQ_CST) > 0; i++) usleep(1000);
  Py_END_ALLOW_THREADS
}

// Run by os.register_at_fork. pthread_atfork does not serve: CPython 3.13 and later hold the lock of their list of
// threads, which make_state waits for, when they call fork. The GIL is released during the wait, because another thread
// that is about to fork may hold the mutex and wait for the GIL; a free-threaded interpreter must be able to stop this
// thread.
void ss_attach_before_fork(void) {
  Py_BEGIN_ALLOW_THREADS;
  pthread_mutex_lock(&making_state);
  Py_END_ALLOW_THREADS;
}

void ss_attach_after_fork_in_parent(void) { pthread_mutex_unlock(&making_state); }

void ss_attach_after_fork(void) {
  attached = 0;
  pthread_mutex_init(&making_state, NULL);
}
