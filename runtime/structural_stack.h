// The stack of a structural walk: frames that lie on the caller's own stack first, and on the heap when they get many.
#ifndef SELFSAME_RUNTIME_STRUCTURAL_STACK_H_
#define SELFSAME_RUNTIME_STRUCTURAL_STACK_H_

#include <stdlib.h>
#include <string.h>

// Walks may be as deep as those of package graph.
enum { SS_WALK_DEPTH = 1 << 18 };

// Doubles a full stack of *capacity frames of `size` bytes each, up to SS_WALK_DEPTH. Returns where the frames are now;
// `frames` was freed, unless it is `first`. NULL, and nothing changed, at that depth or without memory.
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
