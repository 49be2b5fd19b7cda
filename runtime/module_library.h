// Private to the runtime: opening shared libraries.
#ifndef SELFSAME_RUNTIME_MODULE_ENTRY_H_
#define SELFSAME_RUNTIME_MODULE_ENTRY_H_

#include <stdint.h>

#pragma GCC visibility push(hidden)

// A handle from dlopen, or NULL with the loader's message in *error, valid until the thread's next call of the loader.
void* ss_library_open(const char* path, const char** error);

// The size of the data symbol that begins at an address; 0 when the loader does not know.
uint64_t ss_symbol_size(const void* address);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_MODULE_ENTRY_H_
