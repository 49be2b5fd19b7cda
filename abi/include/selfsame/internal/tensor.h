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

#endif  // SELFSAME_INTERNAL_TENSOR_H_
