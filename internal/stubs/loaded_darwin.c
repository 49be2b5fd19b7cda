// Listing the loaded libraries, on macOS. The number may change: a name that is gone is left out.
#ifdef __APPLE__

#include <mach-o/dyld.h>
#include <stdlib.h>
#include <string.h>

#include "loaded.h"

void ss_loaded_list(struct SsLoaded* out) {
  uint32_t count = _dyld_image_count();
  out->paths = calloc((size_t)count + 1, sizeof(char*));
  for (uint32_t i = 0; out->paths != NULL && i < count; i++) {
    const char* name = _dyld_get_image_name(i);
    out->paths[out->count] = name == NULL ? NULL : strdup(name);
    if (out->paths[out->count] != NULL) out->count++;
  }
}

#endif  // __APPLE__
