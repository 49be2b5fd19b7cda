// Finds the function at an address by the tables that Windows unwinds stacks with, and its name in the library's table of
// exports. Neither takes the loader's lock but for a moment.
#ifdef _WIN32

#include "symbols.h"

#include <stdio.h>

#include "selfsame/internal/loader.h"

int ss_symbol_at(uintptr_t address, SsSymbol* out) {
  DWORD64 base = 0;
  const RUNTIME_FUNCTION* function = RtlLookupFunctionEntry(address, &base, NULL);
  if (function == NULL) return 0;
  const char* name = ss_loader_export_at((HMODULE)base, (const void*)(base + function->BeginAddress));
  char path[SS_LOADER_PATH];
  if (name == NULL || !ss_loader_path((HMODULE)base, path)) return 0;
  snprintf(out->module, sizeof(out->module), "%s", path);
  snprintf(out->function, sizeof(out->function), "%s", name);
  return 1;
}

// Windows does not count, so that no name is kept from one backtrace to the next.
uint64_t ss_unload_count(void) {
  static uint64_t calls;
  return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
}

#endif  // _WIN32
