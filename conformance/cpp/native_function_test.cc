// tvm/ffi/reflection/native_function.h: hooks that are a C function or a Function.
// Requirement: A5
#include <tvm/ffi/reflection/native_function.h>
#include <tvm/ffi/tvm_ffi.h>

#include "check.h"

using namespace tvm::ffi;
using tvm::ffi::reflection::NativeFunction;
using tvm::ffi::reflection::NativeFunctionView;

namespace {

int64_t Add(int64_t a, int64_t b) { return a + b; }
int64_t Fails(int64_t a, int64_t b) {
  if (a != 0) TVM_FFI_THROW(ValueError) << "cannot add " << a << " and " << b;
  return b;
}
int64_t Size(const Array<Any>& a) { return static_cast<int64_t>(a.size()); }
Expected<int64_t> Careful(int64_t a, int64_t b) noexcept {
  if (b == 0) return Unexpected(Error("ZeroDivisionError", "b is 0", ""));
  return a / b;
}

using Hook = NativeFunctionView<int64_t(int64_t, int64_t)>;
using OwnedHook = NativeFunction<int64_t(int64_t, int64_t)>;

}  // namespace

TEST(native_function, native) {
  Hook add = Hook::FromNative<&Add>();
  CHECK_EQ(add(2, 3), 5);
  CHECK_RAISES("ValueError", "cannot add 1 and 2", Hook::FromNative<&Fails>()(1, 2));
  Hook careful = Hook::FromNative<&Careful>();
  CHECK_EQ(careful(7, 2), 3);
  CHECK_EQ(careful.CallExpected(1, 0).error().kind(), "ZeroDivisionError");
}

TEST(native_function, packed) {
  TypedFunction<int64_t(int64_t, int64_t)> times([](int64_t a, int64_t b) { return a * b; });
  Hook hook(times);
  CHECK_EQ(hook(6, 7), 42);
  OwnedHook owned(times);
  times = TypedFunction<int64_t(int64_t, int64_t)>(&Fails);
  CHECK_EQ(owned(6, 7), 42);
  OwnedHook fails(times);
  CHECK_RAISES("ValueError", "cannot add 6 and 7", fails(6, 7));
}

TEST(native_function, of_the_runtime) {
  using SizeHook = NativeFunctionView<int64_t(const Array<Any>&)>;
  TypedFunction<int64_t(const Array<Any>&)> size(Function::GetGlobalRequired("ffi.ArraySize"));
  CHECK_EQ(SizeHook(size)(Array<Any>{1, 2, 3}), 3);
  CHECK_EQ(SizeHook::FromNative<&Size>()(Array<Any>{1, 2}), 2);
  TypedFunction<int64_t(const Array<Any>&)> wrong(Function::GetGlobalRequired("ffi.ListSize"));
  SizeHook hook(wrong);
  CHECK_RAISES("TypeError", "Expected `ffi.List` but got `ffi.Array`", hook(Array<Any>{}));
}

TEST(native_function, in_values) {
  Any any = OwnedHook::FromNative<&Add>();
  CHECK_EQ(any.type_index(), TypeIndex::kTVMFFIOpaquePtr);
  CHECK_EQ(any.cast<OwnedHook>()(1, 1), 2);
  TypedFunction<int64_t(int64_t, int64_t)> times([](int64_t a, int64_t b) { return a * b; });
  Any packed = OwnedHook(times);
  CHECK_EQ(packed.type_index(), TypeIndex::kTVMFFIFunction);
  CHECK_EQ(packed.cast<OwnedHook>()(4, 5), 20);
}
