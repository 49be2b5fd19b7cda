// The class of modules, from which compiled code derives and whose virtual functions it calls.
#ifndef SELFSAME_INTERNAL_CXX_MODULE_H_
#define SELFSAME_INTERNAL_CXX_MODULE_H_

#include <vector>

#include "error.h"

namespace tvm {
namespace ffi {

class Object {
 protected:
  TVMFFIObject header_ = {};
};

// The ABI fixes the order of the virtual functions. Object has none, so the vptr lies in front of the header: the
// object's handle is the address of this class plus 8.
class SS_ENTRY ModuleObj : public Object {
 public:
  virtual const char* kind() const = 0;
  virtual int GetPropertyMask() const { return 0; }
  virtual Optional<Function> GetFunction(const String& name) = 0;
  virtual bool ImplementsFunction(const String& name) { return static_cast<bool>(GetFunction(name)); }
  virtual Optional<String> GetFunctionDoc(const String&) { return Optional<String>(); }
  virtual Optional<String> GetFunctionMetadata(const String&) { return Optional<String>(); }
  virtual void WriteToFile(const String&, const String&) const { Unsupported("WriteToFile"); }
  virtual Array<String> GetWriteFormats() const;
  virtual Bytes SaveToBytes() const { Unsupported("SaveToBytes"); }
  virtual String InspectSource(const String&) const { return String(); }
  virtual void ImportModule(const Module& other);
  virtual void ClearImports();

  Optional<Function> GetFunction(const String& name, bool query_imports);
  bool ImplementsFunction(const String& name, bool query_imports);
  Optional<String> GetFunctionDoc(const String& name, bool query_imports);
  Optional<String> GetFunctionMetadata(const String& name, bool query_imports);

  // The current imports: the Array, and its modules. Both are retained for the caller.
  ObjectRef ImportsArray() const;
  std::vector<Module> Imports() const;

  TVMFFIObjectHandle handle() const { return const_cast<TVMFFIObject*>(&header_); }
  static ModuleObj* FromHandle(TVMFFIObjectHandle handle) {
    return reinterpret_cast<ModuleObj*>(static_cast<char*>(handle) - sizeof(void*));
  }

 protected:
  [[noreturn]] void Unsupported(const char* what) const;

  ObjectRef SwapImports(ObjectRef array);  // returns the old list

  Array<Any> imports_;
  ObjectRef import_lookup_cache_;  // a Map
};

static_assert(sizeof(ModuleObj) == 48, "the ABI's size of a module");

class Module : public ObjectRef {
 public:
  using ObjectRef::ObjectRef;
  ModuleObj* operator->() const { return ModuleObj::FromHandle(get()); }

  SS_ENTRY static Module LoadFromFile(const String& file_name);
  SS_ENTRY static void VisitContextSymbols(const TypedFunction<void(String, void*)>& callback);
};

// An Array of elements that are borrowed for the call. Throws.
ObjectRef MakeArray(const std::vector<TVMFFIAny>& views);

}  // namespace ffi
}  // namespace tvm

#endif  // SELFSAME_INTERNAL_CXX_MODULE_H_
