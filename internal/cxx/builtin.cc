#include "builtin.h"

namespace tvm {
namespace ffi {

TVMFFIObjectHandle Builtin::Handle() {
  TVMFFIObjectHandle function = function_.load(std::memory_order_acquire);
  if (function != nullptr) return function;
  TVMFFIByteArray name = {name_, std::strlen(name_)};
  CheckCall(TVMFFIFunctionGetGlobal(&name, &function));
  if (function == nullptr) Throw("InternalError", std::string("the runtime has no function ") + name_);
  TVMFFIObjectHandle none = nullptr;
  if (!function_.compare_exchange_strong(none, function, std::memory_order_acq_rel)) {
    TVMFFIObjectDecRef(function);  // another thread was faster
    return none;
  }
  return function;
}

}  // namespace ffi
}  // namespace tvm
