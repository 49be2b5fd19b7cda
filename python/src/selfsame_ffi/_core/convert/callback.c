// Python callables as native functions: called on any thread, with or without the GIL.
#include "convert/callback.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "convert/convert.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "tie/python_owner.h"
#include "convert/to_python.h"

// A Function object of our own making.
typedef struct {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
  SsOwned callable;  // its object is NULL once the collector has broken a cycle through it
} Closure;

// Callbacks under way on other threads than the main one. From the start of its shutdown on, CPython ends a thread that
// asks for the GIL, by unwinding its stack, and C++ frames on it turn that into an abort. So shutdown
// waits until these callbacks are through, and no new ones begin.
static int under_way;
static PyThreadState* main_state;

// How the GIL was got, so that it can be given back the same way.
typedef struct {
  enum { REFUSED, NO_MEMORY, HAD_IT, RESTORED, ENSURED } how;
  int counted;
  PyThreadState* restored;
  PyGILState_STATE ensured;
} Lock;

// CPython before 3.13 forgets to hold the lock of its list of threads across fork: a child whose parent was making a
// thread state on another thread waits for that lock for good. So states are made under a mutex that fork holds too.
// Nobody waits for the GIL with it.
static pthread_mutex_t making_state = PTHREAD_MUTEX_INITIALIZER;

// By os.register_at_fork, not by pthread_atfork: later versions hold their own lock by the time fork is called, which
// who makes a state waits for. A free-threaded interpreter is such a version. The GIL is released, because
// another thread may be about to fork.
void ss_callbacks_before_fork(void) {
  if (SS_FREE_THREADED) return;
  Py_BEGIN_ALLOW_THREADS;
  pthread_mutex_lock(&making_state);
  Py_END_ALLOW_THREADS;
}
void ss_callbacks_after_fork_in_parent(void) {
  if (!SS_FREE_THREADED) pthread_mutex_unlock(&making_state);
}

#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000
// There PyThreadState_New crashes when there is no memory. These are its two halves; CPython exports both.
PyAPI_FUNC(void) _PyThreadState_SetCurrent(PyThreadState* state);
static PyThreadState* new_state(PyInterpreterState* interpreter) {
  PyThreadState* made = _PyThreadState_Prealloc(interpreter);
  if (made != NULL) _PyThreadState_SetCurrent(made);  // makes it this thread's own, and does not attach it
  return made;
}
#else
#define new_state PyThreadState_New
#endif

// A state for this thread, which has none; PyGILState_Release deletes it. Does not attach it. NULL, and no error,
// without memory.
static PyThreadState* make_state(void) {
  pthread_mutex_lock(&making_state);
  PyThreadState* made = new_state(PyInterpreterState_Main());
  pthread_mutex_unlock(&making_state);
  return made;
}

// PyGILState_Ensure has no way to fail: without memory it ends the process. 0, or -1 and no error.
static int ensure(PyGILState_STATE* before) {
  if (PyGILState_GetThisThreadState() != NULL) {
    *before = PyGILState_Ensure();  // attaches the state that is there
    return 0;
  }
  PyThreadState* made = make_state();
  if (made == NULL) return -1;
  PyEval_RestoreThread(made);
  *before = PyGILState_UNLOCKED;  // its count is 1, so the matching PyGILState_Release deletes it
  return 0;
}

PyGILState_STATE ss_gilstate_ensure(void) {
  PyGILState_STATE before;
  return ensure(&before) == 0 ? before : PyGILState_Ensure();  // its callers know no failure either: the process ends
}

static Lock lock_take(void) {
  Lock lock = {.how = REFUSED};
  if (!ss_python_alive()) return lock;
  lock.how = HAD_IT;
  if (ss_have_gil()) return lock;
  PyThreadState* own = ss_released_state;
  if (own == NULL || own != main_state) {
    __atomic_fetch_add(&under_way, 1, __ATOMIC_SEQ_CST);
    lock.counted = 1;
    if (!ss_python_alive()) {  // it began in between
      __atomic_fetch_sub(&under_way, 1, __ATOMIC_SEQ_CST);
      lock.how = REFUSED;
      return lock;
    }
  }
  if (own != NULL) {  // this thread called out of Python through us: its own state comes back
    lock.how = RESTORED;
    lock.restored = own;
    ss_released_state = NULL;
    PyEval_RestoreThread(own);
  } else {
    lock.how = ensure(&lock.ensured) == 0 ? ENSURED : NO_MEMORY;
    if (lock.how == NO_MEMORY && lock.counted) __atomic_fetch_sub(&under_way, 1, __ATOMIC_SEQ_CST);
  }
  return lock;
}

