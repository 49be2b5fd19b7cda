// Private to the tests: an allocator that fails once.
#ifndef SELFSAME_RUNTIME_INTERNAL_SCARCE_H_
#define SELFSAME_RUNTIME_INTERNAL_SCARCE_H_

#include "selfsame/c_api.h"

// The allocation after `count` others on this thread fails, except for Errors.
void ss_scarce_begin(int64_t count);
// Back to normal. Returns whether one failed.
int ss_scarce_end(void);

#endif  // SELFSAME_RUNTIME_INTERNAL_SCARCE_H_
