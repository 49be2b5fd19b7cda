// Structural equality and hash of values (structural_equal.c, structural_hash.c). Package structural calls them from
// Go.
//
// Variables that are defined inside the values are equal if they correspond to each other; other variables are equal
// only to themselves, unless the option SS_MAP_FREE_VARS counts them as defined. All functions may be called on any
// thread; they run the hooks and getters of the values' classes. Values are views, borrowed.
//
// Errors: TypeError (a class that cannot be compared), ValueError (nested too deep), InternalError (a Tensor whose
// content cannot be read), RecursionError (hooks nested too deep), MemoryError, and those of hooks and getters.
//
// Why structural and recursive operations are in C. Each object of a C++ class takes a getter per field and often a
// hook. From Go that is a crossing per object and two per hook. On the programs of Apache TVM equality and hash then
// take 4 to 6 times the published library's CPU time, and passes, whose C++ visitors call the runtime's hooks, 1.2 to
// 1.7 times. In Go remain the text, and the making of a Map or Dict whose keys have hooks.
//
// Equality, hash, order and deep copy have a stack of their own; only hooks recurse. Equality and hash allocate one
// table, for objects that the walk may reach again: those whose whole path has not a single owner each. In a hash an
// object's fields may forget the path above, because a hashed object is found in the table. The way to a mismatch is
// the frames on the stack, so it costs nothing while values are equal.
//
// Visits and mutations recurse in C, because a C++ hook calls the visitor, which calls the next hook. Each level asks
// whether the thread's stack has 256 KB left and raises a RecursionError when it has not, where the published library
// ends in a segmentation fault.
#ifndef SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_H_
#define SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// Options, added up.
enum { SS_MAP_FREE_VARS = 1, SS_SKIP_TENSOR_CONTENT = 2 };

// The kinds of an access step; the numbers of ffi.reflection.AccessStep.
enum {
  SS_STEP_ATTR = 0,
  SS_STEP_ARRAY_ITEM = 1,
  SS_STEP_MAP_ITEM = 2,
  SS_STEP_ARRAY_ITEM_MISSING = 4,
  SS_STEP_MAP_ITEM_MISSING = 5
};

// One step on the way to the place where two values differ, in each of the two. The keys are owned.
typedef struct {
  int32_t left_kind, right_kind;  // the kinds of steps, such as a field or an index
  TVMFFIAny left_key, right_key;  // the name, index or key; owned
} SsMismatchStep;

// That way, the innermost step first. Empty at first; ss_mismatch_clear frees it.
typedef struct {
  SsMismatchStep* steps;    // owned, from malloc
  int64_t count, capacity;  // of steps
} SsMismatch;

// Compares two values. With `mismatch`, which may be NULL, *mismatch is the way to the first difference. Returns 0 with
// *equal 0 or 1, or -1 with an error raised.
int ss_structural_equal(const TVMFFIAny* a, const TVMFFIAny* b, int options, SsMismatch* mismatch, int* equal);

// Adds a step to the way (structural_mismatch.c). The keys are borrowed. Returns 0, or -1 with a MemoryError raised
// that names StructuralEqual.
int ss_mismatch_note(SsMismatch* mismatch, int32_t left_kind, const TVMFFIAny* left, int32_t right_kind,
                     const TVMFFIAny* right);

// Frees the steps, and releases their keys.
void ss_mismatch_clear(SsMismatch* mismatch);

// Compares two values (structural_mismatch.c). *result is None when they are equal, else an Array of two AccessPaths,
// to the first difference in each of them; the caller owns it. Returns 0, or -1 with an error raised.
int ss_structural_mismatch(const TVMFFIAny* a, const TVMFFIAny* b, int options, TVMFFIAny* result);

// Hashes a value: equal values have equal hashes. The same in every process, unless a variable is used that is defined
// elsewhere. Returns 0 with *hash, or -1 with an error raised.
int ss_structural_hash(const TVMFFIAny* value, int options, uint64_t* hash);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_H_
