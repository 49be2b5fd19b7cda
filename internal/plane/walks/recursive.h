// The operations of a dataclass for whole values: equality and order (recursive_compare.c), hash (recursive_hash.c) and
// deep copy (recursive_copy.c). Each goes down through containers and fields with an explicit stack; only hooks
// recurse. Package recursive calls them from Go. internal/plane/walks/structural.h says why.
//
// All functions may be called on any thread; they run the hooks, getters and setters of the values' classes. Values are
// borrowed, and in the form of owned values.
//
// Errors: ValueError (nested too deep), RecursionError (hooks nested too deep), MemoryError, TypeError (an attribute
// that is no Function, a hook with a wrong result), and those of hooks, getters and setters.
#ifndef SELFSAME_INTERNAL_PLANE_WALKS_RECURSIVE_H_
#define SELFSAME_INTERNAL_PLANE_WALKS_RECURSIVE_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// Whether two values are equal. Objects of different classes are different, and NaN equals NaN. Where the walk meets a
// pair of objects inside itself (a cycle), the pair counts as equal. Returns 0 with *equal 0 or 1, or -1 raised.
int ss_recursive_equal(const TVMFFIAny* a, const TVMFFIAny* b, int* equal);

// The order of two values: *order is negative, 0 or positive. Raises also TypeError (values that have no order) and
// ValueError (a cycle). Returns 0, or -1 raised.
int ss_recursive_compare(const TVMFFIAny* a, const TVMFFIAny* b, int* order);

// Hashes a value: values that are equal have equal hashes. Raises also ValueError for a class with a hook for
// comparisons but none for hashes. Returns 0 with *hash, or -1 raised.
int ss_recursive_hash(const TVMFFIAny* value, uint64_t* hash);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_WALKS_RECURSIVE_H_
