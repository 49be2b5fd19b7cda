// Array, the immutable sequence: the base class in C of selfsame_ffi.Array.
#ifndef SELFSAME_CORE_TYPES_ARRAY_H_
#define SELFSAME_CORE_TYPES_ARRAY_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsArray_Type;

#endif  // SELFSAME_CORE_TYPES_ARRAY_H_
