// Map and Dict (map_object.c, map_find.c, map_placement.c, map_store.c, map_copy.c, map_iterator.c): all rules by which
// they change. Their memory: selfsame/internal/containers.h. Package internal/container reads the same memory from Go.
// RATIONALE.md, "Why containers change in C, and Go reads them".
//
// No function takes a lock: the caller makes sure that no other thread changes the map, or uses a map that it changes.
// A key whose class has a hash or equality hook makes any of them run foreign code, so the caller must own a reference to
// the map. When that code adds or deletes an entry, the operation fails. A function that fails leaves the map as it was.
#ifndef SELFSAME_INTERNAL_PLANE_COLLECTIONS_MAP_H_
#define SELFSAME_INTERNAL_PLANE_COLLECTIONS_MAP_H_

#include "selfsame/internal/containers.h"
#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// The deleter of Map and Dict.
void ss_delete_map(void* self, int flags);
// A new Map or Dict of `size` bytes (at least header and cell) with nothing but its header filled in. NULL raised.
TVMFFIObject* ss_map_new(int32_t type_index, size_t size);

// A new Map or Dict with room for a number of entries, as one that is made with all of them at once has it. NULL raised.
TVMFFIObject* ss_map_new_for(int32_t type_index, uint64_t entries);

// Looks up a key (any view); *out is NULL when there is none, else borrowed until the map changes. Returns 0, or -1
// raised.
int ss_map_find(TVMFFIObject* map, const TVMFFIAny* key, const SsEntry** out);

// Stores a value under a key (any views). When the map has the key already, the old key object stays; in a dense map the
// entry becomes the newest. Returns 0, or -1 raised.
int ss_map_set(TVMFFIObject* map, const TVMFFIAny* key, const TVMFFIAny* value);

// Removes the entry of a key (any view); *found (may be NULL) says whether there was one. Returns 0, or -1 raised.
int ss_map_erase(TVMFFIObject* map, const TVMFFIAny* key, int* found);

// Removes all entries; the memory stays. Returns 0, or -1 with MemoryError raised.
int ss_map_clear(TVMFFIObject* map);

// Makes a Map or Dict of alternating keys and values (any views), as storing one pair after the other would. Returns 0
// with *out a new reference, or -1 raised.
int ss_map_build(int32_t type_index, const TVMFFIAny* args, int64_t pairs, TVMFFIObjectHandle* out);

// Stores alternating owned keys and values, which it takes over also when it fails; then the map lacks some of them.
// Returns 0, or -1 raised.
int ss_map_fill(TVMFFIObject* map, const TVMFFIAny* items, int64_t pairs);

// A Map or Dict (type_index) with the same entries in the same places. No foreign code runs. New reference; NULL raised.
TVMFFIObject* ss_map_copy(const TVMFFIObject* map, int32_t type_index);

// A Function that iterates over the entries of a Map or Dict, which it retains; see map_iterator.c. *out: new
// reference. Returns 0, or -1 raised.
int ss_map_iterator(TVMFFIObject* map, TVMFFIObjectHandle* out);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_COLLECTIONS_MAP_H_
