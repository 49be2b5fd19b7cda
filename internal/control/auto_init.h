// Constructors made from a class's reflected fields (`__ffi_init__`), called without entering Go. Private to the
// runtime.
#ifndef SELFSAME_INTERNAL_CONTROL_AUTO_INIT_H_
#define SELFSAME_INTERNAL_CONTROL_AUTO_INIT_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)

// The data of a constructor, owned by its Function. Go finds in it what it needs for the calls that do not fit.
typedef struct {
  const TVMFFITypeInfo* type;
  const TVMFFIObject* kwargs;  // the sentinel that keyword arguments follow; lives as long as the process
  int32_t num_fields;
  int32_t num_positional;
  const int32_t* positional;  // indices into fields of those that take positional arguments, in order
  TVMFFIFieldInfo fields[];   // all fields of the type, ancestors' first
} SsConstructor;

// Makes a Function that constructs objects of `type`. Both lists are copied. Returns 0 with *out a new reference, or -1
// with an error raised.
int ss_auto_init_new(const TVMFFITypeInfo* type, const TVMFFIFieldInfo* fields, int32_t num_fields,
                     const int32_t* positional, int32_t num_positional, const void* kwargs, TVMFFIObjectHandle* out);

// The fields of a constructor.
const TVMFFIFieldInfo* ss_constructor_fields(const SsConstructor* constructor);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_CONTROL_AUTO_INIT_H_
