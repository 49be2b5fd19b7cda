// Waiting for the runtime's start, and whether there is a Go to call (startup.c). Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_CORE_STARTUP_H_
#define SELFSAME_INTERNAL_PLANE_CORE_STARTUP_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// For a look-up that found nothing: waits until the runtime's start is done. Returns 1 when the caller must look again,
// because the start may have added the entry since; 0 on the thread that runs the start, and when it is too early to
// wait.
int ss_wait_ready(void);
// Whether the caller runs, before the start, on the thread that will run it, so that it cannot wait. Raises
// RuntimeError naming `function` then.
int ss_too_early(const char* function);

// The state that the start of a Go runtime finds.
enum {
  SS_START_FIRST,  // an empty data plane
  SS_START_AGAIN,  // in a forked child, a complete one
  SS_START_REST,   // in a forked child, what the parent's start had made when the process forked
};
int ss_start_begin(void);  // on the thread that runs the runtime's start
void ss_start_end(void);   // on the same thread

// Whether this process may enter Go; in a forked child, loads a copy of the library first. Raises RuntimeError naming
// `function` and returns 0 when that fails, and when it is too early.
int ss_may_enter_go(const char* function);

// Whether there is a Go to enter now, without loading one.
int ss_has_go(void);
// A forked child has a Go, whose entry points are in the table. For child.c.
void ss_go_is_back(void);

enum { SS_REASON_SIZE = 1024 };  // room for the reason why a copy cannot be loaded

// The first statement of every function that calls Go.
#define SS_ENTER_GO(function, failure)                \
  do {                                                \
    if (!ss_may_enter_go(function)) return (failure); \
  } while (0)

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_STARTUP_H_
