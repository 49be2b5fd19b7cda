// The wrapper: the Python face of a native object. Its layout, and its flags.
#ifndef SELFSAME_PY_WRAPPER_H_
#define SELFSAME_PY_WRAPPER_H_

#include "tie/interp.h"

// Bits of SsWrapper.flags.
enum {
  SS_STATEFUL = 1,    // the class gives its instances state that must outlive a drop; see tie_states.h
  SS_HELD = 2,        // the native owns one Python reference to this wrapper
  SS_UNFINALIZE = 4,  // the finalizer only took a hold: the collector's "finalized" mark must go before the next death
  SS_MOVED = 8,       // the handle was given away by _move()
  SS_GIL_KEEP = 16,   // Function: call with the GIL held
  SS_GIL_DROP = 32,   // Function: call with the GIL released; neither bit: the default
  SS_ACCOUNTED = 64,  // the collector knows the native's only other owner; see edges.h
  SS_FINAL = 128,     // its finalizer has run and found no reason to live on: a count of zero is the end
  SS_KEPT_BITS = SS_GIL_KEEP | SS_GIL_DROP,  // survive in a kept block
  SS_PIN = 256,  // and above: how many uses under way read the handle without owning a reference
};

// handle owns one strong reference, or is NULL: not initialised, or moved away.
typedef struct {
  PyObject_HEAD TVMFFIObject* handle;
  uintptr_t flags;
} SsWrapper;

static inline SsWrapper* ss_wrapper(PyObject* o) { return (SsWrapper*)o; }

// Without the GIL, flags of a published wrapper change on several threads at once.
#if SS_FREE_THREADED
static inline uintptr_t ss_flags(const SsWrapper* w) { return __atomic_load_n(&w->flags, __ATOMIC_ACQUIRE); }
static inline uintptr_t ss_flags_set(SsWrapper* w, uintptr_t bits) {
  return __atomic_fetch_or(&w->flags, bits, __ATOMIC_ACQ_REL);
}
static inline uintptr_t ss_flags_clear(SsWrapper* w, uintptr_t bits) {
  return __atomic_fetch_and(&w->flags, ~bits, __ATOMIC_ACQ_REL);
}
static inline void ss_flags_add(SsWrapper* w, uintptr_t pins) { __atomic_fetch_add(&w->flags, pins, __ATOMIC_ACQ_REL); }
#else
static inline uintptr_t ss_flags(const SsWrapper* w) { return w->flags; }
static inline uintptr_t ss_flags_set(SsWrapper* w, uintptr_t bits) {
  uintptr_t before = w->flags;
  w->flags = before | bits;
  return before;
}
static inline uintptr_t ss_flags_clear(SsWrapper* w, uintptr_t bits) {
  uintptr_t before = w->flags;
  w->flags = before & ~bits;
  return before;
}
static inline void ss_flags_add(SsWrapper* w, uintptr_t pins) { w->flags += pins; }
#endif

// A use of the handle that owns no reference to the native: from ss_pin to ss_unpin nobody can take the handle out of
// the wrapper. Returns the handle; NULL, and nothing to undo, when there is none. The caller keeps the wrapper alive.
static inline TVMFFIObject* ss_pin(SsWrapper* w) {
#if SS_FREE_THREADED
  // First the pin, then the look: a move that did not see the pin has set SS_MOVED before.
  uintptr_t before = __atomic_fetch_add(&w->flags, SS_PIN, __ATOMIC_ACQ_REL);
  TVMFFIObject* handle = before & SS_MOVED ? NULL : __atomic_load_n(&w->handle, __ATOMIC_ACQUIRE);
  if (SS_UNLIKELY(handle == NULL)) __atomic_fetch_sub(&w->flags, SS_PIN, __ATOMIC_ACQ_REL);
  return handle;
#else
  if (SS_UNLIKELY(w->handle == NULL)) return NULL;
  w->flags += SS_PIN;
  return w->handle;
#endif
}
static inline void ss_unpin(SsWrapper* w) { ss_flags_add(w, (uintptr_t)0 - SS_PIN); }

// Turns the caller's pin into a claim on the handle. 1: the caller may take the handle out, and the pin is gone; 0:
// there are other uses under way, and the pin stays.
static inline int ss_claim(SsWrapper* w) {
  uintptr_t flags = ss_flags(w);
#if SS_FREE_THREADED
  do {
    if (flags >= 2 * SS_PIN) return 0;
  } while (!__atomic_compare_exchange_n(&w->flags, &flags, (flags - SS_PIN) | SS_MOVED, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
  return 1;
#else
  if (flags >= 2 * SS_PIN) return 0;
  w->flags = (flags - SS_PIN) | SS_MOVED;
  return 1;
#endif
}

#endif  // SELFSAME_PY_WRAPPER_H_
