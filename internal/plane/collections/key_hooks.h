// Hash and equality of a class, from its type attributes __any_hash__ and __any_equal__ (key_hooks.c). Runs foreign
// code.
#ifndef SELFSAME_INTERNAL_PLANE_COLLECTIONS_KEY_HOOKS_H_
#define SELFSAME_INTERNAL_PLANE_COLLECTIONS_KEY_HOOKS_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// Calls a type attribute's value: a C function or a Function. Returns 0, or -1 raised.
int ss_key_hash_hook(const TVMFFIAny* hook, const TVMFFIAny* key, uint64_t* out);
int ss_key_equal_hook(const TVMFFIAny* hook, const TVMFFIAny* a, const TVMFFIAny* b, int* out);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_COLLECTIONS_KEY_HOOKS_H_
