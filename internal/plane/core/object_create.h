// Making objects and setting their fields through what their types registered (object_create.c). Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_CORE_OBJECT_CREATE_H_
#define SELFSAME_INTERNAL_PLANE_CORE_OBJECT_CREATE_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// Makes an object of a type: through its creator, else through its attribute __ffi_new__. *out: new reference. Returns
// 0, or -1 raised.
int ss_object_create(const TVMFFITypeInfo* type, TVMFFIObjectHandle* out);

// Sets a field to a (borrowed) value, or to its default; the field must have one. Returns 0, or non-zero with an error
// raised.
int ss_field_set(const TVMFFIFieldInfo* field, void* obj, const TVMFFIAny* value);
int ss_field_set_default(const TVMFFIFieldInfo* field, void* obj);

// Calls a Function with borrowed arguments. *result: owned, None before the call. Returns 0, or non-zero with an error
// raised.
int ss_function_call(void* function, const TVMFFIAny* args, int32_t n, TVMFFIAny* result);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_OBJECT_CREATE_H_
