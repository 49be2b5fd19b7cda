// Tensors over memory of Go's, which stays where it is as long as the tensor lives: Go pins it.
#include <stdlib.h>
#include <string.h>

#include "bridge.h"

typedef struct {
  DLManagedTensorVersioned managed;
  ss_front_token* kept;
  int64_t numbers[];  // the shape, then the strides
} go_tensor;

static void delete_tensor(DLManagedTensorVersioned* self) {
  go_tensor* tensor = (go_tensor*)self;
  ss_front_bury(tensor->kept);
  free(tensor);
}

int ss_front_tensor(uint64_t id, uint64_t data, DLDataType dtype, int32_t ndim, const int64_t* shape,
                    TVMFFIObjectHandle* out, TVMFFIObjectHandle* error) {
  size_t size = sizeof(go_tensor) + 2 * (size_t)ndim * sizeof(int64_t);
  ss_front_token* kept = ss_front_new_token(id);
  if (kept == NULL) return ss_front_fail(error);
  go_tensor* tensor = calloc(1, size);
  if (tensor == NULL) {
    free(kept);
    ss_front_raise("MemoryError", "No memory for a tensor of %d dimensions", ndim);
    return ss_front_fail(error);
  }
  tensor->kept = kept;
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
    free(kept);
    free(tensor);
    return ss_front_fail(error);
  }
  *out = made;
  return 0;
}

int ss_front_tensor_from_dlpack(uint64_t managed, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error) {
  TVMFFIObjectHandle made = NULL;
  int rc = TVMFFITensorFromDLPackVersioned((DLManagedTensorVersioned*)(uintptr_t)managed, 0, 0, &made);
  if (rc != 0) return ss_front_fail(error);
  *out = made;
  return 0;
}

uint64_t ss_front_tensor_to_dlpack(TVMFFIObjectHandle tensor, TVMFFIObjectHandle* error) {
  DLManagedTensorVersioned* managed = NULL;
  if (TVMFFITensorToDLPackVersioned(tensor, &managed) == 0) return (uint64_t)(uintptr_t)managed;
  ss_front_fail(error);
  return 0;
}

void ss_front_dlpack_delete(uint64_t managed) {
  DLManagedTensorVersioned* given = (DLManagedTensorVersioned*)(uintptr_t)managed;
  if (given->deleter != NULL) given->deleter(given);
}
