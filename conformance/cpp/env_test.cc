// tvm/ffi/extra/c_env_api.h: streams, the tensor allocator, signals.
// Requirement: A8
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cstdlib>
#include <thread>

#include "check.h"

using namespace tvm::ffi;

namespace {

struct CPUAlloc {
  void AllocData(DLTensor* t) { t->data = malloc(GetDataSize(*t) + 1); }
  void FreeData(DLTensor* t) { free(t->data); }
};

int FromCpp(DLTensor* prototype, DLManagedTensorVersioned** out, void*, void (*)(void*, const char*, const char*)) {
  *out =
      Tensor::FromNDAlloc(CPUAlloc(), ShapeView(prototype->shape, prototype->ndim), prototype->dtype, prototype->device)
          .ToDLPackVersioned();
  return 0;
}

int Fails(DLTensor*, DLManagedTensorVersioned**, void* ctx, void (*set_error)(void*, const char*, const char*)) {
  set_error(ctx, "MyError", "no more memory today");
  return -1;
}

int Nothing(DLTensor*, DLManagedTensorVersioned** out, void*, void (*)(void*, const char*, const char*)) {
  *out = nullptr;
  return 0;
}

// Sets the allocator of this thread while it lives.
class With {
 public:
  explicit With(DLPackManagedTensorAllocator a) {
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvSetDLPackManagedTensorAllocator(a, 0, &before_));
  }
  ~With() { TVMFFIEnvSetDLPackManagedTensorAllocator(before_, 0, nullptr); }

 private:
  DLPackManagedTensorAllocator before_ = nullptr;
};

Tensor Alloc() { return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, {2, 3}, {kDLFloat, 32, 1}, {kDLCPU, 0}); }

}  // namespace

TEST(env, streams) {
  void* old = &old;
  int a = 0, b = 0;
  CHECK(TVMFFIEnvGetStream(kDLCUDA, 4) == nullptr);
  CHECK_EQ(TVMFFIEnvSetStream(kDLCUDA, 4, &a, &old), 0);
  CHECK(old == nullptr);
  CHECK_EQ(TVMFFIEnvSetStream(kDLCUDA, 4, &b, &old), 0);
  CHECK(old == &a);
  CHECK(TVMFFIEnvGetStream(kDLCUDA, 4) == &b);
  CHECK(TVMFFIEnvGetStream(kDLCUDA, 3) == nullptr);
  CHECK(TVMFFIEnvGetStream(kDLROCM, 4) == nullptr);
  std::thread([] {
    CHECK(TVMFFIEnvGetStream(kDLCUDA, 4) == nullptr);
    int mine = 0;
    CHECK_EQ(TVMFFIEnvSetStream(kDLCUDA, 4, &mine, nullptr), 0);
  }).join();
  CHECK(TVMFFIEnvGetStream(kDLCUDA, 4) == &b);
  CHECK_EQ(TVMFFIEnvSetStream(kDLCUDA, 4, nullptr, nullptr), 0);
  CHECK(TVMFFIEnvGetStream(kDLCUDA, 4) == nullptr);
}

TEST(env, allocator) {
  CHECK_RAISES("RuntimeError",
               "TVMFFIEnvTensorAlloc: allocator is nullptr, likely because TVMFFIEnvSetDLPackManagedTensorAllocator "
               "has not been called.",
               Alloc());
  With with(FromCpp);
  CHECK(TVMFFIEnvGetDLPackManagedTensorAllocator() == FromCpp);
  Tensor t = Alloc();
  CHECK_EQ(t.use_count(), 1);
  CHECK_EQ(t.numel(), 6);
  CHECK_EQ(t.stride(0), 3);
  CHECK(t.dtype() == (DLDataType{kDLFloat, 32, 1}));
  Tensor scalar = Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ShapeView(), {kDLInt, 64, 1}, {kDLCPU, 0});
  CHECK_EQ(scalar.ndim(), 0);
  std::thread([] { CHECK(TVMFFIEnvGetDLPackManagedTensorAllocator() == nullptr); }).join();
}

TEST(env, allocator_of_the_process) {
  CHECK_EQ(TVMFFIEnvSetDLPackManagedTensorAllocator(FromCpp, 1, nullptr), 0);
  std::thread([] {
    CHECK(TVMFFIEnvGetDLPackManagedTensorAllocator() == FromCpp);
    With with(Nothing);
    CHECK(TVMFFIEnvGetDLPackManagedTensorAllocator() == Nothing);
  }).join();
  CHECK_EQ(TVMFFIEnvSetDLPackManagedTensorAllocator(nullptr, 1, nullptr), 0);
  CHECK(TVMFFIEnvGetDLPackManagedTensorAllocator() == nullptr);
}

TEST(env, allocator_failures) {
  {
    With with(Fails);
    CHECK_RAISES("MyError", "no more memory today", Alloc());
  }
  With with(Nothing);
  CHECK_RAISES("RuntimeError",
               "Check failed: (dlpack_tensor != nullptr) is false: TVMFFIEnvTensorAlloc: failed to allocate a tensor "
               "from the allocator",
               Alloc());
}

TEST(env, host_functions) {
  CHECK_RAISES("ValueError", "Unknown env API PyErr_Print",
               TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvRegisterCAPI("PyErr_Print", nullptr)));
  CHECK_EQ(TVMFFIEnvCheckSignals(), 0);
  static int signalled = 0;
  static int held = 0;
  int (*check)() = [] { return held == 1 ? signalled : 7; };
  void* (*ensure)() = []() -> void* {
    held++;
    return &held;
  };
  void (*release)(void*) = [](void*) { held--; };
  CHECK_EQ(TVMFFIEnvRegisterCAPI("PyGILState_Ensure", reinterpret_cast<void*>(ensure)), 0);
  CHECK_EQ(TVMFFIEnvRegisterCAPI("PyGILState_Release", reinterpret_cast<void*>(release)), 0);
  CHECK_EQ(TVMFFIEnvRegisterCAPI("PyErr_CheckSignals", reinterpret_cast<void*>(check)), 0);
  CHECK_EQ(TVMFFIEnvCheckSignals(), 0);
  signalled = 1;
  CHECK_EQ(TVMFFIEnvCheckSignals(), -1);
  CHECK_EQ(held, 0);
  CHECK_EQ(TVMFFIEnvRegisterCAPI("PyErr_CheckSignals", nullptr), 0);
  CHECK_EQ(TVMFFIEnvCheckSignals(), 0);
}
