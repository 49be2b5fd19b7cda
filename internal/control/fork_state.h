// The state that the runtime's Go code must find again in a forked child, where another Go runtime runs
// (internal/plane/core/child.h): it lies in C memory. Private to the runtime. Any thread.
#ifndef SELFSAME_INTERNAL_CONTROL_FORK_STATE_H_
#define SELFSAME_INTERNAL_CONTROL_FORK_STATE_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)

typedef struct {
  uintptr_t last_closure;    // the id of the newest closure; Go changes it atomically
  uintptr_t start_closures;  // the closures 1 to this one are made by each start of a Go runtime, in the same order
  TVMFFIObject* missing;     // the sentinels (core_types.go), which live as long as the process
  TVMFFIObject* kwargs;
} SsGoState;

SsGoState* ss_go_state(void);

// The modules that ffi.ModuleGlobalsAdd keeps alive. Add returns 0, or -1 with MemoryError raised; it takes a
// reference, unless the module is in the table already. Remove returns whether it was there; the caller then owns its
// reference.
int ss_global_module_add(TVMFFIObject* module);
int ss_global_module_remove(TVMFFIObject* module);

// The modules of the system library, by prefix; they live as long as the process. Find returns NULL when there is none.
// Put returns the module of the prefix, to which it takes a reference if it is `module`, or NULL with MemoryError
// raised.
TVMFFIObject* ss_system_module_find(const char* prefix);
TVMFFIObject* ss_system_module_put(const char* prefix, TVMFFIObject* module);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_CONTROL_FORK_STATE_H_
