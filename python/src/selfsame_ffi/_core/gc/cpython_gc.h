// The facts about CPython's cycle collectors: which one this interpreter has, and the marks that it puts on objects.
#ifndef SELFSAME_CORE_GC_CPYTHON_GC_H_
#define SELFSAME_CORE_GC_CPYTHON_GC_H_

#include "tie/core.h"

// The collectors whose full collections can be followed. A bug fix release may bring another collector (3.14.5 did), so
// the running interpreter decides, not the headers.
typedef enum {
  SS_GC_UNKNOWN,      // none of those below: only what one wrapper owns alone is collected
  SS_GC_GENERATIONS,  // 3.9 to 3.13, 3.14.5 and later, 3.15
  SS_GC_INCREMENTS,   // 3.14.0 to 3.14.4: a collection that CPython begins by itself examines some of the old objects
  SS_GC_WHOLE_HEAP,   // free-threaded 3.13: every collection examines all objects
  SS_GC_MARKS_FIRST,  // free-threaded 3.14 and 3.15: it marks what the interpreter refers to before it subtracts
} SsGcKind;
extern SS_HIDDEN SsGcKind ss_gc_kind;

// Sets ss_gc_kind from sys.implementation and sys.hexversion. 0, or -1 with an error set.
SS_HIDDEN int ss_gc_recognize(void);

// The method collector() of the module: the name of the collector, or None when it is not known.
SS_HIDDEN PyObject* ss_gc_name(PyObject* module, PyObject* unused);

#if SS_FREE_THREADED

// The marks are a byte of the object. UNREACHABLE is set when the collector begins to subtract from the object's count,
// and taken off when the object is found to be in use, or before its tp_clear is called. ALIVE is set, from 3.14 on,
// before the object is traversed because the interpreter refers to it, and taken off at the end of the reach phase.
enum { SS_TRACKED = 1, SS_UNREACHABLE = 4, SS_FROZEN = 8, SS_ALIVE = 32 };
static inline int ss_marks(const void* object) {
  return __atomic_load_n(&((const PyObject*)object)->ob_gc_bits, __ATOMIC_RELAXED);
}

// Whether a collection that begins now examines the object.
static inline int ss_in_new_collection(const void* object) {
  return (ss_marks(object) & (SS_TRACKED | SS_FROZEN)) == SS_TRACKED;
}

// Whether the collection under way examines the object and has not found it to be in use.
static inline int ss_in_collection(const void* object) {
  return (ss_marks(object) & (SS_TRACKED | SS_UNREACHABLE)) == (SS_TRACKED | SS_UNREACHABLE);
}

// Whether the collection under way has marked the object as one that the interpreter leads to. The bit has another
// meaning in 3.13.
static inline int ss_marked_alive(const void* object) {
  return ss_gc_kind == SS_GC_MARKS_FIRST && (ss_marks(object) & SS_ALIVE) != 0;
}

#else

// CPython's PREV_MASK_COLLECTING, in the second word of the collector's header since 3.8: set on each object of the
// collection when it begins, taken off when the object is found to be in use.
static inline int ss_in_collection(const void* object) {
  enum { COLLECTING = 2 };
  return (((const uintptr_t*)object)[-1] & COLLECTING) != 0;
}
static inline int ss_in_new_collection(const void* object) { return ss_in_collection(object); }

#endif

#endif  // SELFSAME_CORE_GC_CPYTHON_GC_H_
