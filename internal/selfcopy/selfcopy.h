// Loading a second copy of the library that contains this code, with a Go runtime of its own.
//
// A copy knows from its first instruction that it is one. The library has an 8-byte variable in its .data section, the
// hand-over variable. In the copy that variable has another value from the start, such as the address of something in
// the original's memory. RATIONALE.md, "Why a forked child loads a copy of the library".
#ifndef SELFSAME_INTERNAL_SELFCOPY_SELFCOPY_H_
#define SELFSAME_INTERNAL_SELFCOPY_SELFCOPY_H_

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

// The hand-over variable's value in the file. Declare the variable as
//   static volatile uint64_t handover = SS_SELF_COPY_NONE;
// so that it lies in .data: not constant, not zero, no address.
#define SS_SELF_COPY_NONE UINT64_C(0x5e1f5a3ec0b1e500)

// Loads a copy of the library that *handover_variable lies in, with `value` in the copy's variable. The library must be
// an original, not a copy, and its file must be the one that the process loaded. Returns the handle of dlopen, which
// stays open for the rest of the process, or NULL with the reason in `message` (without a prefix). When it returns, the
// copy's constructors have run, and its Go runtime has begun to start.
//
// Any thread that may call dlopen; two threads may load copies of two libraries at once, not of one.
void* ss_self_copy_load(volatile uint64_t* handover_variable, uint64_t value, char* message, size_t message_size);

// A function of the library that jumps to the original's in a copy, and 16 bytes of code for that jump (called.h).
typedef struct {
  void (*function)(void);  // of at least 5 bytes, padding included
  void* jump;
} SsCalled;

// The same, with a copy whose C code is not used: each of the `count` functions jumps to the original's. The copy has
// only the first 8 bytes of the initial-exec thread-local variables, which are Go's, and crashes when it uses another.
// A process has about 1.6 KB for the thread-local variables of all copies.
void* ss_self_copy_load_go(volatile uint64_t* handover_variable, uint64_t value, const SsCalled* functions,
                           size_t count, char* message, size_t message_size);

// Calls `change` while the handlers of these `count` signals are those from before Go's. The ones that it leaves take
// their place, and Go's come back on top. Leaves a signal alone whose handler was installed after Go's. Any thread, not in
// a signal handler. During the call a fault of Go's on another thread goes to those handlers. Does nothing but the call in a
// program, and on systems other than Linux.
void ss_self_copy_below_go(const int* numbers, int count, void (*change)(void* data), void* data);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_SELFCOPY_SELFCOPY_H_
