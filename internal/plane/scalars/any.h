// Reading values (any.c) and making strings (string.c). Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_SCALARS_ANY_H_
#define SELFSAME_INTERNAL_PLANE_SCALARS_ANY_H_

#include "selfsame/internal/values.h"

#pragma GCC visibility push(hidden)

// The bytes of a string or bytes value, small or heap, borrowed from `any`. Returns 0 for any other value.
int ss_any_bytes(const TVMFFIAny* any, TVMFFIByteArray* out);

// Releases n owned values and leaves None.
static inline void ss_any_clear_all(TVMFFIAny* values, int64_t n) {
  for (int64_t i = 0; i < n; i++) ss_any_clear(&values[i]);
}

// A string on the heap, even a short one: upstream's TVMFFIDataTypeToString gives such, and its callers rely on it.
// *out: owned. Returns 0, or -1 raised.
int ss_string_concat(const TVMFFIByteArray* parts, size_t n, TVMFFIAny* out);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_SCALARS_ANY_H_
