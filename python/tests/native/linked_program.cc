// A program that uses a runtime through the published headers: containers, functions, errors, a class of its own. It
// links to the library by name, so that it starts on any runtime that is installed as libtvm_ffi.so.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <cstdio>

namespace ffi = tvm::ffi;

namespace {

class CounterObj : public ffi::Object {
 public:
  int64_t count = 0;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("linked_program.Counter", CounterObj, ffi::Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  ffi::reflection::ObjectDef<CounterObj>().def_rw("count", &CounterObj::count);
  ffi::reflection::GlobalDef().def("linked_program.fail", []() { TVM_FFI_THROW(KeyError) << "of the program"; });
}

}  // namespace

int main() {
  ffi::Map<ffi::String, ffi::Array<int64_t>> map{{"primes", {2, 3, 5}}};
  int64_t size = ffi::Function::GetGlobalRequired("ffi.ArraySize")(map["primes"]).cast<int64_t>();
  try {
    ffi::Function::GetGlobalRequired("linked_program.fail")();
  } catch (const ffi::Error& error) {
    std::printf("%lld %s\n", static_cast<long long>(size), std::string(error.kind()).c_str());
    return 0;
  }
  return 1;
}
