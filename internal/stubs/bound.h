// The table of pointers that the stubs jump through.
#ifndef SELFSAME_INTERNAL_STUBS_BOUND_H_
#define SELFSAME_INTERNAL_STUBS_BOUND_H_

// The stubs are not exported from the library that contains them: only the runtime's functions are public.
#define TVM_FFI_DLL __attribute__((visibility("hidden")))

#include "functions.h"
#include "selfsame/c_api.h"

#define SS_STUBS_MEMBER(name) __typeof__(&name) name;

// All NULL until ss_stubs_bind has found every function, then never written again.
extern struct SsStubsBound {
  SS_STUBS_EACH(SS_STUBS_MEMBER)
} bound __attribute__((visibility("hidden")));

#endif  // SELFSAME_INTERNAL_STUBS_BOUND_H_
