// Comparing values without parts, for recursive equality and order (recursive_leaf.c). Any thread; no foreign code.
#ifndef SELFSAME_INTERNAL_PLANE_WALKS_RECURSIVE_LEAF_H_
#define SELFSAME_INTERNAL_PLANE_WALKS_RECURSIVE_LEAF_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

static inline int ss_recursive_is_string(int32_t type_index) {
  return type_index == kTVMFFISmallStr || type_index == kTVMFFIStr;
}
static inline int ss_recursive_is_bytes(int32_t type_index) {
  return type_index == kTVMFFISmallBytes || type_index == kTVMFFIBytes;
}
static inline int ss_recursive_is_integer(int32_t type_index) {
  return type_index == kTVMFFIInt || type_index == kTVMFFIBigInt;
}

// The order of two strings or two bytes, of two Shapes, of two integers, of two data types, of two devices: negative, 0
// or positive.
int ss_recursive_text(const TVMFFIAny* a, const TVMFFIAny* b);
int ss_recursive_shapes(const TVMFFIObject* a, const TVMFFIObject* b);
int ss_recursive_integers(const TVMFFIAny* a, const TVMFFIAny* b);
int ss_recursive_data_types(DLDataType a, DLDataType b);
int ss_recursive_devices(DLDevice a, DLDevice b);

// Hashes a value that is no object, or a string or bytes.
uint64_t ss_recursive_hash_leaf(const TVMFFIAny* value);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_WALKS_RECURSIVE_LEAF_H_
