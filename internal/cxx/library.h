// A module whose functions are symbols of a shared library, or symbols registered as the system library.
#ifndef SELFSAME_INTERNAL_CXX_LIBRARY_H_
#define SELFSAME_INTERNAL_CXX_LIBRARY_H_

#include "module.h"

namespace tvm {
namespace ffi {

// The source of the symbols. A shared library is never closed: objects, types and functions that its code made run that
// code when they die. RATIONALE.md, "Why a shared library stays loaded for the life of the process once a module was
// made of it".
class Library {
 public:
  explicit Library(void* dl_handle) : dl_handle_(dl_handle) {}
  explicit Library(std::string system_prefix) : prefix_(std::move(system_prefix)) {}

  // Symbol: the address of a data symbol or function by its full name. FunctionSymbol: that of a module's function by
  // its name. NULL: there is none.
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

#endif  // SELFSAME_INTERNAL_CXX_LIBRARY_H_
