// The entries of a Map or Dict in order, while foreign code may change a Dict (map_pairs.c), and finding a key whose
// class has hooks. One thread at a time.
#ifndef SELFSAME_ABI_PLANE_MAP_PAIRS_H_
#define SELFSAME_ABI_PLANE_MAP_PAIRS_H_

#include "map.h"

#pragma GCC visibility push(hidden)

// Goes through the entries of a Map itself, which nobody changes while it has two owners, and through copies of a
// Dict's. The caller must take a reference to a Map before foreign code runs.
typedef struct {
  const TVMFFIObject* map;
  SsEntry* copies;  // of a Dict: owned keys and values; else NULL
  uint64_t count;   // how many entries there are
  uint64_t passed;  // how many of them were returned
  uint64_t bucket;  // of a dense Map: the next one's
} SsMapPairs;

// Returns 0, or -1 with MemoryError raised; `walk` names the walk in it. *pairs is to be ended in both cases.
int ss_map_pairs_begin(SsMapPairs* pairs, const TVMFFIObject* map, const char* walk);
// The next entry, borrowed; NULL at the end.
const SsEntry* ss_map_pairs_next(SsMapPairs* pairs);
// Releases the copies.
void ss_map_pairs_end(SsMapPairs* pairs);

// Looks up a key (a value, borrowed) of any class, with the hash and equality hooks of its class. *out is NULL when
// there is none, else borrowed until the map changes. Returns 0, or -1 raised.
int ss_map_find_hooked(TVMFFIObject* map, const TVMFFIAny* key, const SsEntry** out);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_MAP_PAIRS_H_
