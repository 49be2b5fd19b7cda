// Array, the immutable sequence: the base class in C of selfsame_ffi.Array.
#ifndef SELFSAME_PY_ARRAY_H_
#define SELFSAME_PY_ARRAY_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsArray_Type;

#endif  // SELFSAME_PY_ARRAY_H_
