// Modules in shared libraries: the look-up that compiled code calls, and opening a library.
#include "module_library.h"

#ifdef __GLIBC__
#include <link.h>
#endif

#include "go_exports.h"
#include "plane.h"
#include "selfsame/internal/loader.h"
#include "soname.h"

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  static const char name[] = "TVMFFIEnvModLookupFromImports";
  SS_ENTER_GO(name, -1);
  if (!ss_check_ptr(out, name, "out")) return -1;
  *out = NULL;
  if (!ss_check_ptr(library_ctx, name, "library_ctx") || !ss_check_ptr(func_name, name, "func_name")) return -1;
  // The context is a C++ object, whose vptr lies before the header of the native object.
  return ss_go.ssgo_module_lookup((char*)library_ctx + sizeof(void*), func_name, out);
}

void* ss_library_open(const char* path, const char** error) {
  ss_provide_soname();
  void* library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  *error = library == NULL ? dlerror() : NULL;
  return library;
}

#ifdef __GLIBC__
uint64_t ss_symbol_size(const void* address) {
  Dl_info info;
  const ElfW(Sym)* symbol = NULL;
  if (dladdr1(address, &info, (void**)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL) return 0;
  return info.dli_saddr == address ? symbol->st_size : 0;
}
#else  // musl's dladdr does not give the symbol's size
uint64_t ss_symbol_size(const void* address) {
  (void)address;
  return 0;
}
#endif
