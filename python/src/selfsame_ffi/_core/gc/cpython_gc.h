// How CPython's collector marks the objects of the collection under way.
#ifndef SELFSAME_PY_COLLECTING_H_
#define SELFSAME_PY_COLLECTING_H_

#include "tie/core.h"

// The incremental collector of later versions works otherwise, and the free-threaded one of 3.14 marks what is in use
// before it takes references off the counts.
#define SS_ROUNDS (PY_VERSION_HEX < 0x030E0000)

#if SS_FREE_THREADED

// Each object has the collector's marks in a byte of its own. UNREACHABLE is set while references are taken off its
// count, and from then on until it is found to be in use; then, and before its tp_clear is called, it is taken off.
enum { SS_TRACKED = 1, SS_UNREACHABLE = 4, SS_FROZEN = 8 };
static inline int ss_marks(const void* object) {
  return __atomic_load_n(&((const PyObject*)object)->ob_gc_bits, __ATOMIC_RELAXED);
}

// Whether the collection under way begins with this object.
static inline int ss_is_looked_at(const void* object) {
  return SS_ROUNDS && (ss_marks(object) & (SS_TRACKED | SS_FROZEN)) == SS_TRACKED;
}

// Whether it has not been found to be in use.
static inline int ss_in_collection(const void* object) {
  return SS_ROUNDS && (ss_marks(object) & (SS_TRACKED | SS_UNREACHABLE)) == (SS_TRACKED | SS_UNREACHABLE);
}

#else

// The bit by which CPython's collector knows the objects of the collection under way, in the second word of its header;
// it has had that place since 3.8.
static inline int ss_in_collection(const void* object) {
  enum { COLLECTING = 2 };
  return SS_ROUNDS && (((const uintptr_t*)object)[-1] & COLLECTING) != 0;
}
static inline int ss_is_looked_at(const void* object) { return ss_in_collection(object); }

#endif

#endif  // SELFSAME_PY_COLLECTING_H_
