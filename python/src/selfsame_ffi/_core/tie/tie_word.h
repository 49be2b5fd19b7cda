// The wrapper word and its transitions
//
// The wrapper word is the field `wrapper` of a tie record. It says which Python object is the canonical wrapper of the
// record's native object, and in which state that wrapper is. Each row of tie_table.h is one function here or, for the
// death of the native object, in internal/tie/tie.c.
//
// States. The word is 0 (Detached), the wrapper's address (Active), with SELFSAME_TIE_HELD (Held), or the address of
// its block with SELFSAME_TIE_INACTIVE (InTransit and Inactive). The word of an Active wrapper owns no reference; the
// wrapper owns one strong reference to the native object, in `handle`. So the count that native code sees includes
// Python as long as Python refers to the wrapper. The word of a Held wrapper, which Python has dropped, owns the one
// Python reference to it; the wrapper owns nothing, and its `handle` is borrowed. So no wrapper and native object ever
// own each other. An InTransit wrapper has given its block up, and its dealloc still owns the reference. An Inactive block
// is memory with a type and no owner but the word.
//
// The end of a hold. The release of the native object's last reference finds SELFSAME_TIE_HELD in the word. Then the
// native object does not die: tied_delete gives it a strong reference again and passes that to ss_hand_back, which on
// an attached thread lets the wrapper take it over and releases the word's reference to the wrapper
// (ss_word_take_over). On any other thread the native object waits in the queue of deferred releases, alive. When the
// wrapper has no other references, it dies as every Active wrapper does, with `__del__` and weak references, and the
// native object with it. When Python has got a reference to it before, it lives on and owns its native object.
//
// Owners of the words.
//   * An attached thread whose caller keeps the native object alive may make any transition but a death. It locks the
//     word, applies one row, and unlocks the word; the operations of the second part of this file do that.
//   * The thread that releases the native object's last reference makes the death, attached or not: tied_delete in
//     tie.c takes the word by exchange and frees the block of an Inactive one. The word is then never Active, because
//     an Active wrapper owns a reference. A Held word is left as it is, see above: while it has that state, only a
//     thread with a reference to the native object changes it, so the thread that released the last one reads it
//     safely. `release_alone` makes the same death without the exchange; only the dealloc of a wrapper that owned the
//     one reference calls it, and only with a GIL.
//   * A thread that owns no reference may look at a word, with deaths postponed (tie.h) and, without a GIL, by
//     ss_word_try_look. It writes nothing but the bits of the lock.
//   * `handle` is set by ss_row_bind and ss_row_revive, under the lock of the word. ss_word_unbind clears it, for a
//     caller that has claimed the wrapper, and ss_word_drop clears it, in the wrapper's dealloc.
//   * SS_HELD is changed under the lock of the word, together with the word. ss_pin tests it without the lock: a hold
//     sets it only in a wrapper that no other thread has pinned.
//
// Hazards.
//   * A word may lead to a wrapper whose count is zero. A fetch therefore takes its reference with ss_try_incref. When
//     that fails it must not make a second wrapper at once: the finalizer may revive the first one, or its block be
//     kept, and there would be two ids (ss_word_unlock_dying).
//   * From the store of the word in ss_row_keep_block on, another thread may revive the block, or free it with the
//     native object. The dealloc must not touch the block after it, and releases its reference last (ss_word_settle).
//   * After the unlock, the record may belong to another native object as soon as the caller's reference is gone.
//   * Freeing a block, Py_DECREF and ss_decref may run Python code, which may fetch the same native object. All of them
//     come after the unlock. ss_row_revive, which must come before, runs none.
//   * Python code may get a Held wrapper without a fetch: from a weak reference (wrapper/weak_references.h) or
//     gc.get_objects. It must not use the native object without a reference. The count may be 0, when another thread has
//     released the last one and has not come to tied_delete yet. A callee that adds and releases a reference would then
//     release the last one a second time. So the weak reference's call, and ss_pin, take a reference first, as from a
//     weak one of the native object's (ss_own_native). They wait while the count is 0: the other thread needs a few
//     instructions and no GIL to make it 1. A read of memory that changes no count needs no reference, with the GIL: only
//     an attached thread ends a hold, so the native object is not freed.
//   * The thread that takes a hold must have pinned the wrapper: otherwise another thread could move the native object
//     out between the decision and the hold.
//   * A block is kept only while the native object has another owner. When the wrapper owns the only reference, strong
//     or weak, no thread can get one any more, and keeping the block would only delay its memory.
//
// Why this lock. With a GIL, attached threads exclude each other, and only a death can run beside them. A death comes
// when no strong reference is left, so not while a wrapper is Active or the caller of a fetch owns a reference. Locking
// is then a load, unlocking a store. Without a GIL, fetches, drops, constructions and moves of one native object race.
// Two bits of the word are its lock (word_lock.h). A compare-and-swap locks the word and reads it in one step; the
// unlock writes the new state in one exchange. A record stays at 32 bytes, and threads that work on different native
// objects share nothing. The lock is held for a few instructions, without allocation, release or Python code, so a thread
// that waits for it stays attached.
//
// The functions are inline, because a fetch takes a few nanoseconds. They use CPython only through interp.h, so that
// the thread sanitizer can run them with a stand-in (internal/tie/testdata/word_race.c, `make tsan`).
#ifndef SELFSAME_CORE_TIE_TIE_WORD_H_
#define SELFSAME_CORE_TIE_TIE_WORD_H_

