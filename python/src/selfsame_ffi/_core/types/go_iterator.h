// The base of selfsame_ffi.Iterator, an iterator over what a Go loop yields (go_iterator.c).
#ifndef SELFSAME_CORE_TYPES_GO_ITERATOR_H_
#define SELFSAME_CORE_TYPES_GO_ITERATOR_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsGoIterator_Type;

#endif  // SELFSAME_CORE_TYPES_GO_ITERATOR_H_
