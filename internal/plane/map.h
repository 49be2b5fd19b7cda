// Map and Dict without entering Go, for keys that run no foreign code when they are hashed and compared (map_object.c,
// map_find.c, map_store.c, map_copy.c, map_iterator.c). The memory: selfsame/internal/containers.h. Package
// internal/container does the same in Go for every key. RATIONALE.md, "Why the hash table's rules are in Go, and most of
// them in C again".
//
// No function takes a lock: the caller makes sure that no other thread changes the map, or uses a map that it changes.
#ifndef SELFSAME_ABI_PLANE_MAP_H_
#define SELFSAME_ABI_PLANE_MAP_H_

#include "selfsame/internal/containers.h"
#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// The deleter of Map and Dict.
void ss_delete_map(void* self, int flags);
// The address of ss_delete_map, for Go.
void* ss_map_deleter(void);
// A new Map or Dict of `size` bytes (at least header and cell) with nothing but its header filled in. NULL raised.
TVMFFIObject* ss_map_new(int32_t type_index, size_t size);

// Looks up a key (any view); *out is NULL when there is none, else borrowed until the map changes. Returns 1, or 0 when
// the caller must ask package container: the key's class has a hash or equality hook, or the view cannot be a key.
int ss_map_find(TVMFFIObject* map, const TVMFFIAny* key, const SsEntry** out);

// Stores a value under a key (any views). Returns 1; 0 when the caller must ask package container, with nothing done;
// -1 raised.
int ss_map_set(TVMFFIObject* map, const TVMFFIAny* key, const TVMFFIAny* value);

// Removes the entry of a key (any view), if there is one. Returns 1, or 0 when the caller must ask package container,
// with nothing done.
int ss_map_erase(TVMFFIObject* map, const TVMFFIAny* key);

// Makes a Map or Dict of alternating keys and values (any views), as storing one pair after the other would. Returns 1
// with *out a new reference, 0 when the caller must ask package container, with nothing done, or -1 raised.
int ss_map_build(int32_t type_index, const TVMFFIAny* args, int64_t pairs, TVMFFIObjectHandle* out);

// A container of the same class with the same entries in the same places. No foreign code runs. New reference; NULL
// raised.
TVMFFIObject* ss_map_copy(const TVMFFIObject* map);

// A Function that iterates over the entries of a Map or Dict, which it retains; see map_iterator.c. *out: new
// reference. Returns 0, or -1 raised.
int ss_map_iterator(TVMFFIObject* map, TVMFFIObjectHandle* out);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_MAP_H_
