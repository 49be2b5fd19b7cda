// Private to the runtime: structural mutators as objects that compiled code calls through a table.
#ifndef SELFSAME_RUNTIME_MUTATOR_H_
#define SELFSAME_RUNTIME_MUTATOR_H_

#include "plane.h"

#pragma GCC visibility push(hidden)

// What a structural mutator is asked for. args: the value or variable, and what a variable is replaced by. *result is
// None before; then owned: a value, the unchanged marker or an Error.
enum {
  SSGO_MUTATE,
  SSGO_MUTATE_IN_PLACE,
  SSGO_REMAP_GET,
  SSGO_REMAP_SET,
  SSGO_MUTATE_CONTAINER,  // by any mutator: the elements of a builtin container
  SSGO_MUTATE_CONTAINER_IN_PLACE,
};

// A StructuralMutator whose work a walk in Go does. Returns 0, or -1 raised.
int ss_mutator_new(int32_t type_index, TVMFFIObjectHandle* out);

// The functions of any mutator. *out is a value, the unchanged marker or an Error, owned.
void ss_mutator_mutate(void* mutator, const TVMFFIAny* value, int32_t in_place, TVMFFIAny* out);
void ss_mutator_remap_get(void* mutator, const TVMFFIAny* variable, TVMFFIAny* out);
void ss_mutator_remap_set(void* mutator, const TVMFFIAny* variable, const TVMFFIAny* value, TVMFFIAny* out);

// Calls the C function that the attributes __s_mutate__ and __s_maybe_inplace_mutate__ may hold.
void ss_mutate_hook(void* hook, void* mutator, const TVMFFIAny* value, TVMFFIAny* out);

// What the attributes hold for the builtin containers, and for strings and the like.
TVMFFIAny ss_mutate_container(TVMFFIObject* mutator, TVMFFIAny value);
TVMFFIAny ss_mutate_container_in_place(TVMFFIObject* mutator, TVMFFIAny value);
TVMFFIAny ss_mutate_leaf(TVMFFIObject* mutator, TVMFFIAny value);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_MUTATOR_H_
