// Destroying containers that are nested without end, on a stack that has one: beyond some depth a container's
// destruction is put off until the outermost one on the thread is done with its own elements.
#include "containers.h"

enum { MAX_DEPTH = 200 };

static __thread int depth __attribute__((tls_model("initial-exec")));
static __thread TVMFFIObject* put_off __attribute__((tls_model("initial-exec")));  // linked through their counts

_Static_assert(sizeof(uint64_t) >= sizeof(void*), "a pointer fits into the counts");

int ss_teardown_enter(TVMFFIObject* self, int flags) {
  if (depth >= MAX_DEPTH && flags == kTVMFFIObjectDeleterFlagBitMaskBoth) {
    // Nobody else has a reference, not even a weak one: the counts are ours to use.
    self->combined_ref_count = (uint64_t)(uintptr_t)put_off;
    put_off = self;
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
  while (put_off != NULL) {  // still at depth one: what is put off meanwhile lands in the same list
    TVMFFIObject* object = put_off;
    put_off = (TVMFFIObject*)(uintptr_t)object->combined_ref_count;
    // Not through the object's header: others may have put a deleter of theirs before ours, and that one has run.
    if (object->type_index == kTVMFFIMap || object->type_index == kTVMFFIDict) {
      ss_delete_hash(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    } else {
      ss_delete_sequence(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    }
  }
  depth--;
}
