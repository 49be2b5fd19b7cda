#include "module.h"

#include <algorithm>
#include <mutex>

#include "builtin.h"
#include "locks.h"
#include "calls/module_symbols.h"
#include "selfsame/selfsame.h"

namespace tvm {
namespace ffi {

namespace {

const TVMFFISeqCell* CellOf(const ObjectRef& array) {
  return reinterpret_cast<const TVMFFISeqCell*>(static_cast<TVMFFIObject*>(array.get()) + 1);
}

// Calls `ask` with the module, then with its imports depth first, until a result is true.
template <typename R, typename Ask>
R Search(ModuleObj* module, bool query_imports, const Ask& ask) {
  R found = ask(module);
  if (found || !query_imports) return found;
  for (const Module& import : module->Imports()) {
    found = Search<R>(import.operator->(), true, ask);
    if (found) return found;
  }
  return found;
}

// Optional<String> has no operator bool.
struct FoundText {
  Optional<String> text;
  explicit operator bool() const { return !text.IsNone(); }
};

}  // namespace

ObjectRef MakeArray(const std::vector<TVMFFIAny>& views) {
  TVMFFIObjectHandle array = nullptr;
  CheckCall(SelfsameArrayCreate(views.data(), static_cast<int64_t>(views.size()), &array));
  return ObjectRef(array);
}

void ModuleObj::Unsupported(const char* what) const {
  Throw("RuntimeError", std::string("Module[") + kind() + "] does not support " + what);
}

Array<String> ModuleObj::GetWriteFormats() const { return Array<String>(MakeArray({}).Release()); }

ObjectRef ModuleObj::ImportsArray() const {
  std::lock_guard<std::mutex> guard(locks().list);
  return imports_;
}

std::vector<Module> ModuleObj::Imports() const {
  ObjectRef array = ImportsArray();
  std::vector<Module> imports;
  if (!array) return imports;
  const TVMFFISeqCell* cell = CellOf(array);
  const TVMFFIAny* items = static_cast<const TVMFFIAny*>(cell->data);
  for (int64_t i = 0; i < cell->size; i++) {
    if (items[i].type_index != kTVMFFIModule) continue;
    TVMFFIObjectIncRef(items[i].v_obj);
    imports.emplace_back(static_cast<TVMFFIObjectHandle>(items[i].v_obj));
  }
  return imports;
}

void ModuleObj::ImportModule(const Module& other) {
  ObjectRef old;  // released after unlocking: a module may die with it
  std::vector<Module> reached = {other};
  std::lock_guard<std::mutex> guard(locks().changing);
  for (size_t i = 0; i < reached.size(); i++) {
    if (reached[i].operator->() == this) Throw("RuntimeError", "Cyclic dependency detected during import");
    for (const Module& next : reached[i]->Imports()) {
      bool known = std::any_of(reached.begin(), reached.end(), [&](const Module& m) { return m.get() == next.get(); });
      if (!known) reached.push_back(next);
    }
  }
  std::vector<Module> imports = Imports();
  imports.push_back(other);
  std::vector<TVMFFIAny> views;
  for (const Module& m : imports) views.push_back(View(m));
  old = SwapImports(MakeArray(views));
}

void ModuleObj::ClearImports() {
  ObjectRef before = ImportsArray();
  if (before && CellOf(before)->size == 0) return;
  ObjectRef none = MakeArray({}), old;
  std::lock_guard<std::mutex> guard(locks().changing);
  old = SwapImports(std::move(none));
}

ObjectRef ModuleObj::SwapImports(ObjectRef array) {
  Array<Any> list(array.Release());
  std::lock_guard<std::mutex> guard(locks().list);
  std::swap(imports_, list);
  return list;
}

Optional<Function> ModuleObj::GetFunction(const String& name, bool query_imports) {
  return Search<Optional<Function>>(this, query_imports, [&](ModuleObj* m) { return m->GetFunction(name); });
}

bool ModuleObj::ImplementsFunction(const String& name, bool query_imports) {
  return Search<bool>(this, query_imports, [&](ModuleObj* m) { return m->ImplementsFunction(name); });
}

Optional<String> ModuleObj::GetFunctionDoc(const String& name, bool query_imports) {
  return Search<FoundText>(this, query_imports, [&](ModuleObj* m) { return FoundText{m->GetFunctionDoc(name)}; }).text;
}

Optional<String> ModuleObj::GetFunctionMetadata(const String& name, bool query_imports) {
  return Search<FoundText>(this, query_imports, [&](ModuleObj* m) { return FoundText{m->GetFunctionMetadata(name)}; })
      .text;
}

Module Module::LoadFromFile(const String& file_name) {
  static Builtin load("ffi.ModuleLoadFromFile");
  return Module(load({View(file_name)}).ReleaseObject().Release());
}

void Module::VisitContextSymbols(const TypedFunction<void(String, void*)>& callback) {
  for (const SsContextSymbol* s = ss_context_symbols(); s != nullptr; s = ss_context_symbol_next(s)) {
    TVMFFIAny args[2] = {}, result = {};
    args[0].type_index = kTVMFFIRawStr;
    args[0].v_c_str = s->name;
    args[1].type_index = s->symbol == nullptr ? kTVMFFINone : kTVMFFIOpaquePtr;
    args[1].v_ptr = s->symbol;
    CheckCall(TVMFFIFunctionCall(callback.get(), args, 2, &result));
    Any released(result);
  }
}

}  // namespace ffi
}  // namespace tvm
