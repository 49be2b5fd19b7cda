// Numbers lent to a Go function for the time of the call, as a DLTensor of one dimension. Those of a buffer, such as a
// NumPy array, are lent where they lie; those of a list of floats or ints are packed into words. Packed numbers take
// half the memory of views, and Go reads them in one step.
#ifndef SELFSAME_PY_LENT_NUMBERS_H_
#define SELFSAME_PY_LENT_NUMBERS_H_

#include "convert/lent_values.h"

// *out is a view of the numbers of `value`, valid until the result is released. NULL, without an error: `value` has
// other contents, more than one dimension, or a class written in Python; or memory is short. Runs no Python code.
SS_HIDDEN SsLent* ss_lend_numbers(PyObject* value, TVMFFIAny* out);

// The data type of a format of the struct module for one number in native byte order; bits is 0 for other formats.
SS_HIDDEN DLDataType ss_format_dtype(const char* format, Py_ssize_t size);

#endif  // SELFSAME_PY_LENT_NUMBERS_H_
