// Bounds the stack that the deleters of nested containers use: beyond MAX_DEPTH, a container's deletion is deferred
// until the outermost container on the thread has released its own elements.
#include "teardown.h"

#include "map.h"
#include "sequence.h"

enum { MAX_DEPTH = 200 };

static __thread int depth __attribute__((tls_model("initial-exec")));
static __thread TVMFFIObject* deferred __attribute__((tls_model("initial-exec")));  // linked through their counts

_Static_assert(sizeof(uint64_t) >= sizeof(void*), "a pointer fits into the counts");

int ss_teardown_enter(TVMFFIObject* self, int flags) {
  if (depth >= MAX_DEPTH && flags == kTVMFFIObjectDeleterFlagBitMaskBoth) {
    // No reference is left, not even a weak one: the count word is free.
    self->combined_ref_count = (uint64_t)(uintptr_t)deferred;
    deferred = self;
    return 0;
  }
  depth++;
  return 1;
}

void ss_teardown_leave(void) {
  if (depth > 1) {
    depth--;
    return;
  }
  while (deferred != NULL) {  // at depth one, so that further containers are deferred to the same list
    TVMFFIObject* object = deferred;
    deferred = (TVMFFIObject*)(uintptr_t)object->combined_ref_count;
    // Not the deleter in the header: a tie record or another library may have replaced it, and that deleter has run.
    if (object->type_index == kTVMFFIMap || object->type_index == kTVMFFIDict) {
      ss_delete_map(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    } else {
      ss_delete_sequence(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    }
  }
  depth--;
}
