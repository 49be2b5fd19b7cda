// Shape: a tuple of ints that owns a wrapper. RATIONALE.md, "Why a Shape is a tuple that owns a wrapper".
#ifndef SELFSAME_PY_SHAPE_H_
#define SELFSAME_PY_SHAPE_H_

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

#endif  // SELFSAME_PY_SHAPE_H_