#include "tie/counters.h"
#include "tie/tie_table.h"
#include "tie/word_lock.h"
#include "tie/wrapper.h"

static inline int ss_word_is_active(uintptr_t word) { return word != 0 && (word & SELFSAME_TIE_INACTIVE) == 0; }
static inline PyObject* ss_word_block(uintptr_t word) { return (PyObject*)(word & ~SELFSAME_TIE_TAGS); }

// ---- the rows: each takes the word that was read under its lock, and returns the word to write ----

// Takes over the caller's reference to `object`. Together with ss_row_revive the only place that sets a handle.
static inline uintptr_t ss_row_bind(uintptr_t seen, SsWrapper* wrapper, TVMFFIObject* object) {
  SS_ON_TRANSITION(SS_bind, seen);
  (void)seen;
  __atomic_store_n(&wrapper->handle, object, __ATOMIC_RELEASE);
  ss_flags_clear(wrapper, SS_MOVED);
  return (uintptr_t)wrapper;
}

// The kept block becomes a wrapper again, at the same address. It still owns its reference to its type. The caller
// tracks it, after giving back the lock.
static inline uintptr_t ss_row_revive(uintptr_t seen, TVMFFIObject* object) {
  SS_ON_TRANSITION(SS_revive, seen);
  SsWrapper* wrapper = (SsWrapper*)ss_word_block(seen);
  ss_revive_block((PyObject*)wrapper);
  __atomic_store_n(&wrapper->handle, object, __ATOMIC_RELAXED);
  __atomic_store_n(&wrapper->flags, wrapper->flags & (SS_KEPT_BITS | SS_STATEFUL), __ATOMIC_RELEASE);
  return (uintptr_t)wrapper;
}

// The caller frees the block, after giving back the lock.
static inline uintptr_t ss_row_drop_block(uintptr_t seen) {
  SS_ON_TRANSITION(SS_drop_block, seen);
  (void)seen;
  return 0;
}

// The wrapper must be untracked and its handle cleared: from the store of the word on its block belongs to the native
// object.
static inline uintptr_t ss_row_keep_block(uintptr_t seen) {
  SS_ON_TRANSITION(SS_keep_block, seen);
  return seen | SELFSAME_TIE_INACTIVE;
}

static inline uintptr_t ss_row_drop_alone(uintptr_t seen) {
  SS_ON_TRANSITION(SS_drop_alone, seen);
  (void)seen;
  return 0;
}

