// The kernels on which stock tvm_ffi and selfsame are compared with tensors on a GPU, for nvcc and the published headers.
// Both packages load the same library, each in its own process.
#include <cuda_runtime.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

namespace {

using tvm::ffi::Array;
using tvm::ffi::Tensor;
using V = tvm::ffi::TensorView;

__global__ void Nothing(void*) {}

void Launch(const V& on) {
  DLDevice device = on.device();
  auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
  Nothing<<<1, 1, 0, stream>>>(on.data_ptr());
}

void View1(V) {}
void View3(V, V, V) {}
void View8(V, V, V, V, V, V, V, V) {}
void Launch1(V a) { Launch(a); }
void Launch3(V a, V, V) { Launch(a); }
void Launch8(V a, V, V, V, V, V, V, V) { Launch(a); }
void Launches(V on, int64_t count) {
  for (int64_t i = 0; i < count; ++i) Launch(on);
}
void List(Array<Tensor>) {}
Tensor Fresh(V like) { return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, like.shape(), like.dtype(), like.device()); }
Tensor Same(Tensor tensor) { return tensor; }

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(view1, View1);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(view3, View3);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(view8, View8);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(launch1, Launch1);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(launch3, Launch3);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(launch8, Launch8);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(launches, Launches);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(list, List);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fresh, Fresh);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(same, Same);
