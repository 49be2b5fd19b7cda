// The elements of an iterable of Python in batches, for a Go loop: many for one entry into Python.
#ifndef SELFSAME_CORE_CONVERT_ITERABLE_BATCHES_H_
#define SELFSAME_CORE_CONVERT_ITERABLE_BATCHES_H_

#include "tie/core.h"

// IterableBatches(iterable): take(n) returns a tuple of the next elements, at most n. It returns fewer when the iterable takes
// longer than a few milliseconds, and an empty tuple at the end. An error of the iterable is raised by the call after that
// which returned the elements before it.
extern SS_HIDDEN PyTypeObject SsIterableBatches_Type;

#endif  // SELFSAME_CORE_CONVERT_ITERABLE_BATCHES_H_
