// Numbers lent to a Go function for the time of the call, as a DLTensor. Those of a buffer, such as a NumPy array, are lent where
// they lie; those of a list of floats or ints are packed into words. Packed numbers take half the memory of views, and Go
// reads them in one step.
#ifndef SELFSAME_PY_LENT_NUMBERS_H_
#define SELFSAME_PY_LENT_NUMBERS_H_

#include "convert/lent_values.h"

// *out is a view of the numbers of `value`, valid until the result is released. NULL, without an error: `value` has
// other contents, or a class written in Python; or memory is short. Runs no Python code.
SS_HIDDEN SsLent* ss_lend_numbers(PyObject* value, TVMFFIAny* out);

// Whether a value has memory of its own that ss_lend_numbers and others may ask for without running Python code: it is of a class
// written in C, and no wrapper. The class of a Python programmer may say itself how it is converted.
SS_HIDDEN int ss_has_buffer_of_c(PyObject* value);

// The data type of a format of the struct module for one number in native byte order; bits is 0 for other formats.
SS_HIDDEN DLDataType ss_format_dtype(const char* format, Py_ssize_t size);

#endif  // SELFSAME_PY_LENT_NUMBERS_H_
