// Private to the data plane: making Tensor objects, for tensor.c and env_alloc.c.
#ifndef SELFSAME_ABI_PLANE_TENSOR_H_
#define SELFSAME_ABI_PLANE_TENSOR_H_

#include "plane.h"

#pragma GCC visibility push(hidden)

// Whether a DLTensor is well-formed as far as that can be seen: ndim, shape and dtype. Returns 0, or -1 with an error
// that names `function` and `argument`. Strides are not looked at.
int ss_tensor_check(const DLTensor* tensor, const char* function, const char* argument);

// TVMFFITensorFromDLPackVersioned in the name of `function`.
int ss_tensor_import_versioned(DLManagedTensorVersioned* from, int32_t require_alignment, int require_contiguous,
                               const char* function, TVMFFIObjectHandle* out);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_TENSOR_H_
