// Private to the runtime: Function objects whose body is a Go function.
#ifndef SELFSAME_RUNTIME_CLOSURE_H_
#define SELFSAME_RUNTIME_CLOSURE_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)

// A Function of the Go function of that number, which it gives back when it dies. `call` runs instead of it when it is
// not NULL (see builtins_fast.h). Returns 0, or -1 raised.
int ss_closure_new(uintptr_t id, TVMFFISafeCallType call, TVMFFIObjectHandle* out);

// Calls the Go function whose number is `self`.
int ss_closure_call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_CLOSURE_H_
