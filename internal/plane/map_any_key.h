// Map and Dict with keys of any class, also those with hooks (map_any_key.c), for walks that copy them. May run foreign
// code: the caller holds a reference to the map. One thread at a time.
#ifndef SELFSAME_ABI_PLANE_MAP_ANY_KEY_H_
#define SELFSAME_ABI_PLANE_MAP_ANY_KEY_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// Makes a Map of n/2 pairs: keys and values (borrowed) in turn. New reference; NULL raised.
TVMFFIObject* ss_map_of_any(const TVMFFIAny* items, int64_t n);
// Store and remove an entry of a Dict. Return 0, or -1 raised.
int ss_dict_set_any(TVMFFIObject* dict, const TVMFFIAny* key, const TVMFFIAny* value);
int ss_dict_erase_any(TVMFFIObject* dict, const TVMFFIAny* key);

// The keys and values of a map in turn and in order, with a reference to each, and room for as many values more; *count
// is their number. Runs no foreign code. Returns memory from malloc, or NULL with MemoryError raised; `walk` names the
// walk in it.
TVMFFIAny* ss_map_items(const TVMFFIObject* map, int64_t* count, const char* walk);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_MAP_ANY_KEY_H_
