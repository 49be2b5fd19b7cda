// The canonical wrapper of a native object: fetching it, constructing it, crossings, kept blocks. The states of the wrapper
// word and their transitions are in tie/tie_table.h and tie/tie_word.h.
//
// A class is lean when its instances have no state of Python's own: no __dict__, no further __slots__, no __weakref__,
// no __del__. Their wrappers are Active or Inactive. Wrappers of stateful classes are Active or Held, and have
// SS_STATEFUL in their flags.
//
// A stateful wrapper and its native object never own each other: one owns the other. While Python refers to the wrapper it is
// Active and owns the native object, whatever else owns that: native code that asks whether it is the only owner sees
// Python's reference. When the last Python reference goes, the finalizer, which CPython runs before it clears anything of
// the instance, looks at the native object's count. If there are other owners, the native object holds the wrapper from
// then on, with its state. A fetch takes the wrapper back; the native object's last release hands that last reference to
// the wrapper and lets go of it.
#ifndef SELFSAME_CORE_WRAPPER_FETCH_H_
#define SELFSAME_CORE_WRAPPER_FETCH_H_

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
// Fast path: the live wrapper of a native object, if returning it needs no state transition. A lean Active wrapper has
// a Python count above zero: its dealloc ends that state before it runs any code. A stateful one may be in its dealloc,
// or need its finalizer renewed. Borrowed, or NULL.
static inline SsWrapper* ss_peek(const TVMFFIObject* object) {
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  if (SS_UNLIKELY(record == NULL)) return NULL;
  uintptr_t word = __atomic_load_n(&record->wrapper, __ATOMIC_RELAXED);
  if (SS_UNLIKELY(word == 0 || (word & SELFSAME_TIE_TAGS) != 0)) return NULL;
  SsWrapper* wrapper = (SsWrapper*)word;
  if ((wrapper->flags & SS_STATEFUL) && (Py_REFCNT((PyObject*)wrapper) == 0 || (wrapper->flags & SS_UNFINALIZE))) {
    return NULL;
  }
  return wrapper;
}
#endif

// A new reference to a wrapper that ss_peek has found. The caller keeps `object` alive, and keeps its reference.
static inline PyObject* ss_peeked(SsWrapper* wrapper, TVMFFIObject* object) {
  if (ss_takes_share(wrapper, Py_REFCNT((PyObject*)wrapper))) {
    ss_incref(object);
    ss_flags_add(wrapper, SS_SHARE);
  }
  Py_INCREF((PyObject*)wrapper);
  return (PyObject*)wrapper;
}

// The canonical wrapper of a native object, made when there is none. New reference, or NULL with an error set. May run
// Python code.
//
// ss_fetch takes over one strong reference to `object`, on failure too. So does ss_fetch_living, for a wrapper that is known
// to be Active, with the GIL. ss_fetch_borrowed takes a reference of its own
// when it needs one; the caller, or the container that it reads from, keeps the object alive during the call.
static inline PyObject* ss_fetch_borrowed(TVMFFIObject* object) {
  SsWrapper* wrapper = ss_peek(object);
  if (SS_LIKELY(wrapper != NULL)) return ss_peeked(wrapper, object);
  ss_incref(object);
  return ss_fetch_slow(object);
}

static inline PyObject* ss_fetch_living(SsWrapper* wrapper, TVMFFIObject* object) {
  if (SS_LIKELY(ss_takes_share(wrapper, Py_REFCNT((PyObject*)wrapper)))) {
    ss_flags_add(wrapper, SS_SHARE);
  } else {
    ss_decref_shared(object);  // not the last: the wrapper owns one
  }
  Py_INCREF((PyObject*)wrapper);
  return (PyObject*)wrapper;
}

static inline PyObject* ss_fetch(TVMFFIObject* object) {
  SsWrapper* wrapper = ss_peek(object);
  return SS_LIKELY(wrapper != NULL) ? ss_fetch_living(wrapper, object) : ss_fetch_slow(object);
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

#endif  // SELFSAME_CORE_WRAPPER_FETCH_H_
