// Values without parts, as structural equality and hash see them (structural_leaf.c). Any thread; no foreign code.
#ifndef SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_LEAF_H_
#define SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_LEAF_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// Two strings or two bytes with the same content, each small or on the heap; 0 for any other values.
int ss_same_text(const TVMFFIAny* a, const TVMFFIAny* b);
int ss_same_shape(const TVMFFIObject* a, const TVMFFIObject* b);
int ss_same_bigint(const TVMFFIObject* a, const TVMFFIObject* b);
// Compares two Tensors, with their content unless skip_content. Returns 0 with *same, or -1 raised.
int ss_same_tensor(const TVMFFIObject* a, const TVMFFIObject* b, int skip_content, int* same);

// Hashes a value without parts that is no Tensor. Returns 1, or 0 for a value that may have parts or is a Tensor or
// Shape.
int ss_hash_plain(const TVMFFIAny* value, uint64_t* hash);
uint64_t ss_hash_shape(const TVMFFIObject* obj);
// Returns 0 with *hash, or -1 raised.
int ss_hash_tensor(const TVMFFIObject* obj, int skip_content, uint64_t* hash);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_LEAF_H_
