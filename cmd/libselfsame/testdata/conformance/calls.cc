// Functions and errors.
// Requirements: A6, E1
#include <tvm/ffi/reflection/registry.h>

#include <stdexcept>
#include <thread>
#include <vector>

#include "checks.h"
#include "classes.h"

namespace refl = tvm::ffi::reflection;

void Functions() {
  CHECK(Global("conformance.add")(2, 3).cast<int>() == 5);
  CHECK_THROWS(
      Global("conformance.add")(2), "TypeError",
      "Mismatched number of arguments when calling: `conformance.add(0: int, 1: int) -> int`. Expected 2 but got 1");
  int captured = 10;
  Function f = Function::FromTyped([captured](int x) { return x + captured; });
  CHECK(Global("conformance.echo")(f).cast<Function>().same_as(f));
  CHECK(f(1).cast<int>() == 11);
  CHECK(Global("conformance.count")(1, "x", nullptr, 2.0).cast<int>() == 4);
  CHECK(!Function::GetGlobal("conformance.nothing").has_value());
  CHECK(Function::GetGlobal("conformance.add")->same_as(Global("conformance.add")));

  Function::SetGlobal("conformance.temporary", f);
  CHECK(f.use_count() == 2);
  CHECK_THROWS(Function::SetGlobal("conformance.temporary", f), "RuntimeError",
               "Global Function `conformance.temporary` is already registered");
  CHECK_THROWS(refl::GlobalDef().def("conformance.temporary", [](int x) { return x; }), "RuntimeError",
               "Global Function `conformance.temporary` is already registered, possible causes:");
  Function g = Function::FromTyped([](int x) { return x - 1; });
  Function::SetGlobal("conformance.temporary", g, true);
  CHECK(f.use_count() == 1 && Global("conformance.temporary")(1).cast<int>() == 0);
  std::vector<String> names = Function::ListGlobalNames();
  int seen = 0;
  for (const String& n : names) seen += n == "conformance.temporary" || n == "conformance.add" || n == "ffi.Array";
  CHECK(seen == 3);
  Function list = Global("ffi.FunctionListGlobalNamesFunctor")().cast<Function>();
  CHECK(list(-1).cast<size_t>() == names.size());
  CHECK_THROWS(list(static_cast<int64_t>(names.size())), "IndexError", "");
  Function::RemoveGlobal("conformance.temporary");
  CHECK(g.use_count() == 1 && !Function::GetGlobal("conformance.temporary").has_value());
  CHECK(!Global("ffi.FunctionRemoveGlobal")("conformance.temporary").cast<bool>());
  Function::SetGlobal("conformance.temporary", g);
  CHECK(Global("ffi.GetGlobalFuncMetadata")("conformance.temporary").cast<String>() == "");
  Function::RemoveGlobal("conformance.temporary");
  String metadata = Global("ffi.GetGlobalFuncMetadata")("conformance.add").cast<String>();
  CHECK(std::string(metadata).find("type_schema") != std::string::npos);
  CHECK_THROWS(Global("ffi.GetGlobalFuncMetadata")("conformance.nothing"), "RuntimeError",
               "Global Function is not found: conformance.nothing");
  CHECK_THROWS(
      Global("ffi.GetGlobalFuncMetadata")(3), "TypeError",
      "Mismatched type on argument #0 when calling: `ffi.GetGlobalFuncMetadata(0: str) -> str`. Expected `str` but "
      "got `int`");
}

static int external_calls = 0, external_deletes = 0;

static int ExternalCall(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  external_calls += *static_cast<int*>(self);
  if (num_args == 0) {
    TVMFFIErrorSetRaisedFromCStr("IndexError", "raised in C");
    return -1;
  }
  return TVMFFIAnyViewToOwnedAny(&args[0], result);
}

