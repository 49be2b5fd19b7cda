// Listing the loaded libraries, on Windows.
#ifdef _WIN32

#include <stdlib.h>

#include "loaded.h"
#include "selfsame/internal/loader.h"

static char* copy_of(const char* text) {
  size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  if (copy != NULL) memcpy(copy, text, size);
  return copy;
}

void ss_loaded_list(struct SsLoaded* out) {
  HMODULE modules[SS_LOADER_MODULES];
  DWORD count = ss_loader_modules(modules);
  out->paths = calloc(count + 1, sizeof(char*));
  for (DWORD i = 0; out->paths != NULL && i < count; i++) {
    char path[SS_LOADER_PATH];
    if (!ss_loader_path(modules[i], path)) continue;
    out->paths[out->count] = copy_of(path);
    if (out->paths[out->count] != NULL) out->count++;
  }
}

#endif  // _WIN32
