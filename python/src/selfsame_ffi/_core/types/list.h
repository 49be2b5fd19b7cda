// List, the mutable sequence: the base class in C of selfsame_ffi.List.
#ifndef SELFSAME_CORE_TYPES_LIST_H_
#define SELFSAME_CORE_TYPES_LIST_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsList_Type;

#endif  // SELFSAME_CORE_TYPES_LIST_H_
