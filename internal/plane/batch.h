// Making many objects with one call from Go, for parsers (batch.c). Any thread.
#ifndef SELFSAME_ABI_PLANE_BATCH_H_
#define SELFSAME_ABI_PLANE_BATCH_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// An object to make.
typedef struct {
  int64_t type_index;   // kTVMFFIStr, kTVMFFIArray, kTVMFFIMap or kTVMFFIDict
  int64_t size;         // bytes of a String, capacity of an Array, bytes of a Map or Dict
  int64_t buffer_size;  // bytes of a Map's or Dict's buffer, 0 for none
  void* object;         // filled in: a new reference
  void* buffer;         // filled in: owned by the caller until it stores the buffer in the object
} SsNewObject;

// Makes n objects: Strings on the heap whatever their length, NUL-terminated, without content; empty Arrays with room;
// Maps and Dicts with nothing but their headers. Returns 0, or -1 raised with nothing made.
int ss_objects_new(SsNewObject* objects, int64_t n);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_BATCH_H_
