// The process's resource limits, before a library with a Go runtime is loaded.
#ifndef SELFSAME_CORE_TIE_LIMITS_H_
#define SELFSAME_CORE_TIE_LIMITS_H_

// Whether one more Go runtime fits into the limits on address space and data. A Go runtime that does not get its memory
// or threads while it starts ends the process. 0, or -1 with ImportError set, which begins with `name`. Needs the GIL.
__attribute__((visibility("hidden"))) int ss_limits_check(const char* name);

#endif  // SELFSAME_CORE_TIE_LIMITS_H_
