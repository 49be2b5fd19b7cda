// The C++ functions that package control calls: the virtual functions of modules, whose class may be any library's and
// which may throw, and modules over libraries.
//
// A module is passed as its handle. Each function returns 0, or -1 with an error raised. The caller owns results. Names
// and other strings are String values, borrowed for the call. Any thread.
#ifndef SELFSAME_INTERNAL_CXX_CXX_H_
#define SELFSAME_INTERNAL_CXX_CXX_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)
#ifdef __cplusplus
extern "C" {
#endif

// Those whose names end with _in are the same for a caller in C, which is outside Go.
int ss_module_kind(TVMFFIObjectHandle module, TVMFFIAny* out);
int ss_module_kind_in(TVMFFIObjectHandle module, TVMFFIAny* out);
int ss_module_property_mask(TVMFFIObjectHandle module, TVMFFIAny* out);
int ss_module_property_mask_in(TVMFFIObjectHandle module, TVMFFIAny* out);
// Each searches the module and then, with `imports`, its imports depth first. *out is None when nothing was found.
int ss_module_function(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);
int ss_module_function_in(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);
int ss_module_implements(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);
int ss_module_implements_in(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);
int ss_module_doc(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);
int ss_module_doc_in(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);
int ss_module_metadata(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);
int ss_module_metadata_in(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);
// As ss_module_function, but searches the imports alone.
int ss_module_function_of_imports(TVMFFIObjectHandle module, const TVMFFIAny* name, TVMFFIAny* out);
int ss_module_write(TVMFFIObjectHandle module, const TVMFFIAny* file, const TVMFFIAny* format);
int ss_module_formats(TVMFFIObjectHandle module, TVMFFIAny* out);
int ss_module_formats_in(TVMFFIObjectHandle module, TVMFFIAny* out);
int ss_module_source(TVMFFIObjectHandle module, const TVMFFIAny* format, TVMFFIAny* out);
int ss_module_source_in(TVMFFIObjectHandle module, const TVMFFIAny* format, TVMFFIAny* out);
int ss_module_import(TVMFFIObjectHandle module, TVMFFIObjectHandle other);
int ss_module_clear_imports(TVMFFIObjectHandle module);
int ss_module_clear_imports_in(TVMFFIObjectHandle module);
// As ss_module_import, but not through the virtual function of the module's class.
int ss_module_add_import(TVMFFIObjectHandle module, TVMFFIObjectHandle other);
// The getter of a module's field imports_.
int ss_module_imports(void* field, TVMFFIAny* out);
void* ss_module_imports_getter(void);  // its address

// A module over a library: a handle from dlopen, which stays open for the life of the process; or, when that is NULL,
// the system library with a prefix. RATIONALE.md, "Why a shared library stays loaded for the life of the process once a
// module was made of it".
int ss_library_module(void* dl_handle, const char* system_prefix, TVMFFIAny* out);
int ss_library_module_in(void* dl_handle, const char* system_prefix, TVMFFIAny* out);
// The address of a data symbol of such a library, NULL in *out when it has none of that name.
int ss_library_symbol(void* dl_handle, const char* system_prefix, const char* name, void** out);

#ifdef __cplusplus
}  // extern "C"
#endif
#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_CXX_CXX_H_
