// Making Tensor objects, for tensor.c and env_alloc.c. Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_TENSORS_TENSOR_H_
#define SELFSAME_INTERNAL_PLANE_TENSORS_TENSOR_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// Checks a DLTensor's ndim, shape and dtype, and that the offsets of its elements fit int64_t in bytes. Returns 0, or -1
// with an error raised that names `function` and `argument`.
int ss_tensor_check(const DLTensor* tensor, const char* function, const char* argument);

// TVMFFITensorFromDLPackVersioned; errors name `function`.
int ss_tensor_import_versioned(DLManagedTensorVersioned* from, int32_t require_alignment, int require_contiguous,
                               const char* function, TVMFFIObjectHandle* out);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_TENSORS_TENSOR_H_
