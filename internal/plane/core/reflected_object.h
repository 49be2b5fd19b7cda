// Objects described by reflection alone: classes defined in Python, and the builtin ones (reflected_object.c,
// pyclass.c). Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_CORE_REFLECTED_OBJECT_H_
#define SELFSAME_INTERNAL_PLANE_CORE_REFLECTED_OBJECT_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// The C getter of a field of storage kind `type_index` (as ffi.MakeFieldGetter numbers them), or NULL.
TVMFFIFieldGetter ss_reflected_getter(int32_t type_index);
// Whether a getter is one of these and only reads the storage of a plain field.
int ss_reflected_getter_known(TVMFFIFieldGetter getter);

// A new object of `size` zero bytes whose deleter releases what its reflected fields own. New reference; NULL raised.
void* ss_reflected_new(const TVMFFITypeInfo* type, int64_t size);
// Copies the fields of `from` to a new object, with a reference to everything they own.
void ss_reflected_copy(void* obj, const void* from, const TVMFFITypeInfo* type);

// Converts a value: *out is owned. Returns 0, or non-zero with an error raised.
typedef int (*SsConvert)(void* converter, const TVMFFIAny* value, TVMFFIAny* out);
// A Function (field address, value) that converts the value and stores it as storage kind `type_index` asks. *out: new
// reference. Returns 0, or -1 raised.
int ss_reflected_setter(int32_t type_index, void* converter, SsConvert convert, TVMFFIObjectHandle* out);
// A Function that makes an object of `size` bytes, or with `copy` one that copies an object. *out: new reference.
// Returns 0, or -1 raised.
int ss_reflected_function(const TVMFFITypeInfo* type, int64_t size, int copy, TVMFFIObjectHandle* out);

// Getters and setters that the builtin types register. A setter checks the (borrowed) value and stores it.
int ss_set_any(void* field, const TVMFFIAny* value);
int ss_set_int64(void* field, const TVMFFIAny* value);
int ss_set_int32(void* field, const TVMFFIAny* value);
int ss_set_string(void* field, const TVMFFIAny* value);
int ss_get_int32(void* field, TVMFFIAny* result);
int ss_get_object(void* field, TVMFFIAny* result);

// Raises TypeError: a value of this type cannot become a `wanted`. Always returns -1.
int ss_raise_cannot_convert(const TVMFFIAny* value, const char* wanted);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_REFLECTED_OBJECT_H_
