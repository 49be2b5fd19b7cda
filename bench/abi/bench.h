// The operations that the C ABI comparison times. An operation makes its objects once and then repeats one step many
// times. The program is compiled once, with the published headers, and runs on either library.
#ifndef BENCH_ABI_BENCH_H_
#define BENCH_ABI_BENCH_H_

#include <tvm/ffi/tvm_ffi.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

// The part of the library that an operation exercises; each has its own target (table.py): header code and the data
// plane, a short call of a builtin function, and a call that does much work.
enum class Kind { kPlane, kCall, kBulk };

// Runs the operation n times.
using Body = std::function<void(int64_t n)>;

struct Operation {
  Kind kind;
  std::string name;
  std::function<Body()> make;  // called once, before the first run
};

std::vector<Operation>& Operations();

struct Define {
  Define(Kind kind, const char* name, std::function<Body()> make) {
    Operations().push_back({kind, name, std::move(make)});
  }
};

// Keeps the compiler from removing the computation of a value.
template <typename T>
inline void Keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

// An operation that repeats f.
template <typename F>
Body Each(F f) {
  return [f = std::move(f)](int64_t n) mutable {
    for (int64_t i = 0; i < n; i++) f();
  };
}

// Ends the program if a call of the C ABI failed, so that no failing call is timed.
inline void Must(int code) {
  if (code == 0) return;
  TVMFFIObjectHandle error = nullptr;
  TVMFFIErrorMoveFromRaised(&error);
  fprintf(stderr, "bench: a call failed with code %d\n", code);
  abort();
}

// A global function with its arguments, called through the C ABI as other languages do.
class Call {
 public:
  template <typename... Args>
  explicit Call(const char* name, Args&&... args)
      : function_(tvm::ffi::Function::GetGlobalRequired(name)), owned_{tvm::ffi::Any(std::forward<Args>(args))...} {}

  void operator()() {
    TVMFFIAny result;
    result.type_index = TVMFFITypeIndex::kTVMFFINone;
    result.v_int64 = 0;
    result.zero_padding = 0;
    Must(TVMFFIFunctionCall(tvm::ffi::details::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(function_),
                            reinterpret_cast<TVMFFIAny*>(owned_.data()), static_cast<int32_t>(owned_.size()), &result));
    if (result.type_index >= TVMFFITypeIndex::kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(result.v_obj);
  }

 private:
  tvm::ffi::Function function_;
  std::vector<tvm::ffi::Any> owned_;
};

// An operation that is one call of a global function.
template <typename... Args>
Body Calls(const char* name, Args&&... args) {
  return Each(Call(name, std::forward<Args>(args)...));
}

}  // namespace bench

#endif  // BENCH_ABI_BENCH_H_
