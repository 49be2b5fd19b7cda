// One wrapper per native. The states of the word in a native's tie record and their transitions are in tie_table.h and
// tie_word.h; here is what the rest of the core does with them.
//
// A class is lean when its instances have nothing of Python's own that could be lost: no __dict__, no further slots, no
// __weakref__, no __del__. Wrappers of lean classes go Active and Inactive; those of stateful classes go Active and
// Held. SS_STATEFUL in the flags says which.
//
// What a held wrapper needs to die: nobody in Python refers to it, and the native has no owner beside it, or one that
// the collector has found to be dead as well (edges.h): the tree of a dropped root goes in one collection.
//
// A crossing is: a fetch, being an argument of a call (after the call), being stored in a field (after the store). The
// finalizer of stateful classes (tp_finalize, run by CPython before anything of an instance is cleared) takes a hold
// when the count was raised behind our back, so that the wrapper lives on.
#ifndef SELFSAME_PY_TIE_STATES_H_
#define SELFSAME_PY_TIE_STATES_H_

#include "tie/core.h"
#include "tie/counters.h"

// Everything a fetch does beyond finding a live lean wrapper. Takes over one strong reference to `object`, on failure
// too. New reference, or NULL with an error set.
SS_HIDDEN PyObject* ss_fetch_slow(TVMFFIObject* object);

#if SS_FREE_THREADED
// Without the GIL a wrapper can only be looked at under its word's.
static inline SsWrapper* ss_peek(const TVMFFIObject* object) {
  (void)object;
  return NULL;
}
#else
// The live wrapper in a native's record, when taking it asks nothing of the states: a lean one, or a held one (whose
// count of Python references cannot be zero, since the native owns one). Borrowed, or NULL.
static inline SsWrapper* ss_peek(const TVMFFIObject* object) {
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  if (SS_UNLIKELY(record == NULL)) return NULL;
  uintptr_t word = __atomic_load_n(&record->wrapper, __ATOMIC_RELAXED);
  if (SS_UNLIKELY(word == 0 || (word & SELFSAME_TIE_TAGS) != 0)) return NULL;
  uintptr_t flags = ((SsWrapper*)word)->flags;
  if (SS_UNLIKELY((flags & SS_STATEFUL) && (flags & (SS_HELD | SS_UNFINALIZE)) != SS_HELD)) return NULL;
  return (SsWrapper*)word;
}
#endif

// The wrapper of a native that is held. New reference, or NULL. The caller keeps the native alive.
SS_HIDDEN PyObject* ss_peek_held_slow(const TVMFFIObject* object);
static inline PyObject* ss_peek_held(const TVMFFIObject* object) {
  return SelfsameTieFind(ss_table, object) == NULL ? NULL : ss_peek_held_slow(object);
}

// A crossing of a wrapper that may be stateful. The caller holds a reference to the wrapper.
SS_HIDDEN void ss_cross_slow(SsWrapper* wrapper);
static inline void ss_cross(PyObject* object) {
  SsWrapper* wrapper = ss_wrapper(object);
  if (SS_LIKELY(!(ss_flags(wrapper) & SS_STATEFUL)) || wrapper->handle == NULL) return;
#if SS_FREE_THREADED
  ss_cross_slow(wrapper);  // another thread may be moving the handle away: it takes a pin to look
#else
  // Most crossings change nothing: held with other owners, or not held without.
  uintptr_t wanted = ss_strong(wrapper->handle) > 1 ? SS_HELD : 0;
  if (SS_UNLIKELY((ss_flags(wrapper) & (SS_HELD | SS_UNFINALIZE)) != wanted)) ss_cross_slow(wrapper);
#endif
}

// Takes back the collector's "this object was finalized" mark, so that its next death runs the finalizer again.
SS_HIDDEN void ss_unfinalize(SsWrapper* wrapper);

// The canonical wrapper of a native. Every wrapper family is fetched here. New reference, or NULL with an error set.
//
// ss_fetch takes over one strong reference to `object`; ss_fetch_borrowed leaves the caller's alone (the caller, or the
// container it reads from, keeps the object alive across the call).
static inline PyObject* ss_fetch_borrowed(TVMFFIObject* object) {
  SsWrapper* wrapper = ss_peek(object);
  if (SS_LIKELY(wrapper != NULL)) {  // held stays held: the container and the wrapper own the native
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
    ss_decref_shared(object);  // the wrapper owns another
    ss_cross((PyObject*)wrapper);
    return (PyObject*)wrapper;
  }
  return ss_fetch_slow(object);
}

// Gives a wrapper without a handle the native `object`, whose reference it takes over (on failure too): construction.
// Refuses (TypeError, nothing changed) when the wrapper already has a handle or the native already has a live wrapper.
SS_HIDDEN int ss_adopt(SsWrapper* wrapper, TVMFFIObject* object);

// Takes the handle out of a wrapper that the caller has claimed (ss_claim in wrapper.h), and returns it with its
// reference. The caller holds a reference to the wrapper.
SS_HIDDEN TVMFFIObject* ss_unbind(SsWrapper* wrapper);

// Called by the tie table when a native with a kept block dies. Any thread, with or without the interpreter.
SS_HIDDEN void ss_reclaim_block(void* block);

// Name of the wrapper's state: "Detached" (no handle yet), "Moved" (its handle was given away), "Active", "Held".
SS_HIDDEN const char* ss_state_name(const SsWrapper* wrapper);

#endif  // SELFSAME_PY_TIE_STATES_H_
