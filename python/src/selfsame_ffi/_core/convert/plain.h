// Python's own containers for native ones.
#ifndef SELFSAME_PY_PLAIN_H_
#define SELFSAME_PY_PLAIN_H_

#include "tie/core.h"

// Function of the module: plain(value, other). A copy of an Array or Map, given its wrapper, as a list or dict all the
// way down; text and bytes in it become exact str and bytes. `other` is called with a List or Dict in it, whose
// elements may change during the copy, and returns its copy. Any other value is returned as it is.
SS_HIDDEN PyObject* ss_plain(PyObject* module, PyObject* const* args, Py_ssize_t count);

// Function of the module: function_of_builtin(name). A Function that returns a new list or dict in an opaque object.
// "list" makes it of its arguments, "dict" of keys and values in turn. "ints" and "floats" make it of int64 or double
// numbers: their arguments are an address (an opaque pointer), which they borrow, and how many numbers lie there. Go
// makes the results of functions with Python's containers by them, without native containers.
SS_HIDDEN PyObject* ss_function_of_builtin(PyObject* module, PyObject* name);

#endif  // SELFSAME_PY_PLAIN_H_
