// extra/module.h and the module functions of extra/c_env_api.h: libraries, classes of this program, imports, look-ups.
// Requirement: A9
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "check.h"

using namespace tvm::ffi;

namespace {

std::string Fixture(const char* name) {
  const char* folder = std::getenv("CONFORMANCE_FIXTURES");
  return std::string(folder != nullptr ? folder : ".") + "/" + name;
}

Module Load(const char* name) { return Module::LoadFromFile(Fixture(name)); }

int destroyed = 0;

// A module class that overrides some of the virtual functions.
class EchoModuleObj : public ModuleObj {
 public:
  explicit EchoModuleObj(String prefix) : prefix_(std::move(prefix)) {}
  ~EchoModuleObj() { destroyed++; }
  const char* kind() const final { return "conformance.echo"; }
  int GetPropertyMask() const final { return Module::kRunnable; }
  Optional<Function> GetFunction(const String& name) final {
    if (name == "throws") TVM_FFI_THROW(KeyError) << "GetFunction threw";
    if (!name.starts_with(prefix_)) return std::nullopt;
    return Function::FromTyped([name](Any x) { return Array<Any>{name, x}; });
  }
  Optional<String> GetFunctionDoc(const String& name) final { return "doc of " + name; }
  Array<String> GetWriteFormats() const final { return {"txt", "bin"}; }
  String InspectSource(const String& format) const final { return "source in " + format; }

 private:
  String prefix_;
};

class BareModuleObj : public ModuleObj {
 public:
  const char* kind() const final { return "conformance.bare"; }
  Optional<Function> GetFunction(const String&) final { return std::nullopt; }
};

Module Echo(const char* prefix) { return Module(make_object<EchoModuleObj>(prefix)); }
Module Bare() { return Module(make_object<BareModuleObj>()); }

Function Global(const char* name) { return Function::GetGlobalRequired(name); }

}  // namespace

TEST(module, layout) {
  CHECK_EQ(sizeof(ModuleObj), 48u);
  Module m = Echo("");
  auto* handle = detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(m);
  CHECK_EQ(reinterpret_cast<char*>(handle) - reinterpret_cast<char*>(m.operator->()), 8);
  CHECK_EQ(handle->type_index, static_cast<int32_t>(TypeIndex::kTVMFFIModule));
}

TEST(module, own_class) {
  destroyed = 0;
  {
    Module m = Echo("say");
    CHECK_EQ(std::string(m->kind()), std::string("conformance.echo"));
    CHECK_EQ(m->GetFunction("say_it", false).value()(3).cast<Array<Any>>()[1].cast<int>(), 3);
    CHECK(!m->GetFunction("other", true).has_value());
    CHECK(m->ImplementsFunction("say", false));
    CHECK_EQ(m->GetFunctionDoc("x", false).value(), "doc of x");
    CHECK(!m->GetFunctionMetadata("x", true).has_value());
  }
  CHECK_EQ(destroyed, 1);
}

TEST(module, own_class_through_global_functions) {
  Module m = Echo("say");
  CHECK_EQ(Global("ffi.ModuleGetKind")(m).cast<String>(), "conformance.echo");
  CHECK_EQ(Global("ffi.ModuleGetPropertyMask")(m).cast<int>(), 2);
  CHECK_EQ(Global("ffi.ModuleInspectSource")(m, "c").cast<String>(), "source in c");
  CHECK_EQ(Global("ffi.ModuleGetWriteFormats")(m).cast<Array<String>>()[1], "bin");
  CHECK_EQ(Global("ffi.ModuleImplementsFunction")(m, "say", false).cast<bool>(), true);
  CHECK_EQ(Global("ffi.ModuleGetFunctionDoc")(m, "f", false).cast<String>(), "doc of f");
  CHECK(Global("ffi.ModuleGetFunctionMetadata")(m, "f", false) == nullptr);
  Any f = Global("ffi.ModuleGetFunction")(m, "say_a_longer_name", false);
  CHECK_EQ(f.cast<Function>()(1).cast<Array<Any>>()[0].cast<String>(), "say_a_longer_name");
  CHECK(Global("ffi.ModuleGetFunction")(m, "nothing", true) == nullptr);
}

TEST(module, exceptions_of_virtual_functions) {
  Module m = Echo("say");
  CHECK_RAISES("KeyError", "GetFunction threw", Global("ffi.ModuleGetFunction")(m, "throws", false));
  CHECK_RAISES("KeyError", "GetFunction threw", m->GetFunction("throws", true));
  CHECK_RAISES("RuntimeError", "Module[conformance.echo] does not support WriteToFile",
               Global("ffi.ModuleWriteToFile")(m, "file", "txt"));
  CHECK_RAISES("RuntimeError", "Module[conformance.bare] does not support SaveToBytes", Bare()->SaveToBytes());
}

