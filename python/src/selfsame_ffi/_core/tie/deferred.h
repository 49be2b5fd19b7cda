// Releases that need the interpreter, asked for by threads that must not wait for it.
//
// A native thread that drops the last reference to something of Python's pushes the work on a lock-free stack. The
// stack is emptied at the next entry from Python (a call of a native function, or a fetch that is not the quickest); by
// a pending call, which the interpreter runs on its main thread between two instructions; and, when more than a
// thousand releases wait, by a thread that is made to empty it as soon as it gets the interpreter.
//
// An entry lies in the memory of what is dead: a kept block, a native that owned something of Python's, the managed
// tensor of an exporter. So deferring allocates nothing and cannot fail, each of them is in the queue once at most, and
// a queue that nobody empties, because native code keeps the interpreter from everybody, holds no more memory than its
// entries did while they lived. Nobody waits for room: see "Why the queue has no limit" in RATIONALE.md.
//
// After the interpreter has begun to shut down, such work is given up: the memory is the process's to take back.
#ifndef SELFSAME_PY_QUEUE_H_
#define SELFSAME_PY_QUEUE_H_

#include "tie/core.h"

typedef struct SsDeferred {
  struct SsDeferred* next;
  void (*run)(struct SsDeferred* self);  // called with the GIL held; frees the memory that self lies in
} SsDeferred;

// Runs `item` now when this thread has the interpreter, otherwise later. Where releases nest deeply, one runs after
// others, but before the outermost returns. Any thread, waits for nobody.
SS_HIDDEN void ss_defer(SsDeferred* item);

// Runs what was deferred.
extern SS_HIDDEN SsDeferred* ss_deferred_head;
SS_HIDDEN void ss_run_deferred_slow(void);
static inline void ss_run_deferred(void) {
  if (SS_UNLIKELY(__atomic_load_n(&ss_deferred_head, __ATOMIC_RELAXED) != NULL)) ss_run_deferred_slow();
}

// In a forked child, before anything else of this module. No interpreter is needed.
SS_HIDDEN void ss_deferred_after_fork(void);

// Number of releases deferred so far, and of those not run yet.
SS_HIDDEN int64_t ss_deferred_total(void);
SS_HIDDEN int64_t ss_deferred_waiting(void);

#endif  // SELFSAME_PY_QUEUE_H_
