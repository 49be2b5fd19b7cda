// Walks over graphs of objects, with one call from Go for many fields (go_walks.c). Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_GO_WALKS_H_
#define SELFSAME_INTERNAL_PLANE_GO_WALKS_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// Reads n fields of each of `num_objs` objects through their getters: out[o * n + i] is field i of object o, owned.
// Returns 0, or non-zero with an error raised; then `out` holds no references.
int ss_fields_read(const TVMFFIFieldInfo* const* fields, int32_t n, void* const* objs, int32_t num_objs,
                   TVMFFIAny* out);

// Calls a Function with borrowed arguments. *result: owned, None before the call. Returns 0, or non-zero with an error
// raised.
int ss_function_call(void* function, const TVMFFIAny* args, int32_t n, TVMFFIAny* result);

// Makes an object of a type and sets fields of it: values[i] is borrowed; a value of type index -1 stands for the
// field's default. Returns 0 with *out a new reference, or non-zero with an error raised.
int ss_object_build(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* const* fields, const TVMFFIAny* values,
                    int32_t n, void** out);

// Releases n owned values and leaves None.
void ss_any_clear_all(TVMFFIAny* values, int64_t n);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_GO_WALKS_H_