static void lock_give(Lock* lock) {
  if (lock->how == RESTORED) {
    PyEval_SaveThread();
    ss_released_state = lock->restored;
  } else if (lock->how == ENSURED) {
    PyGILState_Release(lock->ensured);
  }
  if (lock->counted) __atomic_fetch_sub(&under_way, 1, __ATOMIC_SEQ_CST);
}

void ss_run_attached(void (*work)(void)) {
  Lock lock = lock_take();
  if (lock.how == REFUSED || lock.how == NO_MEMORY) return;
  work();
  lock_give(&lock);
}

// Not known when the module is imported on another thread: then that thread's callbacks count like all others.
void ss_callbacks_start(void) { main_state = syscall(SYS_gettid) == getpid() ? PyThreadState_Get() : NULL; }

void ss_callbacks_stop(void) {
  ss_python_set_alive(0);
  Py_BEGIN_ALLOW_THREADS
      // A callback that does not end holds the exit up for a second, no longer.
      for (int i = 0; i < 1000 && __atomic_load_n(&under_way, __ATOMIC_SEQ_CST) > 0; i++) usleep(1000);
  Py_END_ALLOW_THREADS
}

void ss_callbacks_after_fork(void) {
  under_way = 0;
  pthread_mutex_init(&making_state, NULL);
}

enum { ARGS_ON_STACK = 8 };

// Calls and converts the result; the error stays set in Python.
static int call_python(PyObject* callable, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  PyObject* stack[ARGS_ON_STACK + 1];
  PyObject** values = stack;
  if (count > ARGS_ON_STACK) {
    values = PyMem_Malloc(((size_t)count + 1) * sizeof(PyObject*));
    if (values == NULL) {
      PyErr_NoMemory();
      return -1;
    }
  }
  values[0] = NULL;  // room for PY_VECTORCALL_ARGUMENTS_OFFSET
  int rc = -1;
  int32_t done = 0;
  while (done < count && (values[done + 1] = ss_value_from_view(&args[done])) != NULL) done++;
  if (done == count) {
    PyObject* answer = PyObject_Vectorcall(callable, values + 1, (size_t)count | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    if (answer != NULL) {
      rc = ss_to_owned(answer, result);
      if (rc != 0) ss_prefix_error("the result of a callback: ");
      Py_DECREF(answer);
    }
  } else {
    ss_prefix_error("argument %d of a callback: ", (int)done);
  }
  while (done > 0) Py_DECREF(values[done--]);
  if (values != stack) PyMem_Free(values);
  return rc;
}

int ss_closure_call(void* handle, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  Closure* closure = handle;
  if (count < 0 || (count > 0 && args == NULL)) {
    ss_api.TVMFFIErrorSetRaisedFromCStr("ValueError", "a Python callback was called with a bad argument list");
    return -1;
  }
  Lock lock = lock_take();
  if (lock.how == REFUSED) {
    ss_api.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the Python interpreter is shutting down");
    return -1;
  }
  if (lock.how == NO_MEMORY) {
    ss_api.TVMFFIErrorSetRaisedFromCStr("MemoryError",
                                        "no memory for a Python thread state, on a thread of native code");
    return -1;
  }
  PyObject *type = NULL, *value = NULL, *traceback = NULL;
  if (lock.how == HAD_IT) PyErr_Fetch(&type, &value, &traceback);  // e.g. called by a destructor under an error
  PyObject* callable = closure->callable.object == NULL ? Py_None : closure->callable.object;
  Py_INCREF(callable);  // the call may release the last reference to the closure
  int rc = call_python(callable, args, count, result);
  if (rc != 0) ss_raise_to_native();
  Py_DECREF(callable);
  if (lock.how == HAD_IT) PyErr_Restore(type, value, traceback);
  lock_give(&lock);
  return rc;
}

static void closure_delete(void* self, int flags) { ss_owned_delete(self, &((Closure*)self)->callable, flags); }

TVMFFIObject* ss_function_from_callable(PyObject* callable) {
  TVMFFIObjectHandle object = NULL;
  if (ss_api.SelfsameObjectAlloc(sizeof(Closure), _Alignof(Closure), kTVMFFIFunction, closure_delete, &object) != 0) {
    ss_raise_native();
    return NULL;
  }
  Closure* closure = object;
  closure->cell.safe_call = ss_closure_call;
  closure->cell.cpp_call = NULL;
  Py_INCREF(callable);
  closure->callable = (SsOwned){.object = callable};
  return object;
}

PyObject** ss_callable_of(TVMFFIObject* object) {
  if (object->type_index != kTVMFFIFunction || SS_CELL(TVMFFIFunctionCell, object)->safe_call != ss_closure_call) {
    return NULL;
  }
  return &((Closure*)object)->callable.object;
}
