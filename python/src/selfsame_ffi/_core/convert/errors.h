// Python exceptions to native Errors and back.
#ifndef SELFSAME_CORE_CONVERT_ERRORS_H_
#define SELFSAME_CORE_CONVERT_ERRORS_H_

#include "tie/core.h"

enum { SS_MAX_CAUSES = 64 };  // of an Error or exception; the causes after that many are left out

// Whether the error that is set says that an exception class does not take its arguments, and not that there is no memory
// or that the program must end, such as KeyboardInterrupt.
static inline int ss_class_refuses(void) {
  return PyErr_ExceptionMatches(PyExc_Exception) && !PyErr_ExceptionMatches(PyExc_MemoryError);
}

// The class of the wrappers of native Errors (types/error_type.c).
extern SS_HIDDEN PyTypeObject SsError_Type;

// Takes the raised error of this thread and sets it in Python: the very exception, when it began as one, otherwise an
// exception of the class that its kind names. Call after a native function failed. Returns -1.
SS_HIDDEN int ss_raise_native(void);

// The same for functions that return a pointer. Returns NULL.
static inline void* ss_raise_native_null(void) {
  ss_raise_native();
  return NULL;
}

// Takes the error that is set in Python and makes it this thread's raised error.
SS_HIDDEN void ss_raise_to_native(void);

// A native Error that owns a reference to the exception. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_error_from_exception(PyObject* exception);

// The exception for a native Error, which is borrowed. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_exception_from_error(TVMFFIObject* error);

// Installs the dicts of register_error: kind to class and class to kind. `wrap` is called with an exception and a message,
// and returns an exception of the same class with that message, or None. `combined` is called with a kind that is several,
// separated by commas, and returns its class. 0, or -1 with TypeError set.
SS_HIDDEN int ss_errors_set_tables(PyObject* kind_to_class, PyObject* class_to_kind, PyObject* wrap,
                                   PyObject* combined);

// Both dicts, for the end of the interpreter, as tp_traverse and tp_clear.
SS_HIDDEN int ss_errors_traverse(visitproc visit, void* arg);
SS_HIDDEN void ss_errors_clear(void);

#endif  // SELFSAME_CORE_CONVERT_ERRORS_H_
