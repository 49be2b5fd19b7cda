// How many objects of each type are alive (live_counts.c). Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_CORE_LIVE_COUNTS_H_
#define SELFSAME_INTERNAL_PLANE_CORE_LIVE_COUNTS_H_

#include <stddef.h>
#include <stdint.h>

#include "selfsame/internal/attributes.h"

#pragma GCC visibility push(hidden)

enum { SS_LIVE_LOCAL = 1024 };  // lower type indices have a counter in every thread

extern __thread int64_t* ss_live_mine SS_STATIC_TLS;

int ss_live_add_slowly(int32_t type_index, int64_t change);
void ss_live_fork_prepare(void);
void ss_live_fork_parent(void);
void ss_live_fork_child(void);

// Counts an object of a type that was made (+1) or freed (-1). Each thread has counters: a counter shared by all
// threads would cost more than the rest of an allocation. Returns 0, or -1 when there is no memory for a counter, which
// cannot happen when the same index was counted before.
static inline int ss_live_add(int32_t type_index, int64_t change) {
  int64_t* mine = ss_live_mine;
  if (__builtin_expect(mine == NULL || (uint32_t)type_index >= SS_LIVE_LOCAL, 0)) {
    return ss_live_add_slowly(type_index, change);
  }
  // Only this thread writes; others read.
  int64_t count = __atomic_load_n(&mine[type_index], __ATOMIC_RELAXED);
  __atomic_store_n(&mine[type_index], count + change, __ATOMIC_RELAXED);
  return 0;
}

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_LIVE_COUNTS_H_
