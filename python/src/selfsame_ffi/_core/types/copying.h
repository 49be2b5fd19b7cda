// What copying.c knows of an object before it copies it (copying_state.c), and the copies that Python has no part in
// (copying_natively.c).
#ifndef SELFSAME_CORE_TYPES_COPYING_H_
#define SELFSAME_CORE_TYPES_COPYING_H_

#include "tie/core.h"

// Whether a class has another attribute of a name than a base of it; no error is set. *name: the name as a str, made at
// the first call.
SS_HIDDEN int ss_copying_has_other(PyTypeObject* cls, PyTypeObject* base, const char* text, PyObject** name);

// Whether the class says itself how an object is reduced.
SS_HIDDEN int ss_copying_is_reduced_by_class(PyTypeObject* cls);

// Whether a wrapper may have state of Python's own, and the same by a closer look.
SS_HIDDEN int ss_copying_may_have_state(PyObject* self);
SS_HIDDEN int ss_copying_has_state(PyObject* self);

// Whether objects of a type are copied by __ffi_shallow_copy__ alone.
SS_HIDDEN int ss_copying_is_cloned(int32_t type_index);

// note_cloned(type_index, deeply) of the module.
SS_HIDDEN PyObject* ss_copying_note_cloned(PyObject* module, PyObject* args);

// The deep copy of a wrapper's native object that the runtime makes. New reference, NULL with an error set; None when
// Python has to make it: something in it is of a class with ideas of its own, has Python state, or is no data. `memo` is
// that of copy.deepcopy, or NULL.
SS_HIDDEN PyObject* ss_copying_natively(PyObject* self, PyObject* memo);

#endif  // SELFSAME_CORE_TYPES_COPYING_H_
