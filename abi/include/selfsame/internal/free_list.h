// Counting the objects on frontends' free lists, which are dead, but look alive to the allocator and to the tie table:
// live_counts.c and the tie table each keep a list of counters. Any thread; takes no lock.
#ifndef SELFSAME_INTERNAL_FREE_LIST_H_
#define SELFSAME_INTERNAL_FREE_LIST_H_

#include <stdint.h>
#include <stdlib.h>

#include "selfsame/tie.h"

// One frontend's counter for one type. Never freed.
typedef struct SsFreeListCounter {
  const struct SsFreeListCounter* next;
  int32_t type_index;
  const uint64_t* word;  // the count is in its low SELFSAME_FREE_LIST_BITS bits
} SsFreeListCounter;

// Adds a counter to a list. Returns 0, or -1 when out of memory.
static inline int ss_free_list_add(const SsFreeListCounter** list, int32_t type_index, const uint64_t* word) {
  SsFreeListCounter* added = (SsFreeListCounter*)malloc(sizeof(SsFreeListCounter));
  if (added == NULL) return -1;
  added->type_index = type_index;
  added->word = word;
  added->next = __atomic_load_n(list, __ATOMIC_ACQUIRE);
  while (!__atomic_compare_exchange_n(list, &added->next, added, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
  }
  return 0;
}

// The sum of a list's counters for one type index, or for all (-1).
static inline int64_t ss_free_list_sum(const SsFreeListCounter* const* list, int32_t type_index) {
  int64_t sum = 0;
  for (const SsFreeListCounter* c = __atomic_load_n(list, __ATOMIC_ACQUIRE); c != NULL; c = c->next) {
    if (type_index != -1 && c->type_index != type_index) continue;
    sum += (int64_t)(__atomic_load_n(c->word, __ATOMIC_ACQUIRE) & ((1u << SELFSAME_FREE_LIST_BITS) - 1));
  }
  return sum;
}

#endif  // SELFSAME_INTERNAL_FREE_LIST_H_
