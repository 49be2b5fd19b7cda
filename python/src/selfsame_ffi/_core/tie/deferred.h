// Deferred releases: releases that need an attached thread, queued by threads that are not attached.
//
// A native thread that drops the last reference to something of Python's pushes the release on a lock-free stack. The
// stack is emptied at the next entry from Python: a call of a native function, or a fetch that is not on the fast path.
// A pending call empties it too, which the interpreter runs on its main thread between two instructions. When more than
// a thousand releases wait, a thread that is made for it attaches itself and empties it: a main thread that sleeps in
// native code runs no pending call.
//
// An entry lies in the memory of the dead thing: a kept block, a native owner, the managed tensor of an exporter, or a
// native object that held its wrapper until its last reference was released. So deferring allocates nothing and cannot
// fail, and each of them is in the queue once at most. Even a queue that stays full, because native code keeps the GIL,
// holds no more memory than its entries did while they lived. No thread waits for room in the queue, because the
// interpreter may be waiting for a lock of that thread's.
//
// A thread that Python called, and that has released the GIL, keeps a few releases that only free memory for itself
// instead. It runs them when it is attached again. They are not in the queue and not counted. RATIONALE.md, "Why a
// thread that released the GIL frees kept blocks itself".
//
// Once the interpreter shuts down, such releases are dropped: the process is about to end.
#ifndef SELFSAME_CORE_TIE_DEFERRED_H_
#define SELFSAME_CORE_TIE_DEFERRED_H_

#include <stdint.h>

#include "tie/interp.h"

typedef struct SsDeferred {
  uintptr_t next;                        // the next entry of its list
  void (*run)(struct SsDeferred* self);  // called on an attached thread; frees the memory that self lies in
} SsDeferred;

// Runs `item` now when the calling thread is attached, otherwise later. Of releases that nest deeply, the inner ones
// run before the outermost returns. Any thread; never waits.
SS_HIDDEN void ss_defer(SsDeferred* item);

// The same for a release that only frees memory: a thread that has released the GIL may keep it until it is attached.
SS_HIDDEN void ss_defer_memory(SsDeferred* item);

// Receives a native object that lost its last reference while it held its wrapper (set_hand_back in tie.h). Takes over
// the reference that the table gave it. The wrapper takes that reference, and is released: now when the calling thread
// is attached, otherwise later. Any thread; never waits.
SS_HIDDEN void ss_hand_back(TVMFFIObject* object);

// Waits until the thread that has released the last reference to a native object, which holds its wrapper, has given it
// one again. That thread needs a few instructions for it, and no GIL. The caller keeps the wrapper alive.
SS_HIDDEN void ss_await_hand_back(const TVMFFIObject* object);

// The releases that the calling thread keeps for itself.
typedef struct {
  SsDeferred* first;  // of the list, NULL for none
  int count;          // of the list
} SsDeferredOwn;
extern SS_HIDDEN __thread SsDeferredOwn ss_deferred_own SS_STATIC_TLS;

// Runs all deferred releases but those that other threads keep. Keeps the Python error that is set. Attached threads
// only; may run any code.
extern SS_HIDDEN uintptr_t ss_deferred_head;
SS_HIDDEN void ss_run_deferred_slow(void);
static inline void ss_run_deferred(void) {
  if (SS_UNLIKELY(__atomic_load_n(&ss_deferred_head, __ATOMIC_RELAXED) != 0 || ss_deferred_own.first != NULL)) {
    ss_run_deferred_slow();
  }
}

// In a forked child, before any other function of this header. Needs no interpreter.
SS_HIDDEN void ss_deferred_after_fork(void);

// How many releases were deferred so far, and how many of them have not run yet.
SS_HIDDEN int64_t ss_deferred_total(void);
SS_HIDDEN int64_t ss_deferred_waiting(void);

#endif  // SELFSAME_CORE_TIE_DEFERRED_H_
