// error.h: errors as C++ exceptions and as objects, backtraces, causes, the raised error of a thread.
// Requirement: A6
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "check.h"

using namespace tvm::ffi;

namespace {
Error Caught(const Function& f) {
  try {
    f();
  } catch (const Error& e) {
    return e;
  }
  return Error("None", "nothing was raised", "");
}
}  // namespace

TEST(error, thrown_and_caught) {
  try {
    TVM_FFI_THROW(ValueError) << "the value " << 3;
  } catch (const Error& e) {
    CHECK_EQ(e.kind(), std::string("ValueError"));
    CHECK_EQ(e.message(), std::string("the value 3"));
    CHECK_EQ(std::string(e.what()), std::string("the value 3"));
    CHECK(::conformance::Has(e.backtrace(), "error_test.cc"));
  }
}

TEST(error, check_macros) {
  int three = 3;
  CHECK_RAISES("InternalError", "Check failed: (three == 4) is false: because",
               TVM_FFI_ICHECK(three == 4) << "because");
  CHECK_RAISES("InternalError", "Check failed: three == 4 (3 vs. 4) : ", TVM_FFI_ICHECK_EQ(three, 4));
  CHECK_RAISES("IndexError", "three", TVM_FFI_CHECK(three > 4, IndexError));
  void* nothing = nullptr;
  CHECK_RAISES("InternalError", "Check not null: nothing", TVM_FFI_ICHECK_NOTNULL(nothing));
}

TEST(error, crosses_the_c_boundary) {
  Function f = Function::FromTyped([]() { TVM_FFI_THROW(KeyError) << "gone"; });
  TVMFFIAny result;
  result.type_index = kTVMFFINone;
  auto* handle = detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(f);
  CHECK(TVMFFIFunctionCall(handle, nullptr, 0, &result) != 0);
  Error e = detail::MoveFromSafeCallRaised();
  CHECK_EQ(e.kind(), std::string("KeyError"));
  CHECK_EQ(e.message(), std::string("gone"));
  TVMFFIObjectHandle empty = &e;
  TVMFFIErrorMoveFromRaised(&empty);
  CHECK(empty == nullptr);  // no error is raised any more
}

TEST(error, std_exception_becomes_internal) {
  Function f = Function::FromTyped([]() { throw std::runtime_error("plain"); });
  TVMFFIAny result;
  result.type_index = kTVMFFINone;
  CHECK(TVMFFIFunctionCall(detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(f), nullptr, 0, &result) != 0);
  Error e = detail::MoveFromSafeCallRaised();
  CHECK_EQ(e.kind(), std::string("InternalError"));
  CHECK_EQ(e.message(), std::string("plain"));
}

TEST(error, raised_by_runtime) {
  Error e = Caught(Function::FromPacked(
      [](const AnyView*, int32_t, Any*) { Function::GetGlobalRequired("ffi.ArrayGetItem")(Array<int>{}, 0); }));
  CHECK_EQ(e.kind(), std::string("IndexError"));
  CHECK_EQ(e.message(), std::string("Index 0 out of bounds 0"));
  CHECK(::conformance::Has(e.FullMessage(), "IndexError: Index 0 out of bounds 0"));
}

TEST(error, same_object_comes_back) {
  Error original("TypeError", "as is", "  File \"a.py\", line 1, in f\n");
  detail::SetSafeCallRaised(original);
  CHECK_EQ(original.use_count(), 2);
  Error back = detail::MoveFromSafeCallRaised();
  CHECK(back.same_as(original));
  CHECK_EQ(original.use_count(), 2);
}

TEST(error, set_from_c_strings) {
  TVMFFIErrorSetRaisedFromCStr("OSError", "no such thing");
  Error e = detail::MoveFromSafeCallRaised();
  CHECK_EQ(e.kind(), std::string("OSError"));
  CHECK_EQ(e.message(), std::string("no such thing"));
  const char* parts[] = {"one ", nullptr, "two ", "three"};
  TVMFFIErrorSetRaisedFromCStrParts("OSError", parts, 4);
  CHECK_EQ(detail::MoveFromSafeCallRaised().message(), std::string("one two three"));
}

