// The counters' memory.
#include "tie/counters.h"

SsCountSet ss_count_sets[SS_COUNT_SETS];

#if SS_FREE_THREADED

__thread int64_t* ss_own_counts SS_STATIC_TLS;

int64_t* ss_counts_choose(void) {
  static unsigned threads;
  ss_own_counts = ss_count_sets[__atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) % SS_COUNT_SETS].of;
  return ss_own_counts;
}

#endif