TEST(module, base_class_answers) {
  Module m = Bare();
  CHECK_EQ(m->GetPropertyMask(), 0);
  CHECK_EQ(m->InspectSource("x"), "");
  CHECK_EQ(m->GetWriteFormats().size(), 0u);
  CHECK_EQ(Global("ffi.ModuleGetWriteFormats")(m).cast<Array<String>>().size(), 0u);
  CHECK_EQ(Global("ffi.ModuleInspectSource")(m, "").cast<String>(), "");
  CHECK(!m->ImplementsFunction("f"));
}

TEST(module, imports) {
  Module root = Bare(), a = Echo("a"), b = Echo("b");
  root->ImportModule(a);
  a->ImportModule(b);
  CHECK_EQ(root->imports().size(), 1u);
  CHECK(root->imports()[0].cast<Module>().same_as(a));
  CHECK(!root->GetFunction("b_fun", false).has_value());
  CHECK(root->GetFunction("b_fun", true).has_value());
  CHECK(root->ImplementsFunction("b_fun", true));
  CHECK_EQ(root->GetFunctionDoc("q", true).value(), "doc of q");
  root->ClearImports();
  CHECK_EQ(root->imports().size(), 0u);
  CHECK(!root->GetFunction("b_fun", true).has_value());
}

TEST(module, imports_through_global_functions) {
  Module root = Bare(), a = Echo("a");
  Global("ffi.ModuleImportModule")(root, a);
  CHECK_EQ(root->imports().size(), 1u);
  reflection::FieldGetter imports("ffi.Module", "imports_");
  CHECK(imports(root).cast<Array<Module>>()[0].same_as(a));
  Global("ffi.ModuleClearImports")(root);
  CHECK_EQ(a.use_count(), 1);
}

TEST(module, cycles_are_refused) {
  Module a = Echo("a"), b = Echo("b"), c = Echo("c");
  a->ImportModule(b);
  b->ImportModule(c);
  CHECK_RAISES("RuntimeError", "Cyclic dependency detected during import", c->ImportModule(a));
  CHECK_RAISES("RuntimeError", "Cyclic dependency detected during import", a->ImportModule(a));
  CHECK_RAISES("RuntimeError", "Cyclic dependency", Global("ffi.ModuleImportModule")(c, a));
  CHECK_EQ(c->imports().size(), 0u);
  a->ImportModule(c);  // two paths to one module are no cycle
  CHECK_EQ(a->imports().size(), 2u);
}

TEST(module, library) {
  Module m = Load("kernels.so");
  CHECK_EQ(std::string(m->kind()), std::string("library"));
  CHECK_EQ(m->GetPropertyMask(), 3);
  Function add = m->GetFunction("add", false).value();
  CHECK_EQ(add(2, 3).cast<int>(), 5);
  CHECK_EQ(m->GetFunction("main", false).value()(1, 2).cast<int>(), 1002);
  CHECK(!m->GetFunction("no_such_kernel", false).has_value());
  CHECK(m->ImplementsFunction("add"));
  CHECK(!m->ImplementsFunction("no_such_kernel"));
  CHECK_RAISES("ValueError", "this kernel always fails", m->GetFunction("fails", false).value()());
  CHECK_RAISES("TypeError", "add takes 2 arguments", add());
  CHECK_RAISES("RuntimeError", "Module[library] does not support WriteToFile", m->WriteToFile("a", "b"));
}

TEST(module, library_metadata_and_doc) {
  Module m = Load("kernels.so");
  CHECK_EQ(m->GetFunctionDoc("add", false).value(), "The sum of two integers.");
  CHECK(::conformance::Has(m->GetFunctionMetadata("add", false).value(), "type_schema"));
  CHECK(!m->GetFunctionDoc("main", false).has_value());
}

TEST(module, function_keeps_its_module) {
  Function add = Load("kernels.so")->GetFunction("add", false).value();
  CHECK_EQ(add(20, 22).cast<int>(), 42);
}

TEST(module, library_context) {
  Module m = Load("kernels.so");
  CHECK(m->GetFunction("library_ctx", false).value()().cast<void*>() == m.operator->());
}

TEST_KEEPS(module, context_symbols) {
  static int here;
  CHECK_EQ(TVMFFIEnvModRegisterContextSymbol("conformance_context_symbol", &here), 0);
  Module m = Load("kernels.so");
  CHECK(m->GetFunction("context", false).value()().cast<void*>() == &here);
  bool seen = false;
  Module::VisitContextSymbols(
      [&](String name, void* symbol) { seen = seen || (name == "conformance_context_symbol" && symbol == &here); });
  CHECK(seen);
  CHECK_RAISES("ValueError", "stop",
               Module::VisitContextSymbols([](String, void*) { TVM_FFI_THROW(ValueError) << "stop"; }));
}

