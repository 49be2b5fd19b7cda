// Bounds the stack that the deleters of objects which own objects use: beyond MAX_DEPTH, a deletion is deferred until the
// outermost object on the thread has released what it owns.
#include "teardown.h"

#include <stdlib.h>

#include "selfsame/internal/refcount.h"

enum { MAX_DEPTH = 24 };  // between two of our deleters can lie those of tie records, callables and other libraries

typedef void (*Deleter)(void* self, int flags);

// An object whose life has ended while there are weak references to it: its count word is in use.
typedef struct Ended {
  struct Ended* next;    // the object that was put off before it, on this thread
  TVMFFIObject* object;  // a weak reference is owned
  Deleter deleter;       // the object's, which is called again
} Ended;

static __thread int depth SS_STATIC_TLS;
static __thread TVMFFIObject* dead SS_STATIC_TLS;  // linked through their counts
static __thread Ended* ended SS_STATIC_TLS;

_Static_assert(sizeof(uint64_t) >= sizeof(void*), "a pointer fits into the counts");

static int defer(TVMFFIObject* self, int flags, Deleter deleter) {
  if (flags == kTVMFFIObjectDeleterFlagBitMaskBoth) {
    // No reference is left, not even a weak one: the header is free. A tie record or another library may have replaced
    // the deleter in it, and that deleter has run.
    self->combined_ref_count = (uint64_t)(uintptr_t)dead;
    self->deleter = deleter;
    dead = self;
    return 1;
  }
  Ended* entry = malloc(sizeof(Ended));
  if (entry == NULL) return 0;  // the recursion goes deeper
  ss_weak_incref(self);         // the caller of the deleter owns one
  *entry = (Ended){ended, self, deleter};
  ended = entry;
  return 1;
}

int ss_teardown_enter(TVMFFIObject* self, int flags, Deleter deleter) {
  if (depth >= MAX_DEPTH && defer(self, flags, deleter)) return 0;
  depth++;
  return 1;
}

void ss_teardown_leave(void) {
  if (depth > 1) {
    depth--;
    return;
  }
  while (dead != NULL || ended != NULL) {  // at depth one, so that further objects are deferred to the same lists
    if (dead != NULL) {
      TVMFFIObject* object = dead;
      dead = (TVMFFIObject*)(uintptr_t)object->combined_ref_count;
      object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
      continue;
    }
    Ended entry = *ended;
    free(ended);
    ended = entry.next;
    entry.deleter(entry.object, kTVMFFIObjectDeleterFlagBitMaskStrong);
    ss_weak_decref(entry.object);
  }
  depth--;
}
