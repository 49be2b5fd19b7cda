// The marks that CPython's collector puts on the objects of the collection under way.
#ifndef SELFSAME_PY_CPYTHON_GC_H_
#define SELFSAME_PY_CPYTHON_GC_H_

#include "tie/core.h"

// Whether this interpreter's full collections can be followed. The incremental collector of 3.14 never sees all objects
// at once, and the free-threaded one of 3.14 marks what is in use before it subtracts.
#define SS_SEES_FULL_COLLECTIONS (PY_VERSION_HEX < 0x030E0000)

#if SS_FREE_THREADED

// The marks are a byte of the object. UNREACHABLE is set when the collector begins to subtract from the object's count,
// and taken off when the object is found to be in use, or before its tp_clear is called.
enum { SS_TRACKED = 1, SS_UNREACHABLE = 4, SS_FROZEN = 8 };
static inline int ss_marks(const void* object) {
  return __atomic_load_n(&((const PyObject*)object)->ob_gc_bits, __ATOMIC_RELAXED);
}

// Whether a collection that begins now examines the object.
static inline int ss_in_new_collection(const void* object) {
  return SS_SEES_FULL_COLLECTIONS && (ss_marks(object) & (SS_TRACKED | SS_FROZEN)) == SS_TRACKED;
}

// Whether the collection under way examines the object and has not found it to be in use.
static inline int ss_in_collection(const void* object) {
  return SS_SEES_FULL_COLLECTIONS &&
         (ss_marks(object) & (SS_TRACKED | SS_UNREACHABLE)) == (SS_TRACKED | SS_UNREACHABLE);
}

#else

// CPython's PREV_MASK_COLLECTING, in the second word of the collector's header since 3.8: set on each object of the
// collection when it begins, taken off when the object is found to be in use.
static inline int ss_in_collection(const void* object) {
  enum { COLLECTING = 2 };
  return SS_SEES_FULL_COLLECTIONS && (((const uintptr_t*)object)[-1] & COLLECTING) != 0;
}
static inline int ss_in_new_collection(const void* object) { return ss_in_collection(object); }

#endif

#endif  // SELFSAME_PY_CPYTHON_GC_H_