TEST(error, a_new_error_replaces_the_old) {
  TVMFFIErrorSetRaisedFromCStr("A", "first");
  TVMFFIErrorSetRaisedFromCStr("B", "second");
  CHECK_EQ(detail::MoveFromSafeCallRaised().kind(), std::string("B"));
  TVMFFIErrorSetRaisedFromCStr("A", "first");
  TVMFFIErrorSetRaised(nullptr);
  TVMFFIObjectHandle handle = nullptr;
  TVMFFIErrorMoveFromRaised(&handle);
  CHECK(handle == nullptr);
}

TEST(error, raised_error_is_per_thread) {
  TVMFFIErrorSetRaisedFromCStr("Mine", "here");
  bool other_empty = false;
  std::thread([&] {
    TVMFFIObjectHandle handle = nullptr;
    TVMFFIErrorMoveFromRaised(&handle);
    other_empty = handle == nullptr;
    TVMFFIErrorSetRaisedFromCStr("Other", "left behind by a thread that ends");
  }).join();
  CHECK(other_empty);
  CHECK_EQ(detail::MoveFromSafeCallRaised().kind(), std::string("Mine"));
}

TEST(error, made_by_c_function) {
  TVMFFIByteArray kind{"ValueError", 10}, message{"a message", 9}, trace{"  File \"x\", line 2, in g\n", 25};
  TVMFFIObjectHandle handle = nullptr;
  CHECK_EQ(TVMFFIErrorCreate(&kind, &message, &trace, &handle), 0);
  Error e = Any(detail::ObjectUnsafe::ObjectPtrFromOwned<ErrorObj>(static_cast<TVMFFIObject*>(handle))).cast<Error>();
  CHECK_EQ(e.kind(), std::string("ValueError"));
  CHECK_EQ(std::strlen(e.what()), 9u);
  TVMFFIByteArray more{"  File \"y\", line 3, in h\n", 25};
  e.UpdateBacktrace(&more, kTVMFFIBacktraceUpdateModeAppend);
  CHECK_EQ(e.backtrace().size(), 50u);
  CHECK_EQ(e.TracebackMostRecentCallLast(), std::string("  File \"y\", line 3, in h\n  File \"x\", line 2, in g\n"));
  e.UpdateBacktrace(&more, kTVMFFIBacktraceUpdateModeReplace);
  CHECK_EQ(e.backtrace().size(), 25u);
}

TEST(error, cause_and_context) {
  Error cause("OSError", "the cause", "");
  Array<Any> context = {1, 2};
  TVMFFIByteArray kind{"RuntimeError", 12}, message{"the effect", 10}, none{nullptr, 0};
  TVMFFIObjectHandle handle = nullptr;
  CHECK_EQ(TVMFFIErrorCreateWithCauseAndExtraContext(
               &kind, &message, &none, detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(cause),
               detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(context), &handle),
           0);
  CHECK_EQ(cause.use_count(), 2);
  {
    Error e = Any(detail::ObjectUnsafe::ObjectPtrFromOwned<ErrorObj>(static_cast<TVMFFIObject*>(handle))).cast<Error>();
    CHECK(e.cause_chain().value().same_as(cause));
    CHECK(e.extra_context().value().same_as(context));
  }
  CHECK_EQ(cause.use_count(), 1);
  CHECK_EQ(context.use_count(), 1);
}

TEST(error, as_value) {
  Any any = Error("KeyError", "in an Any", "");
  CHECK_EQ(any.type_index(), static_cast<int32_t>(TypeIndex::kTVMFFIError));
  CHECK_EQ(any.cast<Error>().message(), std::string("in an Any"));
  CHECK_RAISES("TypeError", "Cannot convert from type `ffi.Error` to `int`", any.cast<int>());
}

TEST(error, already_set) {
  Function f = Function::FromTyped([]() { throw EnvErrorAlreadySet(); });
  CHECK_EQ(Caught(f).kind(), std::string("EnvErrorAlreadySet"));
}

TEST(error, backtrace_function) {
  const TVMFFIByteArray* trace = TVMFFIBacktrace("file.cc", 12, "my_function", 0);
  std::string text(trace->data, trace->size);
  CHECK(::conformance::Has(text, "my_function"));
  CHECK(::conformance::Has(text, "line"));
  CHECK(TVMFFIBacktrace(nullptr, 0, nullptr, 0) != nullptr);
}
