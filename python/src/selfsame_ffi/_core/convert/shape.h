// Shape: a tuple of ints with a native object behind it.
#ifndef SELFSAME_PY_SHAPE_H_
#define SELFSAME_PY_SHAPE_H_

#include "tie/core.h"

// What Python sees: a tuple. It owns the wrapper of its native object (a SsShapeObject).
extern SS_HIDDEN PyTypeObject SsShape_Type;

// The wrapper of the native object. Python does not meet it: it stands behind the tuple.
extern SS_HIDDEN PyTypeObject SsShapeObject_Type;

// The tuple of a native Shape, the same one as long as somebody holds it. Takes over one strong reference to `shape`,
// on failure too. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_shape_fetch(TVMFFIObject* shape);

// The native object of a SsShape_Type instance. Borrowed.
SS_HIDDEN TVMFFIObject* ss_shape_native(PyObject* shape);

#endif  // SELFSAME_PY_SHAPE_H_
