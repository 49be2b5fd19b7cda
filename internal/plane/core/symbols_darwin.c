// Finds the function at an address with dladdr, which on macOS takes no lock that initialisers run under.
#ifdef __APPLE__

#include "symbols.h"

#include <dlfcn.h>
#include <stdio.h>

int ss_symbol_at(uintptr_t address, SsSymbol* out) {
  Dl_info info;
  if (dladdr((const void*)address, &info) == 0 || info.dli_fname == NULL || info.dli_sname == NULL) return 0;
  snprintf(out->module, sizeof(out->module), "%s", info.dli_fname);
  snprintf(out->function, sizeof(out->function), "%s", info.dli_sname);
  return 1;
}

// macOS does not count, so that no name is kept from one backtrace to the next.
uint64_t ss_unload_count(void) {
  static uint64_t calls;
  return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
}

#endif  // __APPLE__
