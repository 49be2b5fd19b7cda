// The signals that the threads of a library's Go runtime take.
//
// The kernel gives a signal of the process to any thread that does not block it. A host that blocks one in all its threads,
// for sigwait or signalfd, would lose it to a thread of Go's. So Go starts on a thread that blocks all, which its other
// threads take over; Go itself unblocks what its runtime needs and what os/signal asks for. The linker's option --wrap
// (cgo_linux.go) sends runtime/cgo's start of Go here.
//
// A program that Go starts inherits the mask of a thread of Go's, and could not be ended by a signal. A library whose
// packages start programs therefore has the variable ss_guest_starts_programs (programs_linux.go), and keeps
// the mask of the thread that loads it.
#include <pthread.h>
#include <signal.h>

void __real_x_cgo_sys_thread_create(void* (*func)(void*), void* argument) __attribute__((weak));  // NOLINT
void __wrap_x_cgo_sys_thread_create(void* (*func)(void*), void* argument);                        // NOLINT
extern const char ss_guest_starts_programs __attribute__((weak, visibility("hidden")));

// On the thread that loads the library.
void __wrap_x_cgo_sys_thread_create(void* (*func)(void*), void* argument) {  // NOLINT
  sigset_t all, before;
  sigfillset(&all);
  int is_blocked = &ss_guest_starts_programs == NULL && pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
  __real_x_cgo_sys_thread_create(func, argument);
  if (is_blocked) pthread_sigmask(SIG_SETMASK, &before, NULL);
}
