// function.h: packed and typed functions, global functions, calls between the program and the library.
// Requirement: A6
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

using namespace tvm::ffi;

TEST(function, packed) {
  Function f = Function::FromPacked([](const AnyView* args, int32_t n, Any* rv) {
    int64_t sum = 0;
    for (int32_t i = 0; i < n; i++) sum += args[i].cast<int64_t>();
    *rv = sum;
  });
  CHECK_EQ(f(1, 2, 3).cast<int>(), 6);
  CHECK_EQ(f().cast<int>(), 0);
}

TEST(function, typed) {
  Function f = Function::FromTyped([](int a, String b) { return std::to_string(a) + b; }, "join");
  CHECK_EQ(f(1, "x").cast<std::string>(), std::string("1x"));
  CHECK_RAISES("TypeError", "Expected 2 but got 1 arguments", f(1));
  CHECK_RAISES("TypeError", "Mismatched type on argument #0 when calling: `join(0: int, 1: str) -> str`", f("x", "y"));
}

TEST(function, through_c_call) {
  Function f = Function::FromTyped([](int a) { return a + 1; });
  TVMFFIAny arg = AnyView(41).CopyToTVMFFIAny();
  TVMFFIAny result;
  result.type_index = kTVMFFINone;
  result.zero_padding = 0;
  result.v_int64 = 0;
  CHECK_EQ(TVMFFIFunctionCall(detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(f), &arg, 1, &result), 0);
  CHECK_EQ(result.v_int64, 42);
}

TEST(function, from_extern_c) {
  static int deleted;
  deleted = 0;
  {
    Function f = Function::FromExternC(
        &deleted,
        [](void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
          if (n != 1) {
            TVMFFIErrorSetRaisedFromCStr("ValueError", "one argument, please");
            return -1;
          }
          *result = args[0];
          result->v_int64 *= 2;
          return self == &deleted ? 0 : -1;
        },
        [](void* self) { ++*static_cast<int*>(self); });
    CHECK_EQ(f(21).cast<int>(), 42);
    CHECK_RAISES("ValueError", "one argument, please", f());
    CHECK_EQ(deleted, 0);
  }
  CHECK_EQ(deleted, 1);
}

TEST(function, created_by_c_function) {
  static int deleted;
  deleted = 0;
  TVMFFIObjectHandle handle = nullptr;
  CHECK_EQ(TVMFFIFunctionCreate(
               &deleted,
               [](void*, const TVMFFIAny*, int32_t n, TVMFFIAny* result) {
                 result->type_index = kTVMFFIInt;
                 result->zero_padding = 0;
                 result->v_int64 = n;
                 return 0;
               },
               [](void* self) { ++*static_cast<int*>(self); }, &handle),
           0);
  {
    Any any = detail::ObjectUnsafe::ObjectPtrFromOwned<FunctionObj>(static_cast<TVMFFIObject*>(handle));
    Function f = any.cast<Function>();
    CHECK_EQ(f(1, "two", nullptr).cast<int>(), 3);
    CHECK(static_cast<TVMFFIFunctionCell*>(TVMFFIFunctionGetCellPtr(handle))->cpp_call == nullptr);
  }
  CHECK_EQ(deleted, 1);
}

TEST(function, bare_callback_gets_handle) {
  TVMFFIObjectHandle handle = nullptr;
  CHECK_EQ(TVMFFIFunctionCreate(
               nullptr,
               [](void* self, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
                 result->type_index = kTVMFFIOpaquePtr;
                 result->zero_padding = 0;
                 result->v_ptr = self;
                 return 0;
               },
               nullptr, &handle),
           0);
  Function f =
      Any(detail::ObjectUnsafe::ObjectPtrFromOwned<FunctionObj>(static_cast<TVMFFIObject*>(handle))).cast<Function>();
  CHECK(f().cast<void*>() == handle);
}

TEST(function, closures_are_destroyed) {
  auto token = std::make_shared<int>(1);
  {
    Function f = Function::FromTyped([token](int x) { return x + *token; });
    Function g = f;
    CHECK_EQ(token.use_count(), 2);
    CHECK_EQ(g(1).cast<int>(), 2);
  }
  CHECK_EQ(token.use_count(), 1);
}