static inline uintptr_t ss_row_unbind(uintptr_t seen) {
  SS_ON_TRANSITION(SS_unbind, seen);
  (void)seen;
  return 0;
}

// Python code inside the dealloc of a stateful wrapper (a weak reference's callback, the destructor of an attribute),
// or another thread, fetches the native object, which has got another owner. The dying wrapper still releases its
// reference later.
static inline uintptr_t ss_row_disown_dying(uintptr_t seen) {
  SS_ON_TRANSITION(SS_disown_dying, seen);
  (void)seen;
  return 0;
}

// The native object owns the wrapper from here on. The caller has set SS_HELD, and gives it a reference to the wrapper.
static inline uintptr_t ss_row_hold(uintptr_t seen) {
  SS_ON_TRANSITION(SS_hold, seen);
  ss_count(SS_COUNT_HELD, 1);
  return seen | SELFSAME_TIE_HELD;
}

// The wrapper owns a reference to the native object again. The caller takes over the native object's reference to the
// wrapper.
static inline uintptr_t ss_row_let_go(uintptr_t seen) {
  SS_ON_TRANSITION(SS_let_go, seen);
  SsWrapper* wrapper = (SsWrapper*)ss_word_block(seen);
  ss_unfinalize((PyObject*)wrapper);  // the next death calls the finalizer, which may have to hold it again
  ss_flags_clear(wrapper, SS_HELD | SS_UNFINALIZE);
  ss_count(SS_COUNT_HELD, -1);
  return (uintptr_t)wrapper;
}

// InTransit -> Inactive or Gone: the last step of a dealloc, after the word was written.
static inline void ss_word_settle(TVMFFIObject* object) { ss_decref(object); }

// The same for a wrapper that was dropped alone. `record` is the object's. Without the GIL another thread may be
// looking at the record, or at the object without owning a reference to it.
static inline void ss_word_settle_alone(const SelfsameTieTable* table, SelfsameTieRecord* record,
                                        TVMFFIObject* object) {
  if (SS_FREE_THREADED) {
    ss_decref(object);
  } else {
    table->release_alone(object, record);
  }
}

// ---- operations on a word ----

// Gives back the lock of a word whose wrapper has a count of zero. If the finalizer has run, the wrapper is disowned.
// Otherwise another thread will decide, in a few instructions and without running Python code, whether the finalizer
// revives the wrapper or its block is kept; this function waits for that. A fetch that gave the wrapper up at once would
// make a second one, with another `id`.
static inline void ss_word_unlock_dying(SelfsameTieRecord* record, uintptr_t word) {
  if (!SS_FREE_THREADED || (ss_flags((SsWrapper*)ss_word_block(word)) & SS_FINAL)) {
    ss_word_unlock(record, ss_row_disown_dying(word));
    return;
  }
#if SS_FREE_THREADED
  ss_word_await(record, word);
#endif
}

// Held -> Active, for a caller that owns a reference to the wrapper and one to the native object, which the wrapper
// takes over. When it is held no more, that reference is released.
static inline void ss_word_own_native(SelfsameTieRecord* record, SsWrapper* wrapper, TVMFFIObject* object) {
  uintptr_t word = ss_word_lock(record);
  if (word == ((uintptr_t)wrapper | SELFSAME_TIE_HELD)) {
    ss_word_unlock(record, ss_row_let_go(word));
    Py_DECREF((PyObject*)wrapper);
  } else {
    ss_word_unlock(record, word);
    ss_decref(object);
  }
}

// The same for a native object that lost its last reference while it held its wrapper. The caller owns the reference
// that the table gave it. Frees the wrapper, and the native object with it, when nothing in Python refers to it.
static inline void ss_word_take_over(SelfsameTieRecord* record, TVMFFIObject* object) {
  uintptr_t word = ss_word_lock(record);
  if (word & SELFSAME_TIE_HELD) {
    ss_word_unlock(record, ss_row_let_go(word));
    Py_DECREF(ss_word_block(word));
  } else {
    ss_word_unlock(record, word);
    ss_decref(object);
  }
}

