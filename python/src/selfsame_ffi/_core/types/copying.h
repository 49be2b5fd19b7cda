// Support for copies and pickles: native objects with default fields, shallow copies, and setting any field.
#ifndef SELFSAME_CORE_TYPES_COPYING_H_
#define SELFSAME_CORE_TYPES_COPYING_H_

#include "tie/core.h"

// Methods of CObject. They call the Python functions that set_copying installed (selfsame_ffi/_copy_methods.py).
SS_HIDDEN PyObject* ss_copying_reduce(PyObject* self, PyObject* unused);
SS_HIDDEN PyObject* ss_copying_reduce_ex(PyObject* self, PyObject* protocol);
SS_HIDDEN PyObject* ss_copying_copy(PyObject* self, PyObject* unused);
SS_HIDDEN PyObject* ss_copying_deepcopy(PyObject* self, PyObject* const* args, Py_ssize_t count);

// Functions of the module; see _core.pyi.
SS_HIDDEN PyObject* ss_copying_set(PyObject* module, PyObject* args);
SS_HIDDEN PyObject* ss_copying_native_type(PyObject* module, PyObject* object);
SS_HIDDEN PyObject* ss_copying_has_type_function(PyObject* module, PyObject* args);
SS_HIDDEN PyObject* ss_copying_can_make_blank(PyObject* module, PyObject* index);
SS_HIDDEN PyObject* ss_copying_blank(PyObject* module, PyObject* args);
SS_HIDDEN PyObject* ss_copying_clone(PyObject* module, PyObject* object);
SS_HIDDEN PyObject* ss_copying_rewrap(PyObject* module, PyObject* args);
SS_HIDDEN PyObject* ss_copying_restore_field(PyObject* module, PyObject* args);

#endif  // SELFSAME_CORE_TYPES_COPYING_H_
