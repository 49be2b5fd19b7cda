// The entries of a Map or Dict in order, while foreign code may change a Dict (map_pairs.c). One thread at a time.
#ifndef SELFSAME_INTERNAL_PLANE_COLLECTIONS_MAP_PAIRS_H_
#define SELFSAME_INTERNAL_PLANE_COLLECTIONS_MAP_PAIRS_H_

#include "map.h"

#pragma GCC visibility push(hidden)

// Goes through the entries of a Map itself, which nobody changes while it has two owners, and through copies of a
// Dict's. The caller must take a reference to a Map before foreign code runs.
typedef struct {
  const TVMFFIObject* map;  // borrowed
  SsEntry* copies;          // of a Dict: owned keys and values; else NULL
  uint64_t count;           // how many entries there are
  uint64_t passed;          // how many of them were returned
  uint64_t bucket;          // of a dense Map: the next one's
} SsMapPairs;

// Returns 0, or -1 with MemoryError raised; `walk` names the walk in it. *pairs is to be ended in both cases.
int ss_map_pairs_begin(SsMapPairs* pairs, const TVMFFIObject* map, const char* walk);
// The next entry, borrowed; NULL at the end.
const SsEntry* ss_map_pairs_next(SsMapPairs* pairs);
// Releases the copies.
void ss_map_pairs_end(SsMapPairs* pairs);

// The keys and values of a map in turn and in order, with a reference to each, and room for as many values more; *count
// is their number. Runs no foreign code. Returns memory from malloc, or NULL with MemoryError raised; `walk` names the
// walk in it.
TVMFFIAny* ss_map_items(const TVMFFIObject* map, int64_t* count, const char* walk);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_COLLECTIONS_MAP_PAIRS_H_
