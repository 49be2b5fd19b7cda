// Python's own containers for native ones.
#ifndef SELFSAME_PY_PLAIN_H_
#define SELFSAME_PY_PLAIN_H_

#include "tie/core.h"

// Function of the module: plain(value, other). A copy of an Array or Map, given its wrapper, as a list or dict all the
// way down; text and bytes in it become exact str and bytes. `other` is called with a List or Dict in it, whose
// elements may change during the copy, and returns its copy. Any other value is returned as it is.
SS_HIDDEN PyObject* ss_plain(PyObject* module, PyObject* const* args, Py_ssize_t count);

// Functions of the module: opaque_list(*items) and opaque_dict(*keys_and_values). The wrapper of a new opaque object that
// owns a new list, or a new dict of keys and values in turn. Go makes the results of functions with Python's containers
// by them, without native containers.
SS_HIDDEN PyObject* ss_opaque_list(PyObject* module, PyObject* const* args, Py_ssize_t count);
SS_HIDDEN PyObject* ss_opaque_dict(PyObject* module, PyObject* const* args, Py_ssize_t count);

#endif  // SELFSAME_PY_PLAIN_H_
