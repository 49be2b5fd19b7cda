// Keeps a forked child from entering the Go runtime of the parent, which is dead there: its signal handlers must not
// run, and no thread's end may call it. Each copy of a library has this file's code for its own Go runtime.
//
// Go installs its signal handlers while the library is loaded. Here each is replaced by a function that calls it as
// long as its Go runtime lives, and then passes the signal on to the handler that was there before Go's. Handlers that
// other code installs later keep this function's address as the one before theirs, so they may call it at any time.
//
// Why Go's signal handlers are called by a function of ours. In a forked child the parent's Go is dead, and its
// handlers may wait for a lock that no thread holds. A handler that was installed after Go's, such as faulthandler's,
// keeps the address of the one before it. So the address that others see is a function of ours, which calls Go's
// handler while that Go lives, and afterwards the one from before Go's. A thread that has called Go calls it once more
// when it ends, through a pointer in runtime/cgo; the child clears that pointer.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#include "image.h"
#include "selfcopy.h"

enum { NUM_SIGNALS = 65 };

static volatile int is_dead;
static SsImage image;  // of this library
static struct sigaction before_go[NUM_SIGNALS], of_go[NUM_SIGNALS];

// runtime/cgo's pointer to a function of Go that runs when a thread ends which has called Go. NULL: nothing runs.
extern __attribute__((weak)) void* thread_end_in_go __asm__("x_crosscall2_ptr");

typedef void (*Handler)(int, siginfo_t*, void*);

// Does what the kernel does with a signal that has no handler.
static void by_default(int number, const siginfo_t* info) {
  if (number == SIGURG || number == SIGCHLD || number == SIGWINCH || number == SIGCONT) return;
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(number, &action, NULL);
  // A fault happens again when the handler returns. Another signal is sent again, and comes when it is not blocked.
  if (info == NULL || info->si_code <= 0 || number == SIGPIPE) raise(number);
}

static void on_signal(int number, siginfo_t* info, void* context) {
  if (!is_dead) {
    of_go[number].sa_sigaction(number, info, context);
    return;
  }
  const struct sigaction* before = &before_go[number];
  if (before->sa_flags & SA_SIGINFO) {
    before->sa_sigaction(number, info, context);
  } else if (before->sa_handler == SIG_DFL) {
    by_default(number, info);
  } else if (before->sa_handler != SIG_IGN) {
    before->sa_handler(number);
  }
}

static int is_of_go(const struct sigaction* action) {
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction != on_signal &&
         ss_image_contains(&image, (uintptr_t)action->sa_sigaction);
}

// Calls `change` with each signal whose handler is this library's Go.
static void for_each_of_go(void (*change)(int number, const struct sigaction* action)) {
  for (int number = 1; number < NUM_SIGNALS; number++) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && is_of_go(&action)) change(number, &action);
  }
}

static void take_over(int number, const struct sigaction* action) {
  of_go[number] = *action;
  struct sigaction ours = *action;
  ours.sa_sigaction = on_signal;
  sigaction(number, &ours, NULL);
}

static void give_back(int number, const struct sigaction* action) {
  (void)action;
  sigaction(number, &before_go[number], NULL);
}

void ss_self_copy_go_has_started(void) {
  char message[1];
  // Kept, because in a child the loader may be locked. Not found in a program, which has no copies.
  if (!ss_image_find(&is_dead, &image, message, sizeof message)) image.num_headers = 0;
  for_each_of_go(take_over);
}

static void in_child(void) {
  if (is_dead) return;
  is_dead = 1;
  for_each_of_go(give_back);  // those that Go installed since
  if (&thread_end_in_go != NULL) thread_end_in_go = NULL;
}

// Go's part of loading the library is a constructor without a priority, which runs later.
__attribute__((constructor(101))) static void before_start(void) {
  for (int number = 1; number < NUM_SIGNALS; number++) sigaction(number, NULL, &before_go[number]);
  pthread_atfork(NULL, NULL, in_child);
}
