#include "library.h"

#include <map>
#include <memory>
#include <mutex>
#include <new>

#include "builtin.h"
#include "locks.h"
#include "calls/module_symbols.h"
#include "selfsame/internal/loader.h"
#include "selfsame/internal/refcount.h"
#include "selfsame/selfsame.h"

extern "C" {
void* ss_object_space(size_t size, size_t alignment, int32_t type_index);
}

namespace tvm {
namespace ffi {

namespace {

constexpr char kPrefix[] = "__tvm_ffi_";
constexpr char kDocPrefix[] = "__tvm_ffi__doc_";
constexpr char kMetadataPrefix[] = "__tvm_ffi__metadata_";

std::string Text(const String& s) { return std::string(s.data(), s.size()); }

class LibraryModuleObj;

// The data of a module's function; retains the module.
struct Bound {
  TVMFFISafeCallType symbol;
  ObjectRef module;
  LibraryModuleObj* owner;
  std::string name;
  TVMFFIObject* function;  // the Function that this belongs to, borrowed
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

void DeleteBound(void* self);

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

  // The same object as long as it lives, so that a function has one wrapper in each language.
  Optional<Function> GetFunction(const String& name) final {
    std::string key = Text(name);
    if (TVMFFIObject* alive = Alive(key)) return Optional<Function>(alive);
    void* symbol = library_.FunctionSymbol(key);  // takes the loader's lock
    if (symbol == nullptr) return Optional<Function>();
    std::lock_guard<std::mutex> guard(locks().functions);  // only the allocator is called under it
    auto known = functions_.find(key);
    if (known != functions_.end() && ss_promote(known->second)) return Optional<Function>(known->second);
    return Optional<Function>(MakeFunction(key, symbol));
  }

  // Called when a function dies.
  void Forget(const Bound& bound) {
    std::lock_guard<std::mutex> guard(locks().functions);
    auto known = functions_.find(bound.name);
    if (known == functions_.end() || known->second != bound.function) return;  // a new function replaced it
    functions_.erase(known);
    ss_weak_decref(bound.function);
  }

  bool ImplementsFunction(const String& name) final { return library_.FunctionSymbol(Text(name)) != nullptr; }

  Optional<String> GetFunctionDoc(const String& name) final { return DescribeWith(kDocPrefix, name); }
  Optional<String> GetFunctionMetadata(const String& name) final { return DescribeWith(kMetadataPrefix, name); }

  void MakeObject() { ss_object_init(&header_, kTVMFFIModule, Delete); }

 private:
  // A new reference to the function of a name, nullptr when none lives.
  TVMFFIObject* Alive(const std::string& key) {
    std::lock_guard<std::mutex> guard(locks().functions);
    auto known = functions_.find(key);
    return known != functions_.end() && ss_promote(known->second) ? known->second : nullptr;
  }

  TVMFFIObjectHandle MakeFunction(const std::string& key, void* symbol) {
    TVMFFIObjectIncRef(handle());
    auto bound = std::make_unique<Bound>(
        Bound{reinterpret_cast<TVMFFISafeCallType>(symbol), ObjectRef(handle()), this, key, nullptr});
    TVMFFIObject*& entry = functions_[key];
    TVMFFIObjectHandle function = nullptr;
    if (TVMFFIFunctionCreate(bound.get(), CallBound, DeleteBound, &function) != 0) {
      if (entry == nullptr) functions_.erase(key);
      ThrowRaised();
    }
    if (entry != nullptr) ss_weak_decref(entry);  // a dying function; Forget finds that it was replaced
    entry = static_cast<TVMFFIObject*>(function);
    ss_weak_incref(entry);
    bound.release()->function = entry;
    return function;
  }

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
  std::map<std::string, TVMFFIObject*> functions_;  // one weak reference each; empty when the module dies
};

void DeleteBound(void* self) {
  std::unique_ptr<Bound> bound(static_cast<Bound*>(self));
  bound->owner->Forget(*bound);
}

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
