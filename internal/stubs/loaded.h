// The libraries of the process (loaded_linux.c and its like).
#ifndef SELFSAME_INTERNAL_STUBS_LOADED_H_
#define SELFSAME_INTERNAL_STUBS_LOADED_H_

#include <stddef.h>

// Paths, each and the array from malloc. All zero: no paths.
struct SsLoaded {
  char** paths;
  size_t count;
};

// Fills `out` with the paths of the loaded libraries, in the order in which they were loaded; those for which there is
// no memory are left out. Any thread; takes a lock of the dynamic linker, and releases it before it returns.
void ss_loaded_list(struct SsLoaded* out);
void ss_loaded_free(struct SsLoaded* loaded);

#endif  // SELFSAME_INTERNAL_STUBS_LOADED_H_
