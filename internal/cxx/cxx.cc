#include "cxx.h"

#include "builtin.h"
#include "core/child.h"
#include "library.h"

using namespace tvm::ffi;

namespace {

ModuleObj* Of(TVMFFIObjectHandle handle) { return ModuleObj::FromHandle(handle); }

// A String with the value, for a virtual function that takes it by reference.
const String& Str(const TVMFFIAny* value) { return *reinterpret_cast<const String*>(value); }

TVMFFIAny Int(int32_t type_index, int64_t value) {
  TVMFFIAny out = {};
  out.type_index = type_index;
  out.v_int64 = value;
  return out;
}

TVMFFIAny Owned(ObjectRef ref) {
  TVMFFIAny out = View(ref);
  ref.Release();
  return out;
}

// Calls what runs code of others, in a function that Go calls.
template <typename Call>
int FromGo(Call call) {
  uint32_t generation = ss_leave_go();
  int rc = call();
  ss_return_to_go(generation);
  return rc;
}

template <typename Body>
int ForGo(Body body) {
  return FromGo([&] { return Guarded(body); });
}

}  // namespace

int ss_module_kind_in(TVMFFIObjectHandle module, TVMFFIAny* out) {
  return Guarded([&] {
    const char* kind = Of(module)->kind();
    if (kind == nullptr) kind = "";
    *out = String(kind, std::strlen(kind)).Release();
  });
}

int ss_module_kind(TVMFFIObjectHandle module, TVMFFIAny* out) {
  return FromGo([&] { return ss_module_kind_in(module, out); });
}

int ss_module_property_mask_in(TVMFFIObjectHandle module, TVMFFIAny* out) {
  return Guarded([&] { *out = Int(kTVMFFIInt, Of(module)->GetPropertyMask()); });
}

int ss_module_property_mask(TVMFFIObjectHandle module, TVMFFIAny* out) {
  return FromGo([&] { return ss_module_property_mask_in(module, out); });
}

int ss_module_function_in(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out) {
  return Guarded([&] { *out = Owned(Of(module)->GetFunction(Str(name), imports != 0)); });
}

int ss_module_function(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out) {
  return FromGo([&] { return ss_module_function_in(module, name, imports, out); });
}

int ss_module_implements_in(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out) {
  return Guarded([&] { *out = Int(kTVMFFIBool, Of(module)->ImplementsFunction(Str(name), imports != 0)); });
}

int ss_module_implements(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out) {
  return FromGo([&] { return ss_module_implements_in(module, name, imports, out); });
}

int ss_module_doc_in(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out) {
  return Guarded([&] { *out = Of(module)->GetFunctionDoc(Str(name), imports != 0).Release(); });
}

int ss_module_doc(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out) {
  return FromGo([&] { return ss_module_doc_in(module, name, imports, out); });
}

int ss_module_metadata_in(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out) {
  return Guarded([&] { *out = Of(module)->GetFunctionMetadata(Str(name), imports != 0).Release(); });
}

int ss_module_metadata(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out) {
  return FromGo([&] { return ss_module_metadata_in(module, name, imports, out); });
}

int ss_module_function_of_imports(TVMFFIObjectHandle module, const TVMFFIAny* name, TVMFFIAny* out) {
  return ForGo([&] {
    *out = TVMFFIAny{};
    for (const Module& import : Of(module)->Imports()) {
      *out = Owned(import->GetFunction(Str(name), true));
      if (out->type_index != kTVMFFINone) return;
    }
  });
}

int ss_module_write(TVMFFIObjectHandle module, const TVMFFIAny* file, const TVMFFIAny* format) {
  return ForGo([&] { Of(module)->WriteToFile(Str(file), Str(format)); });
}

int ss_module_formats_in(TVMFFIObjectHandle module, TVMFFIAny* out) {
  return Guarded([&] { *out = Owned(Of(module)->GetWriteFormats()); });
}

int ss_module_formats(TVMFFIObjectHandle module, TVMFFIAny* out) {
  return FromGo([&] { return ss_module_formats_in(module, out); });
}

int ss_module_source_in(TVMFFIObjectHandle module, const TVMFFIAny* format, TVMFFIAny* out) {
  return Guarded([&] { *out = Of(module)->InspectSource(Str(format)).Release(); });
}

int ss_module_source(TVMFFIObjectHandle module, const TVMFFIAny* format, TVMFFIAny* out) {
  return FromGo([&] { return ss_module_source_in(module, format, out); });
}

int ss_module_import(TVMFFIObjectHandle module, TVMFFIObjectHandle other) {
  return ForGo([&] {
    TVMFFIObjectIncRef(other);
    Of(module)->ImportModule(Module(other));
  });
}

int ss_module_clear_imports_in(TVMFFIObjectHandle module) {
  return Guarded([&] { Of(module)->ClearImports(); });
}

int ss_module_clear_imports(TVMFFIObjectHandle module) {
  return FromGo([&] { return ss_module_clear_imports_in(module); });
}

int ss_module_add_import(TVMFFIObjectHandle module, TVMFFIObjectHandle other) {
  return ForGo([&] {
    TVMFFIObjectIncRef(other);
    Of(module)->ModuleObj::ImportModule(Module(other));
  });
}

int ss_module_imports(void* field, TVMFFIAny* out) {
  return Guarded([&] {
    TVMFFIObjectHandle module = static_cast<char*>(field) - sizeof(TVMFFIObject);
    *out = Owned(Of(module)->ImportsArray());
  });
}

void* ss_module_imports_getter() { return reinterpret_cast<void*>(&ss_module_imports); }

static Library LibraryOf(void* dl_handle, const char* system_prefix) {
  return dl_handle != nullptr ? Library(dl_handle) : Library(std::string(system_prefix));
}

int ss_library_module_in(void* dl_handle, const char* system_prefix, TVMFFIAny* out) {
  return Guarded([&] { *out = Owned(ObjectRef(MakeLibraryModule(LibraryOf(dl_handle, system_prefix)))); });
}

int ss_library_module(void* dl_handle, const char* system_prefix, TVMFFIAny* out) {
  return FromGo([&] { return ss_library_module_in(dl_handle, system_prefix, out); });
}

int ss_library_symbol(void* dl_handle, const char* system_prefix, const char* name, void** out) {
  return ForGo([&] { *out = LibraryOf(dl_handle, system_prefix).Symbol(name); });
}
