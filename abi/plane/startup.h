// Waiting for the runtime's start, and refusing calls into Go (startup.c). Any thread.
#ifndef SELFSAME_ABI_PLANE_STARTUP_H_
#define SELFSAME_ABI_PLANE_STARTUP_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// For a look-up that found nothing: waits until the runtime's start is done. Returns 1 when the caller must look again,
// because the start may have added the entry since; 0 on the thread that runs the start, in a forked child, and when it
// is too early to wait.
int ss_wait_ready(void);
// Whether the caller runs, before the start, on the thread that will run it, so that it cannot wait. Raises
// RuntimeError naming `function` then.
int ss_too_early(const char* function);
void ss_start_begin(void);  // on the thread that runs the runtime's start
void ss_start_end(void);    // on the same thread

// Whether this process may enter Go. Raises RuntimeError naming `function` and returns 0 in a forked child, and when it
// is too early.
int ss_may_enter_go(const char* function);

int ss_in_forked_child(void);

// The first statement of every function that calls Go.
#define SS_ENTER_GO(function, failure)                \
  do {                                                \
    if (!ss_may_enter_go(function)) return (failure); \
  } while (0)

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_STARTUP_H_
