// The end of a list of loaded libraries; the system's own file makes it.
#include "loaded.h"

#include <stdlib.h>

void ss_loaded_free(struct SsLoaded* loaded) {
  for (size_t i = 0; i < loaded->count; i++) free(loaded->paths[i]);
  free(loaded->paths);
}
