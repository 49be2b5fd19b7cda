// Functions that say in their metadata whether a call releases the GIL.
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::GlobalDef()
      .def(
          "sst.gil.short", [](int64_t n) { return n + 1; }, refl::Metadata{{"release_gil", false}})
      .def("sst.gil.long", [](int64_t n) { return n + 1; });
}
