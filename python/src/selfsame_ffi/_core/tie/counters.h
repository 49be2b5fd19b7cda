// The numbers behind selfsame_ffi.debug.counters().
//
// With the GIL they are ordinary integers. Without it each thread adds to one of 16 sets on separate cache lines, so
// that threads that make and drop wrappers do not slow each other down; a reader adds the sets up.
#ifndef SELFSAME_CORE_TIE_COUNTERS_H_
#define SELFSAME_CORE_TIE_COUNTERS_H_

#include "tie/interp.h"

typedef enum {
  SS_COUNT_LIVE,    // live wrappers
  SS_COUNT_HELD,    // wrappers in the state Held
  SS_COUNT_BLOCKS,  // live wrappers and kept blocks together
  SS_COUNTS
} SsCount;

enum { SS_COUNT_SETS = SS_FREE_THREADED ? 16 : 1 };

typedef struct {
  int64_t of[SS_COUNTS];  // one for each SsCount
} __attribute__((aligned(128))) SsCountSet;

extern SS_HIDDEN SsCountSet ss_count_sets[SS_COUNT_SETS];

#if SS_FREE_THREADED
extern SS_HIDDEN __thread int64_t* ss_own_counts SS_STATIC_TLS;
SS_HIDDEN int64_t* ss_counts_choose(void);
static inline void ss_count(SsCount which, int64_t change) {
  int64_t* counts = SS_LIKELY(ss_own_counts != NULL) ? ss_own_counts : ss_counts_choose();
  __atomic_fetch_add(&counts[which], change, __ATOMIC_RELAXED);
}
#else
static inline void ss_count(SsCount which, int64_t change) { ss_count_sets[0].of[which] += change; }
#endif

// The current number; exact unless another thread changes it during the call.
static inline int64_t ss_counted(SsCount which) {
  int64_t sum = 0;
  for (int i = 0; i < SS_COUNT_SETS; i++) sum += __atomic_load_n(&ss_count_sets[i].of[which], __ATOMIC_RELAXED);
  return sum;
}

// The number of kept blocks. It is a difference, so that a refetch changes one number only.
static inline int64_t ss_counted_kept(void) { return ss_counted(SS_COUNT_BLOCKS) - ss_counted(SS_COUNT_LIVE); }

#endif  // SELFSAME_CORE_TIE_COUNTERS_H_
