// An object allocator for tests that fails one chosen allocation.
#ifndef SELFSAME_INTERNAL_TESTENV_FAILALLOC_FAILALLOC_H_
#define SELFSAME_INTERNAL_TESTENV_FAILALLOC_FAILALLOC_H_

#include "selfsame/c_api.h"

// Installs the allocator: `count` allocations succeed, the next one fails, all others succeed. Allocations of Error
// objects always succeed and are not counted. Not thread-safe: one thread may run between begin and end.
void ss_fail_alloc_begin(int64_t count);
// Restores the default allocator. Returns whether an allocation failed.
int ss_fail_alloc_end(void);

#endif  // SELFSAME_INTERNAL_TESTENV_FAILALLOC_FAILALLOC_H_
