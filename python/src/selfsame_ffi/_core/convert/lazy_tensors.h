// Tensors whose values are not what lies in their memory, or that have none.
//
// PyTorch puts a conjugation or a change of sign off: x.conj() and x.conj().imag are views with a mark that no part of
// DLPack carries, and its export and its C exchange leave the mark out. A FakeTensor and its like have elements, but
// address 0. Native code would compute with wrong values, or crash. The same holds for NumPy's masked arrays, whose mask
// lies beside.
#ifndef SELFSAME_CORE_CONVERT_LAZY_TENSORS_H_
#define SELFSAME_CORE_CONVERT_LAZY_TENSORS_H_

#include "selfsame/internal/tensor.h"
#include "tie/core.h"

// The part of ss_check_exported that asks the tensor. 0, or -1 with an error set.
SS_HIDDEN int ss_check_lazy(PyObject* value, const DLTensor* dl);

// Refuses an array of numpy.ma whose mask hides a value. 0, or -1 with an error set.
SS_HIDDEN int ss_check_mask(PyObject* value);

// Whether a tensor is sound, has elements and a dimension, and lies in memory without gaps, in row-major order. Strides of
// extents of 1 count. Most tensors are such, and one loop finds it: ss_tensor_is_sound needs two for any strides.
static inline int ss_is_dense(const DLTensor* dl) {
  if (dl->ndim <= 0 || dl->shape == NULL || dl->dtype.lanes == 0 || dl->byte_offset != 0) return 0;
  int64_t expected = 1;
  for (int32_t i = dl->ndim - 1; i >= 0; i--) {
    int64_t extent = dl->shape[i];
    if (dl->strides != NULL && dl->strides[i] != expected) return 0;
    if (extent <= 0 || __builtin_mul_overflow(expected, extent, &expected)) return 0;
  }
  int64_t item = ((int64_t)dl->dtype.bits * dl->dtype.lanes + 7) / 8;
  return !__builtin_mul_overflow(expected, item, &expected);
}

// Refuses a tensor with a lazy mark, or with elements and no memory. `dl` is what the package of `value` says of it, and is
// sound; `dense` is ss_is_dense of it. 0, or -1 with BufferError set.
//
// Cost: nothing for most tensors. Asking costs as much as half an export, so it is left out where no operation of
// PyTorch leaves a mark: on numbers that are not complex and lie side by side. The sign is marked on the imaginary part
// of a conjugated tensor only, which is every second number of it.
static inline int ss_check_exported(PyObject* value, const DLTensor* dl, int dense) {
  int is_plain = dl->data != NULL && dl->dtype.code != kDLComplex && (dense || dl->dtype.code != kDLFloat);
  return SS_LIKELY(is_plain) ? 0 : ss_check_lazy(value, dl);
}

// The same of a tensor that may not be sound: then the import says what is wrong.
static inline int ss_check_import(PyObject* value, const DLTensor* dl) {
  int dense = ss_is_dense(dl);
  return dense || ss_tensor_is_sound(dl) ? ss_check_exported(value, dl, dense) : 0;
}

#endif  // SELFSAME_CORE_CONVERT_LAZY_TENSORS_H_
