// The list of the C functions that a library's Go code calls.
//
// A copy of the library (selfcopy.h) has new Go code and the original's C code: each function of this list, in the
// copy, jumps to the original's. So each C function that Go calls must be on the list, and Go must not take the address
// of a C function, but call one that returns it. Functions of libc need not be on it.
#ifndef SELFSAME_INTERNAL_SELFCOPY_CALLED_H_
#define SELFSAME_INTERNAL_SELFCOPY_CALLED_H_

#include "selfcopy.h"

#ifdef __linux__

// lld drops a section of which only the borders are used, unless it has the flag R, which older GNU assemblers do not
// know.
#ifdef __clang__
#define SS_CALLED_FLAGS "awR"
#else
#define SS_CALLED_FLAGS "aw"
#endif

// Adds a function, which must not be static, to the list. Used outside of functions, in one file of each package.
#define SS_CALLED_FROM_GO(name)                                                           \
  __asm__(                                                                                \
      ".pushsection .text.ss_jumps, \"ax\"\n.balign 16\n0: .skip 16, 0xcc\n.popsection\n" \
      ".pushsection ss_called, \"" SS_CALLED_FLAGS "\"\n.balign 8\n.quad " #name ", 0b\n.popsection")

#pragma GCC visibility push(hidden)

// The list, put together by the linker.
extern const SsCalled ss_called_begin[] __asm__("__start_ss_called");
extern const SsCalled ss_called_end[] __asm__("__stop_ss_called");

#pragma GCC visibility pop

#else  // no copies, so no list

#define SS_CALLED_FROM_GO(name) _Static_assert(sizeof(#name) > 1, "a name")
static const SsCalled ss_called_begin[1];
static const SsCalled* const ss_called_end = ss_called_begin;

#endif

#endif  // SELFSAME_INTERNAL_SELFCOPY_CALLED_H_
