// Function objects whose body is a Go function, found by a number ("closure id"). Private to the runtime.
#ifndef SELFSAME_INTERNAL_CONTROL_CLOSURE_H_
#define SELFSAME_INTERNAL_CONTROL_CLOSURE_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)

// Makes a Function for the Go closure `id`, and releases that closure when the Function dies. If `call` is not NULL,
// callers of the Function run `call` with the id as `self`; it may fall back to ss_closure_call (builtins_fast.h).
// Returns 0 with *out a new reference, or -1 with an error raised; then `id` stays the caller's.
int ss_closure_new(uintptr_t id, TVMFFISafeCallType call, TVMFFIObjectHandle* out);

// Calls the Go closure whose id is `self`. A TVMFFISafeCallType: arguments are borrowed, *result is a new reference.
int ss_closure_call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

// Whether a Function may store its result in *result. Raises an error naming `function` when it must not.
int ss_check_result(const TVMFFIAny* result, const char* function);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_CONTROL_CLOSURE_H_
