// Fast paths in C of builtin functions: they serve calls with valid arguments, and pass every other call, unchanged, to
// the Go implementation. Private to the runtime. RATIONALE.md, "Why a builtin function may have a part in C".
#ifndef SELFSAME_RUNTIME_BUILTINS_FAST_H_
#define SELFSAME_RUNTIME_BUILTINS_FAST_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)

// Returns the fast path of the builtin function `name`, or NULL when it has none. The fast path must be the call
// function of the Go implementation's closure (`call` of ss_closure_new).
TVMFFISafeCallType ss_fast_function(const char* name, size_t size);

// Sets the sentinel object that look-ups return for a missing key. It is borrowed and must live as long as the process.
// Must be called before the first fast path runs; until then those that need it fall back to Go.
void ss_fast_set_missing(void* sentinel);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_BUILTINS_FAST_H_
