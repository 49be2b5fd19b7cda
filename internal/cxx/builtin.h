// Calling builtin functions from C++.
#ifndef SELFSAME_INTERNAL_CXX_BUILTIN_H_
#define SELFSAME_INTERNAL_CXX_BUILTIN_H_

#include <atomic>
#include <initializer_list>

#include "error.h"

namespace tvm {
namespace ffi {

// A global function, looked up at the first call and then retained. Any thread.
class Builtin {
 public:
  constexpr explicit Builtin(const char* name) : name_(name) {}

  // The arguments are borrowed. Throws the error that the function raises.
  Any operator()(std::initializer_list<TVMFFIAny> args) {
    Any result;
    TVMFFIAny raw = {};
    CheckCall(
        TVMFFIFunctionCall(Handle(), const_cast<TVMFFIAny*>(args.begin()), static_cast<int32_t>(args.size()), &raw));
    return Any(raw);
  }

 private:
  TVMFFIObjectHandle Handle();

  const char* name_;
  std::atomic<TVMFFIObjectHandle> function_{nullptr};
};

// Views for arguments.
inline TVMFFIAny View(const OwnedValue& value) { return value.raw(); }

inline TVMFFIAny View(const ObjectRef& ref) {
  TVMFFIAny view = {};
  if (ref) {
    view.type_index = static_cast<TVMFFIObject*>(ref.get())->type_index;
    view.v_obj = static_cast<TVMFFIObject*>(ref.get());
  }
  return view;
}

inline TVMFFIAny View(bool value) {
  TVMFFIAny view = {};
  view.type_index = kTVMFFIBool;
  view.v_int64 = value;
  return view;
}

}  // namespace ffi
}  // namespace tvm

#endif  // SELFSAME_INTERNAL_CXX_BUILTIN_H_