void ExternalFunctions() {
  int step = 1;
  TVMFFIObjectHandle handle = nullptr;
  auto deleter = +[](void*) { external_deletes++; };
  CHECK(TVMFFIFunctionCreate(&step, ExternalCall, deleter, &handle) == 0);
  {
    Function f = tvm::ffi::details::ObjectUnsafe::ObjectRefFromObjectPtr<Function>(
        tvm::ffi::details::ObjectUnsafe::ObjectPtrFromOwned<Object>(static_cast<TVMFFIObject*>(handle)));
    CHECK(f("text of some length").cast<String>() == "text of some length");
    CHECK_THROWS(f(), "IndexError", "raised in C");
  }
  CHECK(external_calls == 2 && external_deletes == 1);
  {
    Function f = Global("ffi.FunctionFromExternC")(static_cast<void*>(&step), reinterpret_cast<void*>(&ExternalCall),
                                                   reinterpret_cast<void*>(deleter))
                     .cast<Function>();
    CHECK(f(5).cast<int>() == 5);
  }
  CHECK(external_calls == 3 && external_deletes == 2);
  CHECK_THROWS(Global("ffi.FunctionFromExternC")(1, 2, 3), "TypeError", "Expected `void*` but got `int`");
}

void Errors() {
  try {
    Global("conformance.fail")("here");
    CHECK(false);
  } catch (const Error& e) {
    CHECK(e.kind() == "KeyError" && e.message() == "failed: here");
    CHECK(std::string(e.backtrace()).find("reflection.cc") != std::string::npos);
    CHECK(e.TracebackMostRecentCallLast().find("line ") != std::string::npos);
    CHECK(std::string(e.what()).find("failed: here") != std::string::npos);
  }
  // An error made by the library, changed by C++.
  TVMFFIByteArray kind = {"ValueError", 10}, message = {"outer", 5}, backtrace = {"  File \"a\", line 1, in f\n", 25};
  TVMFFIObjectHandle inner = nullptr, outer = nullptr;
  CHECK(TVMFFIErrorCreate(&kind, &message, &backtrace, &inner) == 0);
  CHECK(TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &message, &backtrace, inner, inner, &outer) == 0);
  TVMFFIErrorSetRaised(outer);
  TVMFFIObjectDecRef(outer);
  TVMFFIObjectDecRef(inner);
  Error error = tvm::ffi::details::MoveFromSafeCallRaised();
  CHECK(error.use_count() == 1);
  CHECK(error.cause_chain()->message() == "outer" && error.extra_context().has_value());
  TVMFFIByteArray more = {"  File \"b\", line 2, in g\n", 25};
  error.UpdateBacktrace(&more, kTVMFFIBacktraceUpdateModeAppend);
  CHECK(error.TracebackMostRecentCallLast() == "  File \"b\", line 2, in g\n  File \"a\", line 1, in f\n");
  error.UpdateBacktrace(&more, kTVMFFIBacktraceUpdateModeReplace);
  CHECK(error.TracebackMostRecentCallLast() == "  File \"b\", line 2, in g\n");
  // A C++ exception of another kind.
  Function odd = Function::FromTyped([]() -> int { throw std::runtime_error("not ours"); });
  FunctionObj* body = const_cast<FunctionObj*>(odd.get());
  TVMFFIAny result = AnyView(nullptr).CopyToTVMFFIAny();
  CHECK(TVMFFIFunctionCall(body, nullptr, 0, &result) != 0);
  CHECK_THROWS(throw tvm::ffi::details::MoveFromSafeCallRaised(), "InternalError", "not ours");
  // One raised error per thread.
  TVMFFIErrorSetRaisedFromCStr("KeyError", "mine");
  std::thread([] {
    TVMFFIObjectHandle theirs = &theirs;
    TVMFFIErrorMoveFromRaised(&theirs);
    CHECK(theirs == nullptr);
    TVMFFIErrorSetRaisedFromCStr("KeyError", "theirs");
  }).join();
  CHECK_THROWS(throw tvm::ffi::details::MoveFromSafeCallRaised(), "KeyError", "mine");
  const TVMFFIByteArray* trace = TVMFFIBacktrace("file.cc", 42, "SomeFunction", 0);
  std::string text(trace->data, trace->size);
  CHECK(text.rfind("  File \"file.cc\", line 42, in SomeFunction\n", 0) == 0);
}
