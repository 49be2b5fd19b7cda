// The stack of a structural walk in C: its first frames lie in the caller's stack frame, more than those on the heap.
#ifndef SELFSAME_RUNTIME_STRUCTURAL_STACK_H_
#define SELFSAME_RUNTIME_STRUCTURAL_STACK_H_

#include <stdlib.h>
#include <string.h>

// The deepest walk, in frames: MaxDepth of package graph.
enum { SS_WALK_DEPTH = 1 << 18 };

// Doubles a full stack of *capacity frames of `size` bytes each, up to SS_WALK_DEPTH. Returns the new frames and frees
// `frames`, unless that is `first`, the frames in the caller's stack frame. Returns NULL, and changes nothing, when the
// stack has SS_WALK_DEPTH frames or there is no memory.
static inline void* ss_stack_grow(void* frames, const void* first, int32_t* capacity, size_t size) {
  int32_t wanted = *capacity < SS_WALK_DEPTH / 2 ? 2 * *capacity : SS_WALK_DEPTH;
  void* more = wanted == *capacity ? NULL : malloc((size_t)wanted * size);
  if (more == NULL) return NULL;
  memcpy(more, frames, (size_t)*capacity * size);
  if (frames != first) free(frames);
  *capacity = wanted;
  return more;
}

#endif  // SELFSAME_RUNTIME_STRUCTURAL_STACK_H_
