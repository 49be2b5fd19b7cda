// The canonical wrapper of a native object: fetching it, constructing it, crossings, kept blocks. The states of the wrapper
// word and their transitions are in tie/tie_table.h and tie/tie_word.h.
//
// A class is lean when its instances have no state of Python's own: no __dict__, no further __slots__, no __weakref__,
// no __del__. Their wrappers are Active or Inactive. Wrappers of stateful classes are Active or Held, and have
// SS_STATEFUL in their flags.
//
// Of a stateful wrapper and its native object, one owns the other, never both. An Active wrapper owns the native
// object. While the native object has other owners it may hold the wrapper instead: then the wrapper outlives every
// drop in Python, and the native object's last release hands that last reference to the wrapper and lets go of it.
//
// A crossing is a fetch, the use as an argument of a call (after the call), or the store into a field (after the
// store). At a crossing a stateful wrapper is held when its native object has other owners. Its finalizer, which
// CPython runs before it clears anything of the instance, does the same, since an owner may have been added without a
// crossing: then the wrapper lives on. A use of the native object through a held wrapper gives the wrapper a reference
// again (ss_pin).
#ifndef SELFSAME_PY_FETCH_H_
#define SELFSAME_PY_FETCH_H_

#include "tie/core.h"
#include "tie/counters.h"

// ss_fetch without its fast path.
SS_HIDDEN PyObject* ss_fetch_slow(TVMFFIObject* object);

#if SS_FREE_THREADED
// Without the GIL a wrapper can only be looked at under the word's lock, so there is no fast path.
static inline SsWrapper* ss_peek(const TVMFFIObject* object) {
  (void)object;
  return NULL;
}
#else
// Fast path: the live wrapper of a native object, if returning it needs no state transition. It is lean, or held: then
// its Python reference count cannot be zero, since the native object owns one. Its flags note the fetch. Borrowed, or
// NULL. RATIONALE.md, "Why a fetch leaves a held wrapper held".
static inline SsWrapper* ss_peek(const TVMFFIObject* object) {
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  if (SS_UNLIKELY(record == NULL)) return NULL;
  uintptr_t word = __atomic_load_n(&record->wrapper, __ATOMIC_RELAXED);
  if (word & SELFSAME_TIE_HELD) {
    word -= SELFSAME_TIE_HELD;
  } else if (SS_UNLIKELY(word == 0 || (word & SELFSAME_TIE_TAGS) != 0 || (((SsWrapper*)word)->flags & SS_STATEFUL))) {
    return NULL;
  }
  ((SsWrapper*)word)->flags |= SS_REFETCHED;
  return (SsWrapper*)word;
}
#endif

// A crossing of a wrapper of any class: its native object holds it from then on, if it has other owners. The caller
// owns a reference to the wrapper. May run any code, since the other owners may go at the same time.
SS_HIDDEN void ss_cross_slow(SsWrapper* wrapper);
static inline void ss_cross(PyObject* object) {
  SsWrapper* wrapper = ss_wrapper(object);
  if (SS_LIKELY(!(ss_flags(wrapper) & SS_STATEFUL)) || wrapper->handle == NULL) return;
#if SS_FREE_THREADED
  ss_cross_slow(wrapper);  // it pins the handle first, because another thread may be moving it away
#else
  uintptr_t flags = ss_flags(wrapper);
  if (!(flags & SS_HELD) && ((flags & SS_UNFINALIZE) || ss_strong(wrapper->handle) > 1)) ss_cross_slow(wrapper);
#endif
}

// The canonical wrapper of a native object, made when there is none. New reference, or NULL with an error set. May run
// Python code.
//
// ss_fetch takes over one strong reference to `object`, on failure too. ss_fetch_borrowed takes a reference of its own
// when it needs one; the caller, or the container that it reads from, keeps the object alive during the call.
static inline PyObject* ss_fetch_borrowed(TVMFFIObject* object) {
  SsWrapper* wrapper = ss_peek(object);
  if (SS_LIKELY(wrapper != NULL)) {  // no native count changes
    Py_INCREF((PyObject*)wrapper);
    return (PyObject*)wrapper;
  }
  ss_incref(object);
  return ss_fetch_slow(object);
}

static inline PyObject* ss_fetch(TVMFFIObject* object) {
  SsWrapper* wrapper = ss_peek(object);
  if (SS_LIKELY(wrapper != NULL)) {
    Py_INCREF((PyObject*)wrapper);
    ss_decref(object);  // the last, when the wrapper is held and the other owners have gone
    return (PyObject*)wrapper;
  }
  return ss_fetch_slow(object);
}

// Makes `wrapper`, which has no handle, the canonical wrapper of `object`: construction. Takes over one strong
// reference to `object`, on failure too. 0, or -1 with an error set: TypeError, with nothing changed, when the wrapper
// has a handle or the native object has a live wrapper.
SS_HIDDEN int ss_construct(SsWrapper* wrapper, TVMFFIObject* object);

// Takes the handle out of a wrapper that the caller has claimed (ss_claim in tie/wrapper.h), and returns it with its
// reference. The caller owns a reference to the wrapper.
SS_HIDDEN TVMFFIObject* ss_unbind(SsWrapper* wrapper);

// Frees the kept block of a native object that dies, now or deferred. The tie table calls it. Any thread.
SS_HIDDEN void ss_reclaim_block(void* block);

// The name of a wrapper's state: "Detached" (no handle yet), "Moved" (its handle was given away), "Active", "Held".
SS_HIDDEN const char* ss_state_name(const SsWrapper* wrapper);

#endif  // SELFSAME_PY_FETCH_H_
