// A helper function of newer C++ compilers, which ends the program when an exception leaves a noexcept function. Some
// early versions of the published library export it, and libraries linked against those import it.
// Weak, because a C++ library that is linked in may have it too.
#include <cxxabi.h>

#include <exception>

extern "C" __attribute__((visibility("default"), weak, noreturn)) void __cxa_call_terminate(void* exception) noexcept {
  if (exception != nullptr) abi::__cxa_begin_catch(exception);  // so that the terminate handler can name it
  std::terminate();
}
