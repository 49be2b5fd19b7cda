// What package runtime calls in C++: modules through their virtual functions, which may be anybody's and may throw.
//
// A module is given as its handle. Each function returns 0, or -1 with the error in the calling thread's slot; results
// are owned by the caller. Names and other strings are owned String values (borrowed for the call).
#ifndef SELFSAME_ABI_CXX_CXX_H_
#define SELFSAME_ABI_CXX_CXX_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)
#ifdef __cplusplus
extern "C" {
#endif

int ss_module_kind(TVMFFIObjectHandle module, TVMFFIAny* out);
int ss_module_property_mask(TVMFFIObjectHandle module, TVMFFIAny* out);
// Each looks in the module first and, with `imports`, then depth first in what it imports. None: not there.
int ss_module_function(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);
int ss_module_implements(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);
int ss_module_doc(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);
int ss_module_metadata(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);
// As ss_module_function, in the imports alone.
int ss_module_function_of_imports(TVMFFIObjectHandle module, const TVMFFIAny* name, TVMFFIAny* out);
int ss_module_write(TVMFFIObjectHandle module, const TVMFFIAny* file, const TVMFFIAny* format);
int ss_module_formats(TVMFFIObjectHandle module, TVMFFIAny* out);
int ss_module_source(TVMFFIObjectHandle module, const TVMFFIAny* format, TVMFFIAny* out);
int ss_module_import(TVMFFIObjectHandle module, TVMFFIObjectHandle other);
int ss_module_clear_imports(TVMFFIObjectHandle module);
// As ss_module_import, whatever the module's own class does about it.
int ss_module_add_import(TVMFFIObjectHandle module, TVMFFIObjectHandle other);
// The getter of a module's field imports_.
int ss_module_imports(void* field, TVMFFIAny* out);

// A library is a handle from dlopen, which stays open for the life of the process; or the system library with a prefix,
// when that is NULL.
int ss_library_module(void* dl_handle, const char* system_prefix, TVMFFIAny* out);
// The address of one of its data symbols, NULL in *out when it has none.
int ss_library_symbol(void* dl_handle, const char* system_prefix, const char* name, void** out);

#ifdef __cplusplus
}  // extern "C"
#endif
#pragma GCC visibility pop

#endif  // SELFSAME_ABI_CXX_CXX_H_
