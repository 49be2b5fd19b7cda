// Private to the runtime: constructors made from a class's fields, called in C.
#ifndef SELFSAME_RUNTIME_AUTO_INIT_H_
#define SELFSAME_RUNTIME_AUTO_INIT_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)

typedef struct ss_init_plan ss_init_plan;

// A Function that constructs objects of `type`. `fields` are all its fields, ancestors' first, `positional` the numbers
// of those that take positional arguments, in order, `kwargs` the sentinel that keyword arguments follow. What the call
// does not fit goes to the Go function `id`, which the Function gives back when it dies. Copies both lists. Returns 0,
// or -1 raised; then `id` stays the caller's.
int ss_auto_init_new(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* fields, int32_t num_fields,
                     const int32_t* positional, int32_t num_positional, const void* kwargs, uintptr_t id,
                     TVMFFIObjectHandle* out);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_AUTO_INIT_H_
