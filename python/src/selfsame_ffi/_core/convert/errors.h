// Exceptions both ways, and the wrapper class of native errors.
#ifndef SELFSAME_PY_ERRORS_H_
#define SELFSAME_PY_ERRORS_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsError_Type;

// Takes the native error of this thread and raises it in Python: the exception that caused it, when it began in
// Python, else one of the class its kind names. Always returns -1.
SS_HIDDEN int ss_raise_native(void);

// Takes the Python error that is set and leaves it as this thread's native error.
SS_HIDDEN void ss_raise_to_native(void);

// A native Error for an exception, which it keeps. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_error_from_exception(PyObject* exception);

// The exception for a native error, which the caller keeps. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_exception_from_error(TVMFFIObject* error);

// The dicts of register_error: kind to class, class to kind.
SS_HIDDEN int ss_errors_set_tables(PyObject* kind_to_class, PyObject* class_to_kind);

#endif  // SELFSAME_PY_ERRORS_H_
