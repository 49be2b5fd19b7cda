// A helper of newer C++ compilers that the published library of some early versions exports, so that libraries built
// beside it look for it here: ends the program when an exception leaves a function that must not throw.
#include <cxxabi.h>

#include <exception>

extern "C" __attribute__((visibility("default"), noreturn)) void __cxa_call_terminate(void* exception) noexcept {
  if (exception != nullptr) abi::__cxa_begin_catch(exception);  // so that the terminate handler can name it
  std::terminate();
}
