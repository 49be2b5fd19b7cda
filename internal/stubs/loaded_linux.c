// Listing the loaded libraries. The linker's callback only copies names: dlopen there could wait for a lock that
// another thread holds while it waits for the callback's.
#include "loaded.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

static int add(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  struct SsLoaded* out = data;
  if (info->dlpi_name == NULL || info->dlpi_name[0] != '/') return 0;  // the executable, the kernel's page
  char** paths = realloc(out->paths, (out->count + 1) * sizeof(char*));
  if (paths == NULL) return 0;
  out->paths = paths;
  paths[out->count] = strdup(info->dlpi_name);
  if (paths[out->count] != NULL) out->count++;
  return 0;
}

void ss_loaded_list(struct SsLoaded* out) { dl_iterate_phdr(add, out); }
