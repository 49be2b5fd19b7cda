// On Windows and macOS a library's call of a function leads to the library that it was linked to, so that a second
// runtime registers with itself.
#ifndef __linux__

#include "second_runtime.h"

int32_t ss_second_runtime(const void* caller) {
  (void)caller;
  return 0;
}

#endif  // not __linux__
