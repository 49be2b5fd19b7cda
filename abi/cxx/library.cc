#include "library.h"

#include <dlfcn.h>

#include <memory>
#include <new>

#include "builtin.h"
#include "module_symbols.h"
#include "selfsame/selfsame.h"

extern "C" {
void* ss_object_space(size_t size, size_t alignment, int32_t type_index);
void ss_object_init(void* obj, int32_t type_index, void (*deleter)(void* self, int flags));
}

namespace tvm {
namespace ffi {

namespace {

constexpr char kPrefix[] = "__tvm_ffi_";
constexpr char kDocPrefix[] = "__tvm_ffi__doc_";
constexpr char kMetadataPrefix[] = "__tvm_ffi__metadata_";

std::string Text(const String& s) { return std::string(s.data(), s.size()); }

// What a function of a module carries: it keeps the module.
struct Bound {
  TVMFFISafeCallType symbol;
  ObjectRef module;
};

int CallBound(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (result->type_index >= kTVMFFIStaticObjectBegin) {
    std::string found = std::to_string(result->type_index);
    const char* parts[] = {"Check failed: rv->type_index() < TypeIndex::kTVMFFIStaticObjectBegin (", found.c_str(),
                           " vs. 64) : "};
    TVMFFIErrorSetRaisedFromCStrParts("InternalError", parts, 3);
    return -1;
  }
  return static_cast<Bound*>(self)->symbol(nullptr, args, num_args, result);
}

void DeleteBound(void* self) { delete static_cast<Bound*>(self); }

// Calls a function without arguments that describes another one.
Optional<String> Describe(void* symbol, const std::string& name) {
  if (symbol == nullptr) return Optional<String>();
  TVMFFIAny result = {};
  CheckCall(reinterpret_cast<TVMFFISafeCallType>(symbol)(nullptr, nullptr, 0, &result));
  Any value(result);
  if (result.type_index != kTVMFFISmallStr && result.type_index != kTVMFFIStr) {
    Throw("TypeError", "the symbol " + name + " must give a str");
  }
  return Optional<String>(value.Release());
}

class LibraryModuleObj final : public ModuleObj {
 public:
  explicit LibraryModuleObj(const Library& library) : library_(library) {
    static Builtin make_map("ffi.Map");
    imports_ = Array<Any>(MakeArray({}).Release());
    import_lookup_cache_ = make_map({}).ReleaseObject();
  }

  const char* kind() const final { return "library"; }
  int GetPropertyMask() const final { return 3; }  // binary-serializable, runnable

  Optional<Function> GetFunction(const String& name) final {
    void* symbol = library_.FunctionSymbol(Text(name));
    if (symbol == nullptr) return Optional<Function>();
    TVMFFIObjectIncRef(handle());
    auto bound = std::make_unique<Bound>(Bound{reinterpret_cast<TVMFFISafeCallType>(symbol), ObjectRef(handle())});
    TVMFFIObjectHandle function = nullptr;
    CheckCall(TVMFFIFunctionCreate(bound.get(), CallBound, DeleteBound, &function));
    bound.release();
    return Optional<Function>(function);
  }

  bool ImplementsFunction(const String& name) final { return library_.FunctionSymbol(Text(name)) != nullptr; }

  Optional<String> GetFunctionDoc(const String& name) final { return DescribeWith(kDocPrefix, name); }
  Optional<String> GetFunctionMetadata(const String& name) final { return DescribeWith(kMetadataPrefix, name); }

  void MakeObject() { ss_object_init(&header_, kTVMFFIModule, Delete); }

 private:
  Optional<String> DescribeWith(const char* prefix, const String& name) {
    std::string symbol = prefix + Text(name);
    return Describe(library_.Symbol(symbol), symbol);
  }

  static void Delete(void* self, int flags) {
    auto* module = static_cast<LibraryModuleObj*>(ModuleObj::FromHandle(self));
    if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) module->~LibraryModuleObj();
    if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) SelfsameObjectFree(module);  // the block begins at the vptr
  }

  Library library_;
};

}  // namespace

void* Library::Symbol(const std::string& name) const {
  if (name.find('\0') != std::string::npos) return nullptr;
  if (dl_handle_ != nullptr) return dlsym(dl_handle_, name.c_str());
  void* found = ss_system_symbol((prefix_ + name).c_str());
  return found != nullptr ? found : ss_system_symbol(name.c_str());
}

void* Library::FunctionSymbol(const std::string& name) const {
  if (dl_handle_ != nullptr) return Symbol(kPrefix + name);
  if (name.find('\0') != std::string::npos) return nullptr;
  void* found = ss_system_symbol((kPrefix + prefix_ + name).c_str());
  return found != nullptr ? found : ss_system_symbol((kPrefix + name).c_str());
}

TVMFFIObjectHandle MakeLibraryModule(const Library& library) {
  void* space = ss_object_space(sizeof(LibraryModuleObj), alignof(LibraryModuleObj), kTVMFFIModule);
  if (space == nullptr) ThrowRaised();
  try {
    auto* module = new (space) LibraryModuleObj(library);
    module->MakeObject();
    return module->handle();
  } catch (...) {
    SelfsameObjectFree(space);
    throw;
  }
}

}  // namespace ffi
}  // namespace tvm
