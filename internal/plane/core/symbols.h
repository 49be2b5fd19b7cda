// The name of the function that an address lies in (symbols_linux.c and its like). Any thread; takes no lock of the loader.
#ifndef SELFSAME_INTERNAL_PLANE_CORE_SYMBOLS_H_
#define SELFSAME_INTERNAL_PLANE_CORE_SYMBOLS_H_

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

typedef struct {
  char module[256];    // path of the library or program, cut to fit
  char function[512];  // readable where possible, cut to fit
} SsSymbol;

// How many libraries this process has unloaded: while the number is the same, an address names the same function.
uint64_t ss_unload_count(void);

// Finds the exported function around an address. Returns 0 when there is none, or it cannot be read.
int ss_symbol_at(uintptr_t address, SsSymbol* out);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_SYMBOLS_H_
