// The stack of a structural walk: its first frames lie in the caller's stack frame, more than those on the heap.
#ifndef SELFSAME_ABI_PLANE_STRUCTURAL_STACK_H_
#define SELFSAME_ABI_PLANE_STRUCTURAL_STACK_H_

#include <stdlib.h>
#include <string.h>

#include "raise.h"
#include "structural.h"

// Doubles a full stack of *capacity frames of `size` bytes each, up to SS_WALK_DEPTH. Returns the new frames and frees
// `frames`, unless that is `first`, the frames in the caller's stack frame. Returns NULL with an error raised, and
// changes nothing, when the stack has SS_WALK_DEPTH frames or there is no memory. `walk` names the walk in the error.
static inline void* ss_stack_grow(void* frames, const void* first, int32_t* capacity, size_t size, const char* walk) {
  int32_t wanted = *capacity < SS_WALK_DEPTH / 2 ? 2 * *capacity : SS_WALK_DEPTH;
  if (wanted == *capacity) {
    ss_raise("ValueError", "%s: maximum depth (%d) exceeded", walk, SS_WALK_DEPTH);
    return NULL;
  }
  void* more = malloc((size_t)wanted * size);
  if (more == NULL) {
    ss_raise_no_memory(walk);
    return NULL;
  }
  memcpy(more, frames, (size_t)*capacity * size);
  if (frames != first) free(frames);
  *capacity = wanted;
  return more;
}

#endif  // SELFSAME_ABI_PLANE_STRUCTURAL_STACK_H_
