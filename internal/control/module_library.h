// Opens shared libraries and measures their symbols, for module_load.go and builtins_fast_load.c. Private to the runtime.
#ifndef SELFSAME_INTERNAL_CONTROL_MODULE_LIBRARY_H_
#define SELFSAME_INTERNAL_CONTROL_MODULE_LIBRARY_H_

#include <stdint.h>

// Symbols of a library: a variable for the library's own module, and its tree of modules (package librarybin).
#define SS_LIBRARY_CONTEXT "__tvm_ffi__library_ctx"
#define SS_LIBRARY_BIN "__tvm_ffi__library_bin"

#pragma GCC visibility push(hidden)

// Opens a library with dlopen. Returns its handle, or NULL with the loader's message in *error, which is valid until
// the calling thread uses the loader again.
void* ss_library_open(const char* path, const char** error);

// The size in bytes of the data symbol that begins at `address`, or 0 when the loader does not know it.
uint64_t ss_symbol_size(const void* address);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_CONTROL_MODULE_LIBRARY_H_
