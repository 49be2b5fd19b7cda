// Tensors whose values are not what lies in their memory, or that have none.
//
// PyTorch puts a conjugation or a change of sign off: x.conj() and x.conj().imag are views with a mark that no part of
// DLPack carries, and its export and its C exchange leave the mark out. A FakeTensor and its like have elements, but
// address 0. Native code would compute with wrong values, or crash.
#ifndef SELFSAME_CORE_CONVERT_LAZY_TENSORS_H_
#define SELFSAME_CORE_CONVERT_LAZY_TENSORS_H_

#include "selfsame/internal/tensor.h"
#include "tie/core.h"

// The part of ss_check_exported that asks the tensor. 0, or -1 with an error set.
SS_HIDDEN int ss_check_lazy(PyObject* value, const DLTensor* dl);

// Whether a tensor lies in memory without gaps, in row-major order, and has a dimension. Strides of extents of 1 count.
static inline int ss_is_dense(const DLTensor* dl) {
  if (dl->ndim <= 0) return 0;
  int64_t expected = 1;
  for (int32_t i = dl->ndim - 1; dl->strides != NULL && i >= 0; i--) {
    if (dl->strides[i] != expected) return 0;
    expected *= dl->shape[i];
  }
  return 1;
}

// Refuses a tensor with a lazy mark, or with elements and no memory. `dl` is what the package of `value` says of it, and is
// sound. 0, or -1 with BufferError set.
//
// Cost: a look at the strides for most tensors. Asking costs as much as half an export, so it is left out where no
// operation of PyTorch leaves a mark: on numbers that are not complex and lie side by side. The sign is marked on the
// imaginary part of a conjugated tensor only, which is every second number of it.
static inline int ss_check_exported(PyObject* value, const DLTensor* dl) {
  int is_plain = dl->data != NULL && dl->dtype.code != kDLComplex && (dl->dtype.code != kDLFloat || ss_is_dense(dl));
  return SS_LIKELY(is_plain) ? 0 : ss_check_lazy(value, dl);
}

// The same of a tensor that may not be sound: then the import says what is wrong.
static inline int ss_check_import(PyObject* value, const DLTensor* dl) {
  return ss_tensor_is_sound(dl) ? ss_check_exported(value, dl) : 0;
}

#endif  // SELFSAME_CORE_CONVERT_LAZY_TENSORS_H_
