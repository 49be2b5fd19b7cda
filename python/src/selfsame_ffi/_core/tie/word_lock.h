// The lock in a tie record's word. Without the GIL, whoever reads or changes a word that another thread
// may change holds the word's own lock; with it, all of this is a load and a store.
//
// Under the lock nothing is allocated, released or called that may run Python code or sleep. It is held for a handful
// of instructions, by threads that are attached to the interpreter and own a reference to the native: the native's
// death, which needs neither, meets no lock. Who waits sleeps, detached, until the word changes; nobody spins.
#ifndef SELFSAME_PY_WORD_LOCK_H_
#define SELFSAME_PY_WORD_LOCK_H_

#include "tie/interp.h"
#include "selfsame/tie.h"

#if SS_FREE_THREADED

#define SS_WORD_LOCK_BITS (SELFSAME_TIE_LOCKED | SELFSAME_TIE_PARKED)

SS_HIDDEN uintptr_t ss_word_lock_slow(SelfsameTieRecord* record);
SS_HIDDEN void ss_word_wake(const uintptr_t* word);

// Returns the word, without the lock's bits.
static inline uintptr_t ss_word_lock(SelfsameTieRecord* record) {
  uintptr_t seen = __atomic_load_n(&record->wrapper, __ATOMIC_RELAXED);
  if (SS_LIKELY((seen & SS_WORD_LOCK_BITS) == 0) &&
      SS_LIKELY(__atomic_compare_exchange_n(&record->wrapper, &seen, seen | SELFSAME_TIE_LOCKED, 0, __ATOMIC_ACQUIRE,
                                            __ATOMIC_RELAXED))) {
    return seen;
  }
  return ss_word_lock_slow(record);
}

// Writes the word and gives the lock back. The record may be somebody else's from here on.
static inline void ss_word_unlock(SelfsameTieRecord* record, uintptr_t word) {
  uintptr_t old = __atomic_exchange_n(&record->wrapper, word, __ATOMIC_RELEASE);
  if (SS_UNLIKELY(old & SELFSAME_TIE_PARKED)) ss_word_wake(&record->wrapper);
}

// Gives the lock back without changing the word, and sleeps until somebody has held it. The caller owns a reference to
// the native. May let other threads, and so Python code, run.
SS_HIDDEN void ss_word_await(SelfsameTieRecord* record, uintptr_t word);

// For a forked child: nobody waits there.
SS_HIDDEN void ss_word_lock_after_fork(void);

// The lock for somebody who owns no reference to the native, to look at the block in a word. 0: there is none, or the
// word is changing this very moment. Deaths are postponed meanwhile (tie.h); one that comes takes the word away, and
// giving the lock back does not undo that.
SS_HIDDEN int ss_word_try_look(SelfsameTieRecord* record, uintptr_t* word);
SS_HIDDEN void ss_word_looked(SelfsameTieRecord* record, uintptr_t word);

#else

static inline uintptr_t ss_word_lock(SelfsameTieRecord* record) {
  return __atomic_load_n(&record->wrapper, __ATOMIC_ACQUIRE);
}
static inline void ss_word_unlock(SelfsameTieRecord* record, uintptr_t word) {
  __atomic_store_n(&record->wrapper, word, __ATOMIC_RELEASE);
}

#endif  // SS_FREE_THREADED
#endif  // SELFSAME_PY_WORD_LOCK_H_
