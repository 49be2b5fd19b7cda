// Numbers in memory of Go: the base class in C of selfsame_ffi.GoNumbers.
#ifndef SELFSAME_CORE_TYPES_NUMBERS_H_
#define SELFSAME_CORE_TYPES_NUMBERS_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsNumbers_Type;

#endif  // SELFSAME_CORE_TYPES_NUMBERS_H_
