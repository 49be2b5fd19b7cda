// Registrations by another runtime library that was loaded after this one (second_runtime_linux.c). Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_CORE_SECOND_RUNTIME_H_
#define SELFSAME_INTERNAL_PLANE_CORE_SECOND_RUNTIME_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// Tells whether the return address `caller` lies in another library that defines the functions of the ABI itself. If
// so, returns the first type index that was free when that library called first: it registered none of the types below
// that index. Returns 0 for any other caller.
int32_t ss_second_runtime(const void* caller);

// The same for the caller of the function that contains it, as a condition: the registration of something that exists
// already, which the caller must leave as it is.
#define SS_FROM_SECOND_RUNTIME(exists) \
  (__builtin_expect(ss_second_runtime(__builtin_return_address(0)) != 0, 0) && (exists))

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_SECOND_RUNTIME_H_