// How many shares the wrapper of a native object has, if there is one that Python refers to. The caller owns a reference to
// the native object.
static inline uint32_t ss_word_shares(SelfsameTieRecord* record) {
  if (record == NULL) return 0;
  uintptr_t word = ss_word_lock(record);
  uint32_t shares = ss_word_is_active(word) ? ss_shares((SsWrapper*)ss_word_block(word)) : 0;
  ss_word_unlock(record, word);
  return shares;
}

// Decides for a wrapper's finalizer whether the wrapper lives on: it does when its native object has more than `known`
// owners, the wrapper's shares not counted. Returns 1 then. The native object holds the wrapper from then on, if it has no
// more than `references` Python references: another thread may have fetched it. The caller has pinned the wrapper once.
// RATIONALE.md, "Why a hold is taken before CPython's dealloc, and in tp_finalize".
static inline int ss_word_survives(SelfsameTieRecord* record, SsWrapper* wrapper, uint32_t known,
                                   Py_ssize_t references) {
  TVMFFIObject* object = wrapper->handle;
  if (record == NULL) return 0;
  uintptr_t word = ss_word_lock(record);
  int survives = ss_strong(object) > known + ss_shares(wrapper);
  int held = 0;
  if (survives && word == (uintptr_t)wrapper && ss_references((PyObject*)wrapper) <= references &&
      ss_flags_hold(wrapper)) {
    held = 1;
    Py_INCREF((PyObject*)wrapper);
    ss_release_shares(wrapper, object);
    word = ss_row_hold(word);
  }
  ss_word_unlock(record, word);
  if (held) ss_decref(object);
  return survives;
}

// Without the GIL, for a wrapper whose finalizer has let it die and whose count is zero. Until this call another thread may
// have fetched the wrapper, given its native object another owner, and dropped it. Returns 0 then: the finalizer must decide
// again. 1: the wrapper is final.
static inline int ss_word_ends(SelfsameTieRecord* record, SsWrapper* wrapper) {
  TVMFFIObject* object = wrapper->handle;
  if (record == NULL) return 1;
  uintptr_t word = ss_word_lock(record);
  int ends = word != (uintptr_t)wrapper || ss_strong(object) <= ss_owned(wrapper);
  if (ends) ss_flags_set(wrapper, SS_FINAL);
  ss_word_unlock(record, word);
  return ends;
}

// The canonical wrapper of `object`. Takes over a strong reference from the caller, which the wrapper keeps, or which
// is released when the wrapper has one. When there is no wrapper, `fresh` becomes it: a wrapper without a handle and
// with ss_try_incref enabled, or NULL. Returns a new reference, for `fresh` the one that the caller passed. Returns
// NULL when there is no wrapper and `fresh` is NULL: then the caller keeps its reference to `object`.
static inline __attribute__((always_inline)) PyObject* ss_word_fetch(SelfsameTieRecord* record, TVMFFIObject* object,
                                                                     PyTypeObject* wanted, SsWrapper* fresh) {
  for (;;) {
    uintptr_t word = ss_word_lock(record);
    PyObject* block = ss_word_block(word);
    if (word & SELFSAME_TIE_INACTIVE) {
      if (SS_LIKELY(ss_block_fits(block, wanted))) {
        ss_word_unlock(record, ss_row_revive(word, object));
        ss_track(block);
        ss_count(SS_COUNT_LIVE, 1);
        return block;
      }
      ss_word_unlock(record, ss_row_drop_block(word));
      ss_block_free(block);
    } else if (word == 0) {
      if (fresh == NULL) {
        ss_word_unlock(record, word);
        return NULL;
      }
      ss_word_unlock(record, ss_row_bind(word, fresh, object));
      return (PyObject*)fresh;
    } else if (word & SELFSAME_TIE_HELD) {
      // Both references change hands: the caller's to the native object becomes the wrapper's, and the native object's to
      // the wrapper becomes the result.
      ss_word_unlock(record, ss_row_let_go(word));
      return block;
    } else if (SS_LIKELY(ss_try_incref(block))) {
      int share = ss_takes_share((SsWrapper*)block, ss_references(block) - 1);
      if (share) ss_flags_add((SsWrapper*)block, SS_SHARE);
      ss_word_unlock(record, word);
      if (!share) ss_decref(object);
      return block;
    } else {
      ss_word_unlock_dying(record, word);
    }
  }
}

