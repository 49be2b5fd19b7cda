// A module whose functions are symbols: of a shared library, or of those registered as the system library.
#ifndef SELFSAME_ABI_CXX_LIBRARY_H_
#define SELFSAME_ABI_CXX_LIBRARY_H_

#include "module.h"

namespace tvm {
namespace ffi {

// Where symbols come from. The library itself is never closed: objects, types and functions made by its code may be
// anywhere by now, and they run its code when they die.
class Library {
 public:
  explicit Library(void* dl_handle) : dl_handle_(dl_handle) {}
  explicit Library(std::string system_prefix) : prefix_(std::move(system_prefix)) {}

  // The address of a data symbol or a function, by its full name; of a module's function, by its name. NULL: none.
  void* Symbol(const std::string& name) const;
  void* FunctionSymbol(const std::string& name) const;

 private:
  void* dl_handle_ = nullptr;  // NULL: the system library
  std::string prefix_;
};

// A new module over a library. *out: new reference. Throws.
TVMFFIObjectHandle MakeLibraryModule(const Library& library);

}  // namespace ffi
}  // namespace tvm

#endif  // SELFSAME_ABI_CXX_LIBRARY_H_
