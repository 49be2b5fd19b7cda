// The Go runtime of a forked child (child.c): a copy of this library, loaded by the first call that needs Go.
//
// In a copy, each C function that Go calls jumps to the original's (internal/selfcopy/called.h), so the original's C
// code stays the process's data plane, and its state is the state of the process, in children of children too.
// RATIONALE.md, "Why a forked child loads a copy of the library".
#ifndef SELFSAME_INTERNAL_PLANE_CORE_CHILD_H_
#define SELFSAME_INTERNAL_PLANE_CORE_CHILD_H_

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)
#ifdef __cplusplus
extern "C" {
#endif

// The address of a Go function that C calls.
typedef void (*SsGoEntry)(void);

// Names this library's table of entry points into Go, which has this library's own. In a copy: writes them into the
// original's table, which C code reads. Called by a constructor.
void ss_offer_entries(SsGoEntry* entries, size_t count);

// In a forked child: loads a copy of the library, unless the process has a running Go. Returns 1, or 0 with the reason
// in `message`. Any thread; others wait. Must not run inside of a copy's constructors.
int ss_load_go(char* message, size_t message_size);

// Whether this code is in a copy.
int ss_is_copy(void);

// The number of forks that led to this process. A C function that Go calls, and that may run code of others, notes the
// number before and passes it to ss_return_to_go before it returns. Code that forks inside of the call returns in the
// child to the Go of the parent, which is dead. The process then ends with a message.
extern uint32_t ss_fork_generation;
void ss_return_to_dead_go(void) __attribute__((noreturn));

static inline uint32_t ss_leave_go(void) { return ss_fork_generation; }
static inline void ss_return_to_go(uint32_t generation) {
  if (__builtin_expect(generation != ss_fork_generation, 0)) ss_return_to_dead_go();
}

// Fork handlers. In the child there is no Go afterwards.
void ss_child_fork_prepare(void);
void ss_child_fork_parent(void);
void ss_child_fork_child(void);

#ifdef __cplusplus
}  // extern "C"
#endif
#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_CHILD_H_
