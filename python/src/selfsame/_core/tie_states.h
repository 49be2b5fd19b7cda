// One wrapper per native: the states of a tie record's wrapper word, and the only code that changes them.
//
//   Detached   0            no wrapper
//   Active     W            W is the canonical wrapper and owns one strong reference to the native
//   Inactive   W|1          W is dead; its block is kept, with its type, for the next fetch
//   InTransit  W|1, count   inside the dealloc of W, after the block was given to the native and before W's reference
//                           to the native is released; nothing of W is touched any more
//   Held       W            Active, and SS_HELD in W's flags: the native owns one Python reference to W
//
// InTransit needs no bits of its own. A dealloc first ends everything of the wrapper (untracked, handle cleared, the
// reference to its type left with the block), then writes W|1, and its last act is the release. From the store on the
// block is whoever's the word says: a native that dies in that very release, or on another thread, frees it like any
// kept block, and a fetch by then revives it. No baton has to be passed, and no compare-and-swap is paid.
//
// A class is lean when its instances have nothing of Python's own that could be lost: no __dict__, no further slots, no
// __weakref__, no __del__. Wrappers of lean classes go Active and Inactive; those of stateful classes go Active and
// Held. SS_STATEFUL in the flags says which.
//
//   from       to         when                                                          where (tie_states.c)
//   Detached   Active     a native is fetched for the first time, or constructed        bind
//   Inactive   Active     a native is fetched whose kept block fits its class           revive
//   Inactive   Detached   the kept block does not fit, or the native is constructed     drop_kept_block
//   Inactive   (freed)    the native dies                                               the tie table, ss_reclaim_block
//   Active     InTransit  a lean wrapper dies, its native may have other owners         drop_shared, the store
//   InTransit  Inactive   the native is still there                                     drop_shared, the release
//   InTransit  (freed)    it was the last owner after all                               drop_shared, the release
//   Active     Detached   the wrapper and its native die together, or a stateful one    drop_alone
//                         dies in spite of other owners (a weak reference promoted
//                         while its last Python code ran)
//   Active     Detached   the wrapper's handle is taken out (rvalue argument)           ss_unbind
//   Active     Detached   a fetch meets a stateful wrapper in the midst of its dealloc  disown_dying
//   Active     Held       a crossing, or the finalizer, sees other owners               hold
//   Held       Active     a crossing, or the collector, sees none; or the only other    let_go
//                         owner dies with its own wrapper
//
// What a held wrapper needs to die: nobody in Python refers to it, and the native has no owner beside it, or one that
// the collector has found to be dead as well (edges.h): the tree of a dropped root goes in one collection.
//
// Who may race: every line but the native's death runs under the interpreter lock. A native dies on any thread, but
// only when no strong reference is left: while a wrapper is Active, or the caller of a fetch owns a reference, nobody
// else writes the word.
//
// A crossing is: a fetch, being an argument of a call (after the call), being stored in a field (after the store). The
// finalizer of stateful classes (tp_finalize, run by CPython before anything of an instance is cleared) takes a hold
// when the count was raised behind our back, so that the wrapper lives on.
#ifndef SELFSAME_PY_TIE_STATES_H_
#define SELFSAME_PY_TIE_STATES_H_

#include "core.h"

// Everything a fetch does beyond finding a live lean wrapper. Takes over one strong reference to `object`, on failure
// too. New reference, or NULL with an error set.
SS_HIDDEN PyObject* ss_fetch_slow(TVMFFIObject* object);

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

// A crossing of a wrapper that may be stateful. The caller holds a reference to the wrapper.
SS_HIDDEN void ss_cross_slow(SsWrapper* wrapper);
static inline void ss_cross(PyObject* object) {
  SsWrapper* wrapper = ss_wrapper(object);
  if (SS_LIKELY(!(wrapper->flags & SS_STATEFUL)) || wrapper->handle == NULL) return;
  // Most crossings change nothing: held with other owners, or not held without.
  uintptr_t wanted = ss_strong(wrapper->handle) > 1 ? SS_HELD : 0;
  if (SS_UNLIKELY((wrapper->flags & (SS_HELD | SS_UNFINALIZE)) != wanted)) ss_cross_slow(wrapper);
}

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

// Takes the handle out of a live wrapper and returns it with its reference. The caller holds a reference to the
// wrapper.
SS_HIDDEN TVMFFIObject* ss_unbind(SsWrapper* wrapper);

// Slots of the wrapper types. ss_dealloc_static never releases the type, which is what CPython's own dealloc of heap
// types expects of a static base; ss_dealloc_heap does, for lean heap types.
SS_HIDDEN void ss_dealloc_static(PyObject* self);
SS_HIDDEN void ss_dealloc_heap(PyObject* self);
SS_HIDDEN void ss_finalize(PyObject* self);
SS_HIDDEN int ss_traverse(PyObject* self, visitproc visit, void* arg);
SS_HIDDEN int ss_clear(PyObject* self);

// Called by the tie table when a native with a kept block dies. Any thread, with or without the interpreter.
SS_HIDDEN void ss_reclaim_block(void* block);

// Frees a kept block that nothing points to any more.
SS_HIDDEN void ss_block_free(PyObject* block);

// Name of the wrapper's state: "Detached" (no handle), "Active", "Held".
SS_HIDDEN const char* ss_state_name(const SsWrapper* wrapper);

// Numbers for selfsame.debug; changed under the interpreter lock.
typedef struct {
  int64_t live_wrappers;
  int64_t held_wrappers;
  int64_t kept_blocks;
  int64_t kept_bytes;
} SsTieCounts;
extern SS_HIDDEN SsTieCounts ss_counts;

#endif  // SELFSAME_PY_TIE_STATES_H_
