// The lock in the wrapper word. Without the GIL a thread locks a word that other threads may change before it reads or
// changes it. With the GIL these functions are a load and a store.
// RATIONALE.md, "Why the word is its own lock, and only without a GIL".
//
// A thread that holds the lock allocates and releases nothing and calls nothing that may run Python code or sleep. It
// is attached, owns a reference to the native object, and holds the lock for a few instructions. So the native object's
// death, which happens when there is no reference, never meets a locked word. A thread that waits for the lock sleeps until
// the word changes; it does not spin. It stays attached, so that no collection comes between: the wrapper that it drops may
// have a count of zero already, and a collector would free such an object.
#ifndef SELFSAME_CORE_TIE_WORD_LOCK_H_
#define SELFSAME_CORE_TIE_WORD_LOCK_H_

#include "tie/interp.h"
#include "selfsame/tie.h"

#if SS_FREE_THREADED

#define SS_WORD_LOCK_BITS (SELFSAME_TIE_LOCKED | SELFSAME_TIE_PARKED)

SS_HIDDEN uintptr_t ss_word_lock_slow(SelfsameTieRecord* record);
SS_HIDDEN void ss_word_wake(const uintptr_t* word);

// Locks the word and returns it, without the bits of the lock.
static inline uintptr_t ss_word_lock(SelfsameTieRecord* record) {
  uintptr_t seen = __atomic_load_n(&record->wrapper, __ATOMIC_RELAXED);
  if (SS_LIKELY((seen & SS_WORD_LOCK_BITS) == 0) &&
      SS_LIKELY(__atomic_compare_exchange_n(&record->wrapper, &seen, seen | SELFSAME_TIE_LOCKED, 0, __ATOMIC_ACQUIRE,
                                            __ATOMIC_RELAXED))) {
    return seen;
  }
  return ss_word_lock_slow(record);
}

// Writes the word and gives the lock back. After that the record may belong to another native object.
static inline void ss_word_unlock(SelfsameTieRecord* record, uintptr_t word) {
  uintptr_t old = __atomic_exchange_n(&record->wrapper, word, __ATOMIC_RELEASE);
  if (SS_UNLIKELY(old & SELFSAME_TIE_PARKED)) ss_word_wake(&record->wrapper);
}

// Gives the lock back without changing the word, and sleeps until another thread has locked the word. The caller owns a
// reference to the native object. Other threads, and so Python code, may run during the call.
SS_HIDDEN void ss_word_await(SelfsameTieRecord* record, uintptr_t word);

// For a forked child, in which no thread waits.
SS_HIDDEN void ss_word_lock_after_fork(void);

// For the child of os.fork: opens the locks of wrappers, and of their attributes, that threads of the parent hold
// (object_locks.c).
SS_HIDDEN void ss_object_locks_after_fork(void);

// Locks a word for a caller that owns no reference to the native object, in order to look at the block in it. The
// caller must have postponed deaths (tie.h). 0 when there is no block, or when another thread has locked the word. A
// death during the look takes the word away, and ss_word_looked, which gives the lock back, does not undo that.
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
#endif  // SELFSAME_CORE_TIE_WORD_LOCK_H_
