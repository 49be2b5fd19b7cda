// Whether the caller is the process's first thread. Any thread.
#ifndef SELFSAME_CORE_TIE_FIRST_THREAD_H_
#define SELFSAME_CORE_TIE_FIRST_THREAD_H_

#if defined(_WIN32)

#include <windows.h>

#include "tie/core.h"

// Windows numbers no thread as the first. CPython's threading notes the thread that imported it, which is the first one
// but in embedded interpreters. The caller must hold the GIL; sets no error.
static inline int ss_on_first_thread(void) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject* threading = PyImport_ImportModule("threading");
  PyObject* main_thread = threading == NULL ? NULL : PyObject_CallMethod(threading, "main_thread", NULL);
  PyObject* number = main_thread == NULL ? NULL : PyObject_GetAttrString(main_thread, "ident");
  int first = number != NULL && PyLong_AsUnsignedLong(number) == GetCurrentThreadId();
  Py_XDECREF(number);
  Py_XDECREF(main_thread);
  Py_XDECREF(threading);
  PyErr_Restore(type, value, traceback);
  return first;
}

#elif defined(__APPLE__)

#include <pthread.h>

static inline int ss_on_first_thread(void) { return pthread_main_np(); }

#else

#include <sys/syscall.h>
#include <unistd.h>

static inline int ss_on_first_thread(void) { return syscall(SYS_gettid) == getpid(); }

#endif

#endif  // SELFSAME_CORE_TIE_FIRST_THREAD_H_
