// Private to the runtime: builtin functions that are served in C as long as nothing is wrong.
#ifndef SELFSAME_RUNTIME_FAST_H_
#define SELFSAME_RUNTIME_FAST_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)

// The C part of the builtin function of that name, NULL when it has none. It is called as the function's closure, with
// the closure's number as its first argument, and passes on to ss_closure_call what it does not serve.
TVMFFISafeCallType ss_fast_function(const char* name, size_t size);

// Says which object stands for "there is none" (borrowed; it has to live as long as the process).
void ss_fast_set_missing(void* sentinel);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_FAST_H_
