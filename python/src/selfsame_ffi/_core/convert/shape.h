// Shape: a tuple of ints that owns a wrapper.
//
// Why a Shape is a tuple that owns a wrapper. Users' code does `isinstance(shape, tuple)`, and a tuple varies in size,
// so it cannot have the memory of a wrapper, which is kept at one address for the next fetch. So the tuple is another
// object, which owns the wrapper and is known to it. `f(shape) is shape` holds while somebody refers to the tuple. To
// keep the tuple longer would take a cycle of Python objects for every Shape.
#ifndef SELFSAME_CORE_CONVERT_SHAPE_H_
#define SELFSAME_CORE_CONVERT_SHAPE_H_

#include "tie/core.h"

// The class that Python sees: a tuple. An instance owns the wrapper of its native object.
extern SS_HIDDEN PyTypeObject SsShape_Type;

// The class of that wrapper, which Python code does not get to see.
extern SS_HIDDEN PyTypeObject SsShapeObject_Type;

// The tuple of a native Shape, the same one as long as it lives. Takes over one strong reference to `shape`, on failure
// too. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_shape_fetch(TVMFFIObject* shape);

// The native object of a SsShape_Type instance. Borrowed.
SS_HIDDEN TVMFFIObject* ss_shape_native(PyObject* shape);

#endif  // SELFSAME_CORE_CONVERT_SHAPE_H_
