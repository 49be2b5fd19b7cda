// Kernels in C++, compiled with the headers of tvm-ffi and linked to no runtime: they use the one of the program that
// loads them.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cstdint>

namespace ffi = tvm::ffi;

namespace {

// The elements of a contiguous float32 tensor on the CPU.
float* Floats(const ffi::TensorView& x, const char* name) {
  if (x.dtype().code != kDLFloat || x.dtype().bits != 32 || x.dtype().lanes != 1) {
    TVM_FFI_THROW(TypeError) << name << " must be of float32";
  }
  if (x.device().device_type != kDLCPU) TVM_FFI_THROW(ValueError) << name << " must lie on the CPU";
  if (!x.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
  return static_cast<float*>(x.data_ptr());
}

// y += a * x
void Axpy(double a, ffi::TensorView x, ffi::TensorView y) {
  const float* from = Floats(x, "x");
  float* to = Floats(y, "y");
  if (x.numel() != y.numel()) TVM_FFI_THROW(ValueError) << "x has " << x.numel() << " elements, y " << y.numel();
  for (int64_t i = 0; i < x.numel(); i++) to[i] += static_cast<float>(a) * from[i];
}

// c = a b, of matrices
void Matmul(ffi::TensorView a, ffi::TensorView b, ffi::TensorView c) {
  const float* left = Floats(a, "a");
  const float* right = Floats(b, "b");
  float* out = Floats(c, "c");
  if (a.ndim() != 2 || b.ndim() != 2 || c.ndim() != 2 || a.size(1) != b.size(0) || c.size(0) != a.size(0) ||
      c.size(1) != b.size(1)) {
    TVM_FFI_THROW(ValueError) << "the shapes of a, b and c do not fit";
  }
  int64_t n = a.size(0), k = a.size(1), m = b.size(1);
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < m; j++) {
      float sum = 0;
      for (int64_t l = 0; l < k; l++) sum += left[i * k + l] * right[l * m + j];
      out[i * m + j] = sum;
    }
  }
}

// Applies a function that the caller passes to each element.
void Map(ffi::Function f, ffi::TensorView x) {
  float* at = Floats(x, "x");
  for (int64_t i = 0; i < x.numel(); i++) at[i] = static_cast<float>(f(static_cast<double>(at[i])).cast<double>());
}

// Returns its argument, so that the caller can check that it is the same tensor.
ffi::Tensor Same(ffi::Tensor x) { return x; }

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(axpy, Axpy);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(matmul, Matmul);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(map, Map);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(same, Same);
