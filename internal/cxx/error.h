// Errors as the C++ exceptions that callers catch as tvm::ffi::Error.
#ifndef SELFSAME_INTERNAL_CXX_ERROR_H_
#define SELFSAME_INTERNAL_CXX_ERROR_H_

#include <exception>

#include "types.h"

namespace tvm {
namespace ffi {

// The exception. Every binary that uses it emits its vtable and type information weakly, and the C++ runtime matches
// exceptions by the type's name, so a caller catches this as the class in its binary. Only the layout (16 bytes: the
// vptr of std::exception, then the reference) and the virtual functions must agree.
class Error : public ObjectRef, public std::exception {
 public:
  explicit Error(TVMFFIObjectHandle owned) : ObjectRef(owned) {}
  const char* what() const noexcept override;
};

static_assert(sizeof(Error) == 16, "an Error is a std::exception with a reference");

// Throws the calling thread's raised error.
[[noreturn]] void ThrowRaised();
// Throws a new error.
[[noreturn]] void Throw(const char* kind, const std::string& message);

inline void CheckCall(int rc) {
  if (rc != 0) ThrowRaised();
}

// Raises the exception that is being handled in the calling thread. Always returns -1.
int RaiseCurrent() noexcept;

// Runs code that may throw, for a caller in C. Returns 0, or -1 with the exception raised.
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

#endif  // SELFSAME_INTERNAL_CXX_ERROR_H_
