// BoundMethod: a Method with the object that it is called with, as `point.scale` gives it.
#ifndef SELFSAME_CORE_TYPES_BOUND_METHOD_H_
#define SELFSAME_CORE_TYPES_BOUND_METHOD_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsBoundMethod_Type;

// Binds a Method to an object; it takes a reference to each. Returns a new reference, NULL with an error set.
SS_HIDDEN PyObject* ss_bind_method(PyObject* method, PyObject* object);

#endif  // SELFSAME_CORE_TYPES_BOUND_METHOD_H_
