// Errors as C++ exceptions: what callers catch as tvm::ffi::Error.
#ifndef SELFSAME_ABI_CXX_ERROR_H_
#define SELFSAME_ABI_CXX_ERROR_H_

#include <exception>

#include "types.h"

namespace tvm {
namespace ffi {

// The exception. Its vtable and type information are emitted weak in every binary that uses it, and the C++ runtime
// matches exceptions by the type's name, so a caller catches this as its own class: the layout (16 bytes: the vptr of
// std::exception, then the reference) and the virtual functions must agree, nothing else.
class Error : public ObjectRef, public std::exception {
 public:
  explicit Error(TVMFFIObjectHandle owned) : ObjectRef(owned) {}
  const char* what() const noexcept override;
};

static_assert(sizeof(Error) == 16, "an Error is a std::exception with a reference");

// Throws the error in the calling thread's slot.
[[noreturn]] void ThrowRaised();
// Throws a new error, its message the parts one after the other.
[[noreturn]] void Throw(const char* kind, const std::string& message);

inline void CheckCall(int rc) {
  if (rc != 0) ThrowRaised();
}

// Puts the exception that is being handled into the calling thread's slot. Always returns -1.
int RaiseCurrent() noexcept;

// Runs code that may throw, for a caller in C: 0, or -1 with the exception in the slot.
template <typename F>
int Guarded(F&& action) noexcept {
  try {
    action();
    return 0;
  } catch (...) {
    return RaiseCurrent();
  }
}

}  // namespace ffi
}  // namespace tvm

#endif  // SELFSAME_ABI_CXX_ERROR_H_
