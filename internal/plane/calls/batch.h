// Making many objects with one call from Go, for parsers (batch.c). Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_CALLS_BATCH_H_
#define SELFSAME_INTERNAL_PLANE_CALLS_BATCH_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// An object to make.
typedef struct {
  int64_t type_index;  // kTVMFFIStr, kTVMFFIArray, kTVMFFIMap or kTVMFFIDict
  int64_t size;        // bytes of a String, capacity of an Array, number of entries of a Map or Dict
  void* object;        // filled in: a new reference
} SsNewObject;

// Makes n objects: Strings on the heap whatever their length, NUL-terminated, without content; empty Arrays, Maps and
// Dicts with room. Returns 0, or -1 raised with nothing made.
int ss_objects_new(SsNewObject* objects, int64_t n);

// The entries of one map: owned keys and values in turn.
typedef struct {
  TVMFFIObject* map;  // to fill; borrowed
  int64_t first;      // where they begin in a larger array
  int64_t pairs;      // how many entries there are
} SsMapFill;

// Calls ss_map_fill for n maps. Returns 0, or -1 raised when one failed; the others are filled.
int ss_maps_fill(const SsMapFill* fills, int64_t n, const TVMFFIAny* items);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CALLS_BATCH_H_
