// Tensors over Go memory, which Go pins until the tensor dies, and the exchange of tensors through DLPack.
#include <stdlib.h>
#include <string.h>

#include "bridge.h"

typedef struct {
  DLManagedTensorVersioned managed;  // which the Tensor owns; its shape and strides lie in `numbers`
  SsGoRef* ref;                      // keeps the memory pinned
  int64_t numbers[];                 // the shape, then the strides
} GoTensor;

static void delete_tensor(DLManagedTensorVersioned* self) {
  GoTensor* tensor = (GoTensor*)self;
  ss_bridge_drop_go_ref(tensor->ref);
  free(tensor);
}

int ss_bridge_new_tensor(uint64_t id, uint64_t data, DLDataType dtype, int32_t ndim, const int64_t* shape,
                         TVMFFIObjectHandle* out, TVMFFIObjectHandle* error) {
  size_t size = sizeof(GoTensor) + 2 * (size_t)ndim * sizeof(int64_t);
  SsGoRef* ref = ss_bridge_new_go_ref(id);
  if (ref == NULL) return ss_bridge_fail(error);
  GoTensor* tensor = calloc(1, size);
  if (tensor == NULL) {
    free(ref);
    ss_bridge_raise("MemoryError", "selfsame: no memory for a tensor of %d dimensions", ndim);
    return ss_bridge_fail(error);
  }
  tensor->ref = ref;
  int64_t step = 1;
  for (int32_t i = ndim; i-- > 0;) {
    tensor->numbers[i] = shape[i];
    tensor->numbers[ndim + i] = step;
    step *= shape[i];
  }
  tensor->managed.version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  tensor->managed.deleter = delete_tensor;
  tensor->managed.dl_tensor = (DLTensor){.data = (void*)(uintptr_t)data,
                                         .device = {kDLCPU, 0},
                                         .ndim = ndim,
                                         .dtype = dtype,
                                         .shape = tensor->numbers,
                                         .strides = tensor->numbers + ndim};
  TVMFFIObjectHandle made = NULL;
  if (TVMFFITensorFromDLPackVersioned(&tensor->managed, 0, 0, &made) != 0) {
    free(ref);
    free(tensor);
    return ss_bridge_fail(error);
  }
  *out = made;
  return 0;
}

int ss_bridge_tensor_from_dlpack(uint64_t managed, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error) {
  TVMFFIObjectHandle made = NULL;
  int rc = TVMFFITensorFromDLPackVersioned((DLManagedTensorVersioned*)(uintptr_t)managed, 0, 0, &made);
  if (rc != 0) return ss_bridge_fail(error);
  *out = made;
  return 0;
}

uint64_t ss_bridge_tensor_to_dlpack(TVMFFIObjectHandle tensor, TVMFFIObjectHandle* error) {
  DLManagedTensorVersioned* managed = NULL;
  if (TVMFFITensorToDLPackVersioned(tensor, &managed) == 0) return (uint64_t)(uintptr_t)managed;
  ss_bridge_fail(error);
  return 0;
}

void ss_bridge_dlpack_delete(uint64_t managed) {
  DLManagedTensorVersioned* given = (DLManagedTensorVersioned*)(uintptr_t)managed;
  if (given->deleter != NULL) given->deleter(given);
}
