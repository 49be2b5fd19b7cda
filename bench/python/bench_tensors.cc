// The native functions on which stock tvm_ffi and selfsame are compared with tensors. Compiled with the published
// headers; both packages load the same library, each in its own process.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdlib>

namespace {

using namespace tvm::ffi;

struct Memory {
  void AllocData(DLTensor* tensor) { tensor->data = std::malloc(GetDataSize(*tensor)); }
  void FreeData(DLTensor* tensor) { std::free(tensor->data); }
};

Tensor fresh() { return Tensor::FromNDAlloc(Memory(), {8}, DLDataType{kDLFloat, 32, 1}, DLDevice{kDLCPU, 0}); }

using V = TensorView;
using T = Tensor;

TVM_FFI_STATIC_INIT_BLOCK() {
  reflection::GlobalDef()
      .def("bench.view1", [](V) {})
      .def("bench.view2", [](V, V) {})
      .def("bench.view3", [](V, V, V) {})
      .def("bench.view8", [](V, V, V, V, V, V, V, V) {})
      .def("bench.tensor1", [](T) {})
      .def("bench.tensor3", [](T, T, T) {})
      .def("bench.tensor8", [](T, T, T, T, T, T, T, T) {})
      .def_packed("bench.any", [](PackedArgs, Any*) {})
      .def("bench.launch", [](V, V, V, Any) {})
      .def("bench.list", [](Array<Tensor>) {})
      .def("bench.same_tensor", [](Tensor tensor) { return tensor; })
      .def("bench.fresh_tensor", [](Tensor) { return fresh(); })
      .def("bench.call_with_fresh",
           [](int64_t n, Function f) {
             for (int64_t i = 0; i < n; ++i) f(fresh(), fresh());
           })
      .def("bench.call_with_known", [](int64_t n, Tensor a, Tensor b, Function f) {
        for (int64_t i = 0; i < n; ++i) f(a, b);
      });
}

}  // namespace
