// Deep nests and long chains of objects, released without deep recursion (teardown.c).
#ifndef SELFSAME_INTERNAL_PLANE_CORE_TEARDOWN_H_
#define SELFSAME_INTERNAL_PLANE_CORE_TEARDOWN_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// The deleter of an object that owns others calls ss_teardown_enter, with itself, before it releases them and
// ss_teardown_leave after it. When ss_teardown_enter returns 0, the deleter must return at once and is called again
// later on this thread. The deleter frees the object's memory, if it does, between the two calls.
int ss_teardown_enter(TVMFFIObject* self, int flags, void (*deleter)(void* self, int flags));
void ss_teardown_leave(void);

// What `deleter`, a deleter of the runtime, does: releases what the object owns with `release`, and its memory.
static inline __attribute__((always_inline)) void ss_delete_owner(TVMFFIObject* self, int flags,
                                                                  void (*deleter)(void* self, int flags),
                                                                  void (*release)(void* self)) {
  int strong = flags & kTVMFFIObjectDeleterFlagBitMaskStrong;
  if (strong) {
    if (!ss_teardown_enter(self, flags, deleter)) return;
    release(self);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) SelfsameObjectFree(self);
  if (strong) ss_teardown_leave();
}

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_TEARDOWN_H_
