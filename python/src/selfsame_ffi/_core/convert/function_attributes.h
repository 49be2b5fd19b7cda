// Attributes of Functions: f.name = value.
//
// A Function is lean until it is given an attribute. From then on its wrapper is stateful: it is held while native code
// owns the Function, so that the attribute is there again when the Function is fetched.
//
// Why a Function is lean until it has an attribute. Code for the published package sets attributes of Functions, and
// they must be there at the next fetch. As a stateful class, each Function that Python has seen would be held for as
// long as native code owns it, and most never get an attribute. So the wrapper has a pointer to a dict, and becomes
// stateful when the dict is made.
#ifndef SELFSAME_CORE_CONVERT_FUNCTION_ATTRIBUTES_H_
#define SELFSAME_CORE_CONVERT_FUNCTION_ATTRIBUTES_H_

#include "tie/core.h"

// The type slots of Function that know its dict.
SS_HIDDEN int ss_function_setattro(PyObject* self, PyObject* name, PyObject* value);
SS_HIDDEN PyObject* ss_function_get_dict(PyObject* self, void* closure);
SS_HIDDEN int ss_function_set_dict(PyObject* self, PyObject* value, void* closure);
SS_HIDDEN int ss_function_traverse(PyObject* self, visitproc visit, void* arg);
SS_HIDDEN int ss_function_clear(PyObject* self);
SS_HIDDEN PyObject* ss_function_repr(PyObject* self);
SS_HIDDEN void ss_function_dealloc(PyObject* self);

// Gives Function its finalizer, once the type is ready. CPython would give a type that has one from the start a method
// __del__, which subclasses inherit.
SS_HIDDEN void ss_function_attributes_init(void);

#endif  // SELFSAME_CORE_CONVERT_FUNCTION_ATTRIBUTES_H_
