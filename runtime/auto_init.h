// Constructors made from a class's reflected fields (`__ffi_init__`), called without entering Go. Private to the
// runtime.
#ifndef SELFSAME_RUNTIME_AUTO_INIT_H_
#define SELFSAME_RUNTIME_AUTO_INIT_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)

// Makes a Function that constructs objects of `type`. `fields` are all fields of the type, ancestors' first;
// `positional` has the indices into `fields` of those that take positional arguments, in order; `kwargs` is the
// sentinel object that keyword arguments follow, and must live as long as the process. The Function passes a call that
// does not fit to the Go closure `id`, and releases that closure when it dies. Both lists are copied.
//
// Returns 0 with *out a new reference, or -1 with an error raised; then `id` stays the caller's.
int ss_auto_init_new(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* fields, int32_t num_fields,
                     const int32_t* positional, int32_t num_positional, const void* kwargs, uintptr_t id,
                     TVMFFIObjectHandle* out);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_AUTO_INIT_H_
