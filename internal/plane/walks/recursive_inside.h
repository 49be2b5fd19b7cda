// The pairs of objects that a recursive comparison is inside of (recursive_inside.c). Pairs leave in the reverse order
// of their entry. One thread at a time.
#ifndef SELFSAME_INTERNAL_PLANE_WALKS_RECURSIVE_INSIDE_H_
#define SELFSAME_INTERNAL_PLANE_WALKS_RECURSIVE_INSIDE_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

typedef struct {
  const TVMFFIObject *a, *b;  // borrowed, one from each side
  int32_t next;               // the pair before it in its chain, -1 at the end
} SsInsidePair;

enum { SS_INSIDE_FIRST = 8 };

// ss_inside_begin makes it empty; ss_inside_end frees it. The owner keeps the objects alive.
typedef struct {
  SsInsidePair* pairs;                  // `first`, which is searched from end to end, or memory from malloc with chains
  int32_t* heads;                       // the last pair of each chain; NULL without chains
  int32_t count, capacity;              // of pairs
  SsInsidePair first[SS_INSIDE_FIRST];  // the pairs while they are few
} SsInside;

static inline void ss_inside_begin(SsInside* inside) {
  inside->pairs = inside->first;
  inside->heads = NULL;
  inside->count = 0;
  inside->capacity = SS_INSIDE_FIRST;
}

int ss_inside_has(const SsInside* inside, const TVMFFIObject* a, const TVMFFIObject* b);
// Adds a pair. Returns 0, or -1 with MemoryError raised; `walk` names the walk in it.
int ss_inside_enter(SsInside* inside, const TVMFFIObject* a, const TVMFFIObject* b, const char* walk);
// Removes the pair that entered last.
void ss_inside_leave(SsInside* inside);
void ss_inside_end(SsInside* inside);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_WALKS_RECURSIVE_INSIDE_H_
