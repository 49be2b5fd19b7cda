// StructuralMutator objects: compiled code calls their function table, Go code (and no C code) calls these functions.
// Private to the runtime.
#ifndef SELFSAME_RUNTIME_MUTATOR_H_
#define SELFSAME_RUNTIME_MUTATOR_H_

#include "plane.h"

#pragma GCC visibility push(hidden)

// The requests that ssgo_mutator serves. Its two arguments are the value or variable, and the variable's replacement
// (None for requests without one). *result is None before the call, and then owned: a value, the unchanged marker or an
// Error.
enum {
  SSGO_MUTATE,
  SSGO_MUTATE_IN_PLACE,
  SSGO_REMAP_GET,
  SSGO_REMAP_SET,
  SSGO_MUTATE_CONTAINER,  // the elements of a builtin container; the mutator may be one made elsewhere
  SSGO_MUTATE_CONTAINER_IN_PLACE,
};

// Makes a StructuralMutator that passes each request to a walk in Go (ssgo_mutator). Returns 0 with *out a new
// reference, or -1 with an error raised.
int ss_mutator_new(int32_t type_index, TVMFFIObjectHandle* out);

// Call the functions of a mutator, made here or elsewhere. Arguments are borrowed. *out is owned: a value, the
// unchanged marker or an Error.
void ss_mutator_mutate(void* mutator, const TVMFFIAny* value, int32_t in_place, TVMFFIAny* out);
void ss_mutator_remap_get(void* mutator, const TVMFFIAny* variable, TVMFFIAny* out);
void ss_mutator_remap_set(void* mutator, const TVMFFIAny* variable, const TVMFFIAny* value, TVMFFIAny* out);

// Calls `hook`, a C function from the type attribute __s_mutate__ or __s_maybe_inplace_mutate__. *out is as above.
void ss_mutate_hook(void* hook, void* mutator, const TVMFFIAny* value, TVMFFIAny* out);

// The values of these attributes for the builtin containers, and for strings, bytes and big integers.
void* ss_mutate_container_hook(void);
void* ss_mutate_container_in_place_hook(void);
void* ss_mutate_leaf_hook(void);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_MUTATOR_H_
