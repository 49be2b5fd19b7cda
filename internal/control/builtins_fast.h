// Builtin functions in C: they serve calls with arguments of exactly the types of their signature, and pass every other
// call, unchanged, to Go. There the signature is checked. What it admits nonetheless, such as a bool as an integer, is
// converted, and given to the C function again; those that are not only in C have an implementation in Go too. Private
// to the runtime. RATIONALE.md, "Why a builtin function may have a part in C".
#ifndef SELFSAME_RUNTIME_BUILTINS_FAST_H_
#define SELFSAME_RUNTIME_BUILTINS_FAST_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)

// Returns the fast path of the builtin function `name`, or NULL when it has none. The fast path must be the call
// function of the Go implementation's closure (`call` of ss_closure_new).
TVMFFISafeCallType ss_fast_function(const char* name, size_t size);

// Calls the function in C of that name for Go, with borrowed arguments of exactly the types of its signature. *result is
// a new reference. Returns 0, or -1 raised.
int ss_fast_call(const char* name, size_t size, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

// Sets the sentinel object that look-ups return for a missing key. It is borrowed and must live as long as the process.
// Must be called before the first fast path runs; until then those that need it fall back to Go.
void ss_fast_set_missing(void* sentinel);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_BUILTINS_FAST_H_
