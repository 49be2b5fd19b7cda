// The memory of a Tensor that the runtime's own functions made; Tensors of C++ code have other members behind the
// DLTensor. Not in build/include: it is no promise of selfsame.
#ifndef SELFSAME_INTERNAL_TENSOR_H_
#define SELFSAME_INTERNAL_TENSOR_H_

#include "selfsame/c_api.h"

typedef struct {
  TVMFFIObject header;
  DLTensor dl;
  void* source;  // owned: the managed tensor this one was imported from, or the Tensor it is a view of
  int64_t tail[];
} SsTensorObject;

// Whether the bytes from data to the end of the last element, in both directions, are at most INT64_MAX. The extents are
// sound, and `size` is what the elements take without gaps; there is at least one. The stride of an extent of 1 leads
// nowhere and may be any number.
static inline int ss_tensor_reach_fits(const DLTensor* tensor, int64_t item, int64_t size) {
  uint64_t reach = (uint64_t)size;
  if (tensor->strides != NULL) {
    uint64_t steps = 1;
    for (int32_t i = 0; i < tensor->ndim; i++) {
      int64_t stride = tensor->strides[i];
      uint64_t step = stride < 0 ? -(uint64_t)stride : (uint64_t)stride;
      if (__builtin_mul_overflow(step, (uint64_t)tensor->shape[i] - 1, &step)) return 0;
      if (__builtin_add_overflow(steps, step, &steps)) return 0;
    }
    if (__builtin_mul_overflow(steps, (uint64_t)item, &reach)) return 0;
  }
  return !__builtin_add_overflow(reach, tensor->byte_offset, &reach) && reach <= INT64_MAX;
}

// Whether a DLTensor has what the runtime promises of a Tensor: lanes, an extent for each dimension, none of them negative,
// and offsets that fit int64_t in bytes. The pointers themselves nobody can check.
static inline int ss_tensor_is_sound(const DLTensor* tensor) {
  if (tensor->ndim < 0 || tensor->dtype.lanes == 0 || (tensor->ndim > 0 && tensor->shape == NULL)) return 0;
  int64_t item = (int64_t)(((uint32_t)tensor->dtype.bits * tensor->dtype.lanes + 7) / 8);
  if (item == 0) item = 1;
  int64_t size = item;
  int empty = 0;
  // The others are checked even if one extent is 0: strides are products of them.
  for (int32_t i = 0; i < tensor->ndim; i++) {
    int64_t extent = tensor->shape[i];
    empty |= extent == 0;
    if (extent < 0 || (extent != 0 && __builtin_mul_overflow(size, extent, &size))) return 0;
  }
  return empty || ss_tensor_reach_fits(tensor, item, size);
}

#endif  // SELFSAME_INTERNAL_TENSOR_H_
