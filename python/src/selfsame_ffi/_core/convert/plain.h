// Python's own containers for native ones.
#ifndef SELFSAME_CORE_CONVERT_PLAIN_H_
#define SELFSAME_CORE_CONVERT_PLAIN_H_

#include "tie/core.h"

// Function of the module: plain(value, other). A copy of an Array or Map, given its wrapper, as a list or dict all the
// way down; text and bytes in it become exact str and bytes. `other` is called with a List or Dict in it, whose
// elements may change during the copy, and returns its copy. Any other value is returned as it is.
SS_HIDDEN PyObject* ss_plain(PyObject* module, PyObject* const* args, Py_ssize_t count);

// Why a list or dict of Python's own is made from views of the Go values. For a result of a func with Plain(), a native
// Map would be a hash table that is read once. So Go calls a Function of the Python package with a view of each value,
// in one crossing, or with the address of the elements of an int64 or float64 slice. Nested values and those that need
// a conversion become containers first. The views lie in memory that is used again, since new memory makes Go's
// collector run. Against PyO3 a dict of 100 in and out takes 1.3 to 1.4 times as long, a list of 1,000 ints out 1.5,
// and 1.2 when Go keeps the slice (`make bench`), so most of the rest is Go's memory.

// Function of the module: function_of_builtin(name). A Function that returns a new list or dict in an opaque object.
// "list" makes it of its arguments, "dict" of keys and values in turn. "ints" and "floats" make it of int64 or double
// numbers: their arguments are an address (an opaque pointer), which they borrow, and how many numbers lie there. Go
// makes the results of functions with Python's containers by them, without native containers.
SS_HIDDEN PyObject* ss_function_of_builtin(PyObject* module, PyObject* name);

#endif  // SELFSAME_CORE_CONVERT_PLAIN_H_