// Makes `wrapper`, for which ss_try_incref is enabled, the canonical wrapper of `object`, and takes over a strong
// reference from the caller. 0 on success. When it refuses nothing has changed: 1 the wrapper has a handle, 2 the
// native object has a live wrapper.
static inline int ss_word_construct(SelfsameTieRecord* record, SsWrapper* wrapper, TVMFFIObject* object) {
  for (;;) {
    uintptr_t word = ss_word_lock(record);
    int refused = 0;
    PyObject* other = NULL;
    if (__atomic_load_n(&wrapper->handle, __ATOMIC_RELAXED) != NULL) {
      refused = 1;
    } else if (ss_word_is_active(word)) {
      if (ss_try_incref(ss_word_block(word))) {
        refused = 2;
        other = ss_word_block(word);
      } else {
        ss_word_unlock_dying(record, word);
        continue;
      }
    } else if (word != 0) {
      ss_word_unlock(record, ss_row_drop_block(word));
      ss_block_free(ss_word_block(word));
      continue;
    }
    ss_word_unlock(record, refused ? word : ss_row_bind(word, wrapper, object));
    if (other != NULL) Py_DECREF(other);
    return refused;
  }
}

// Takes the handle out of a wrapper that the caller has claimed (ss_claim). Returns it with one reference. The caller
// owns a reference to the wrapper.
static inline TVMFFIObject* ss_word_unbind(SelfsameTieRecord* record, SsWrapper* wrapper) {
  TVMFFIObject* object = wrapper->handle;
  if (record != NULL) {
    uintptr_t word = ss_word_lock(record);
    ss_word_unlock(record, word == (uintptr_t)wrapper ? ss_row_unbind(word) : word);
  }
  __atomic_store_n(&wrapper->handle, NULL, __ATOMIC_RELEASE);
  ss_release_shares(wrapper, object);
  return object;
}

// The fate of a wrapper whose tie has ended.
typedef enum {
  SS_DROPPED,        // its block is the caller's to free
  SS_DROPPED_ALONE,  // likewise, and it owns the native object's only reference, strong or weak
  SS_KEPT,           // the block belongs to the native object: the caller must not touch it
} SsDropped;

// Ends the tie of a wrapper that is being deallocated and is untracked. *object is its native object; the caller must
// release the wrapper's reference to it as the last step.
static inline SsDropped ss_word_drop(SelfsameTieRecord* record, SsWrapper* wrapper, int may_keep,
                                     TVMFFIObject** object) {
  *object = wrapper->handle;
  ss_release_shares(wrapper, *object);
  wrapper->handle = NULL;
  if (record == NULL) return SS_DROPPED;
  uintptr_t word = ss_word_lock(record);
  if (SS_UNLIKELY(word != (uintptr_t)wrapper)) {
    ss_word_unlock(record, word);
    return SS_DROPPED;
  }
  // When the wrapper owns the only reference, strong or weak, no other thread can get one: no block need be kept.
  int alone = __atomic_load_n(&(*object)->combined_ref_count, __ATOMIC_ACQUIRE) == SS_BOTH_ONE;
  if (!alone && may_keep && !(wrapper->flags & SS_STATEFUL)) {
    ss_word_unlock(record, ss_row_keep_block(word));
    return SS_KEPT;
  }
  ss_word_unlock(record, ss_row_drop_alone(word));
  return alone ? SS_DROPPED_ALONE : SS_DROPPED;
}

#endif  // SELFSAME_CORE_TIE_TIE_WORD_H_