TEST(function, global_table) {
  Function f = Function::FromTyped([](int x) { return x * x; });
  Function::SetGlobal("conformance.square", f);
  CHECK_EQ(Function::GetGlobalRequired("conformance.square")(7).cast<int>(), 49);
  CHECK(Function::GetGlobalRequired("conformance.square").same_as(f));
  CHECK_RAISES("RuntimeError", "Global Function `conformance.square` is already registered",
               Function::SetGlobal("conformance.square", f));
  Function::SetGlobal("conformance.square", Function::FromTyped([](int) { return 0; }), true);
  CHECK_EQ(Function::GetGlobalRequired("conformance.square")(7).cast<int>(), 0);
  CHECK_EQ(f.use_count(), 1);
  std::vector<String> names = Function::ListGlobalNames();
  CHECK(std::find(names.begin(), names.end(), "conformance.square") != names.end());
  Function::RemoveGlobal("conformance.square");
  CHECK(!Function::GetGlobal("conformance.square").has_value());
  CHECK_RAISES("ValueError", "conformance.square", Function::GetGlobalRequired("conformance.square"));
}

TEST(function, missing_global) {
  CHECK(!Function::GetGlobal("conformance.no_such_function").has_value());
  Function remove = Function::GetGlobalRequired("ffi.FunctionRemoveGlobal");
  CHECK_EQ(remove("conformance.no_such_function").cast<bool>(), false);
}

TEST(function, typed_function) {
  TypedFunction<int(int, int)> add = [](int a, int b) { return a + b; };
  CHECK_EQ(add(2, 3), 5);
  Any any = add;
  CHECK_EQ((any.cast<TypedFunction<int(int, int)>>()(4, 5)), 9);
  CHECK(any.cast<Function>().same_as(add.packed()));
}

TEST(function, callback_of_callback) {
  Function twice = Function::FromTyped([](Function f, int x) { return f(f(x)).cast<int>(); });
  Function inc = Function::FromTyped([](int x) { return x + 1; });
  CHECK_EQ(twice(inc, 3).cast<int>(), 5);
}

TEST(function, objects_pass_unchanged) {
  Function echo = Function::FromTyped([](Any value) { return value; });
  Array<int> array = {1, 2, 3};
  CHECK(echo(array).cast<Array<int>>().same_as(array));
  CHECK_EQ(array.use_count(), 1);
  CHECK_EQ(echo("a raw string that gets owned").type_index(), static_cast<int32_t>(TypeIndex::kTVMFFIStr));
}

TEST(function, runtime_checks_arguments) {
  Function item = Function::GetGlobalRequired("ffi.ArrayGetItem");
  CHECK_RAISES("TypeError",
               "Mismatched number of arguments when calling: `ffi.ArrayGetItem(0: ffi.Array, 1: int) -> Any`. "
               "Expected 2 but got 1 arguments",
               item(1));
  CHECK_RAISES("TypeError",
               "Mismatched type on argument #0 when calling: `ffi.ArrayGetItem(0: ffi.Array, 1: int) -> Any`. "
               "Expected `ffi.Array` but got `int`",
               item(1, 2));
}

TEST(function, concurrent_lookup) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&right, t] {
      std::string name = "conformance.thread" + std::to_string(t);
      Function::SetGlobal(name, Function::FromTyped([t](int x) { return x + t; }));
      for (int i = 0; i < 100; i++) {
        if (Function::GetGlobalRequired(name)(i).cast<int>() == i + t) right++;
      }
      Function::RemoveGlobal(name);
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK_EQ(right.load(), 400);
}

namespace {
int Exported(int x) { return x + 100; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(conformance_exported, Exported)
}  // namespace

TEST(function, exported_symbol) {
  Any result = Function::InvokeExternC(nullptr, __tvm_ffi_conformance_exported, 1);
  CHECK_EQ(result.cast<int>(), 101);
  CHECK_RAISES("TypeError", "conformance_exported",
               Function::InvokeExternC(nullptr, __tvm_ffi_conformance_exported, "x"));
}