TEST(module, lookup_from_imports) {
  Module m = Load("kernels.so");
  m->ImportModule(Echo("say"));
  Function call = m->GetFunction("call_import", false).value();
  CHECK_EQ(call("say_hello_to_them", 5).cast<Array<Any>>()[1].cast<int>(), 5);
  CHECK_EQ(call("ffi.ArraySize", Array<int>{1, 2}).cast<int>(), 2);  // found as a global function
  CHECK_RAISES("RuntimeError", "Cannot find function nobody in the imported modules or global registry.",
               call("nobody"));
  CHECK_RAISES("KeyError", "GetFunction threw", call("throws"));
}

TEST(module, failing_loads) {
  CHECK_RAISES("RuntimeError", "Failed to get file format from none", Module::LoadFromFile("none"));
  CHECK_RAISES("RuntimeError", "Loader for `.xyz` files is not registered", Module::LoadFromFile("file.xyz"));
  CHECK_RAISES("InternalError", "Failed to load dynamic shared library /no/such.so",
               Module::LoadFromFile("/no/such.so"));
}

TEST(module, loader_by_name) {
  Function::SetGlobal("ffi.Module.load_from_file.echo",
                      Function::FromTyped([](String file, String format) { return Echo("loaded"); }));
  CHECK_EQ(std::string(Module::LoadFromFile("some.echo")->kind()), std::string("conformance.echo"));
  Function::RemoveGlobal("ffi.Module.load_from_file.echo");
}

TEST(module, embedded_tree) {
  CHECK_RAISES("RuntimeError", "Library binary was created using {conformance} but a loader of that name",
               Load("tree.so"));
  Function::SetGlobal("ffi.Module.load_from_bytes.conformance", Function::FromTyped([](Bytes bytes) {
                        if (bytes.size() != 5) TVM_FFI_THROW(ValueError) << "wrong bytes";
                        return Echo("child");
                      }));
  Module m = Load("tree.so");
  CHECK_EQ(std::string(m->kind()), std::string("library"));
  CHECK_EQ(m->imports().size(), 1u);
  CHECK(m->GetFunction("child_fun", true).has_value());
  CHECK_EQ(m->GetFunction("own", true).value()().cast<int>(), 7);
  CHECK_RAISES("InternalError", "", Load("malformed.so"));
  Function::RemoveGlobal("ffi.Module.load_from_bytes.conformance");
}

TEST_KEEPS(module, system_library) {
  static auto one = [](void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
    result->type_index = kTVMFFIInt;
    result->zero_padding = 0;
    result->v_int64 = 1;
    return 0;
  };
  static auto two = [](void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
    result->type_index = kTVMFFIInt;
    result->zero_padding = 0;
    result->v_int64 = 2;
    return 0;
  };
  TVMFFISafeCallType f1 = one, f2 = two;
  CHECK_EQ(TVMFFIEnvModRegisterSystemLibSymbol("__tvm_ffi_conformance_sys", reinterpret_cast<void*>(f1)), 0);
  CHECK_EQ(TVMFFIEnvModRegisterSystemLibSymbol("__tvm_ffi_pre_conformance_sys", reinterpret_cast<void*>(f2)), 0);
  Function system_lib = Global("ffi.SystemLib");
  Module plain = system_lib().cast<Module>(), prefixed = system_lib("pre_").cast<Module>();
  CHECK(system_lib().cast<Module>().same_as(plain));
  CHECK(system_lib("pre_").cast<Module>().same_as(prefixed));
  CHECK_EQ(plain->GetFunction("conformance_sys").value()().cast<int>(), 1);
  CHECK_EQ(prefixed->GetFunction("conformance_sys").value()().cast<int>(), 2);
  CHECK_EQ(prefixed->GetFunction("pre_conformance_sys").value()().cast<int>(), 2);
  CHECK(!plain->GetFunction("conformance_absent").has_value());
}

TEST(module, keep_alive_set) {
  destroyed = 0;
  {
    Module m = Echo("kept");
    Global("ffi.ModuleGlobalsAdd")(m);
    Global("ffi.ModuleGlobalsAdd")(m);
    CHECK_EQ(m.use_count(), 2);
    Global("ffi.ModuleGlobalsRemove")(m);
    Global("ffi.ModuleGlobalsRemove")(m);
    CHECK_EQ(m.use_count(), 1);
  }
  CHECK_EQ(destroyed, 1);
}
