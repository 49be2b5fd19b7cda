// Numbers lent to a Go function for the time of the call, as a DLTensor. The numbers of a buffer, such as a NumPy
// array, are lent where they lie; a list of floats or ints is packed into words. Packed numbers take half the memory of
// views, and Go reads them in one step.
//
// Why numbers are lent as a DLTensor. The ABI has it as a borrowed argument, and Go copies it in one step. A class
// written in Python may say itself how it is converted, so it is not lent; nor is a list that mixes types. []float64
// stays a copy, because a Go func may keep it. LentSlice[float64] says that it does not, and is read where it lies. A
// reference to a NumPy array keeps its memory, another object's buffer is held; the content is the caller's affair.
//
// Against PyO3 (`scripts/bench.sh --profile go "1,000"`) lists of floats or ints take 0.8 to 0.9, lent 0.4, an array
// lent 1.0 to 1.1. Not reached: 1.5 for an array that is copied, which takes 2.3 to 2.6. Go's own copy of its 8 KB (row
// "Go's own copy") is 0.8 of PyO3's whole call, and a call that copies nothing 1.0.
#ifndef SELFSAME_CORE_CONVERT_LENT_NUMBERS_H_
#define SELFSAME_CORE_CONVERT_LENT_NUMBERS_H_

#include "convert/lent_values.h"

// *out is a view of the numbers of `value`, valid until the result is released. NULL, without an error: `value` has
// other contents, or a class written in Python; or memory is short. With `writable` only the numbers or bytes of a buffer are
// lent that can be written. Runs no Python code.
SS_HIDDEN SsLent* ss_lend_numbers(PyObject* value, int writable, TVMFFIAny* out);

// Whether a value has memory of its own that ss_lend_numbers and others may ask for without running Python code: it is of a class
// written in C, and no wrapper. The class of a Python programmer may say itself how it is converted.
SS_HIDDEN int ss_has_buffer_of_c(PyObject* value);

// The data type of a format of the struct module for one number in native byte order; bits is 0 for other formats.
SS_HIDDEN DLDataType ss_format_dtype(const char* format, Py_ssize_t size);

#endif  // SELFSAME_CORE_CONVERT_LENT_NUMBERS_H_
