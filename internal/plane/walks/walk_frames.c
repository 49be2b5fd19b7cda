// The stack of the walks over whole values: see walk_frames.h.
#include "walk_frames.h"

#include <stdlib.h>
#include <string.h>

#include "scalars/any.h"
#include "collections/map_key.h"
#include "core/raise.h"
#include "selfsame/internal/map_cursor.h"
#include "structural.h"

void ss_frames_free(SsFrames* s) {
  if (s->frames != s->first) free(s->frames);
  while (s->spare != NULL) {
    SsMapParts* next = s->spare->spare;
    if (s->spare != &s->first_map) free(s->spare);
    s->spare = next;
  }
  ss_hooks_end(&s->hooks);
}

int ss_frames_grow(SsFrames* s) {
  const char* walk = s->hooks.kind->operation;
  int32_t wanted = s->capacity < SS_WALK_DEPTH / 2 ? 2 * s->capacity : SS_WALK_DEPTH;
  if (wanted == s->capacity) {
    ss_raise("ValueError", "%s: maximum depth (%d) exceeded", walk, SS_WALK_DEPTH);
    return 0;
  }
  SsFrame* more = malloc((size_t)wanted * sizeof(SsFrame));
  if (more == NULL) {
    ss_raise_no_memory(walk);
    return 0;
  }
  memcpy(more, s->frames, (size_t)s->capacity * sizeof(SsFrame));
  if (s->frames != s->first) free(s->frames);
  s->frames = more;
  s->top = more + s->depth - 1;
  s->capacity = wanted;
  return 1;
}

SsFrame* ss_frames_push_map(SsFrames* s, TVMFFIObject* a, TVMFFIObject* b) {
  if (s->spare == NULL) {
    s->spare = malloc(sizeof(SsMapParts));
    if (s->spare == NULL) {
      ss_raise_no_memory(s->hooks.kind->operation);
      return NULL;
    }
    s->spare->spare = NULL;
  }
  SsFrame* f = ss_frames_push(s, SS_MAP, a, b);
  if (f == NULL) return NULL;
  f->u.map = s->spare;
  s->spare = s->spare->spare;
  f->u.map->pairs.copies = NULL;
  f->u.map->items = NULL;
  f->u.map->count = f->u.map->end = f->u.map->next = 0;
  f->u.map->word = 0;
  return f;
}

TVMFFIAny* ss_frames_items(SsFrames* s, uint64_t n) {
  if (n == 0) return NULL;
  s->top->u.map->items = malloc(n * sizeof(TVMFFIAny));
  if (s->top->u.map->items == NULL) ss_raise_no_memory(s->hooks.kind->operation);
  return s->top->u.map->items;
}

void ss_frames_end_map(SsFrames* s) {
  SsMapParts* parts = s->top->u.map;
  ss_map_pairs_end(&parts->pairs);
  ss_any_clear_all(parts->items, parts->count);
  free(parts->items);
  parts->spare = s->spare;
  s->spare = parts;
}

static int by_hash(const void* a, const void* b) {
  uint64_t x = ((const TVMFFIAny*)a)->v_uint64, y = ((const TVMFFIAny*)b)->v_uint64;
  return (x > y) - (x < y);
}

// Sorts by insertion. Inlined, so that the compiler knows the stride.
static inline void sort_few(TVMFFIAny* items, size_t n, size_t stride) {
  for (size_t i = stride; i < n * stride; i += stride) {
    TVMFFIAny group[2] = {items[i], items[i + stride - 1]};
    size_t j = i;
    for (; j > 0 && items[j - stride].v_uint64 > group[0].v_uint64; j -= stride) {
      memcpy(&items[j], &items[j - stride], stride * sizeof(TVMFFIAny));
    }
    memcpy(&items[j], group, stride * sizeof(TVMFFIAny));
  }
}

void ss_sort_by_hash(TVMFFIAny* items, size_t n, size_t stride) {
  enum { FEW = 32 };  // for which qsort takes longer
  if (n > FEW) {
    qsort(items, n, stride * sizeof(TVMFFIAny), by_hash);
  } else if (stride == 1) {
    sort_few(items, n, 1);
  } else {
    sort_few(items, n, 2);
  }
}

void ss_frames_pin(SsFrames* s) {
  for (; s->pinned < s->depth; s->pinned++) {
    SsFrame* f = &s->frames[s->pinned];
    // The frame before owns the value that a getter returned.
    if (s->pinned > 0 && f[-1].form == SS_FIELDS && f[-1].owns_x && (f->b == NULL || f[-1].owns_y)) continue;
    ss_incref(f->a);
    if (f->b != NULL) ss_incref(f->b);
    f->pinned = 1;
  }
}

int ss_frames_call_hook(SsFrames* s, const TVMFFIAny* args, int n, int64_t* out) {
  ss_frames_pin(s);
  return ss_hook_call(&s->hooks, s->top->u.hook, args, n, out);
}

int ss_frames_find(SsFrames* s, TVMFFIObject* map, const TVMFFIAny* key, const SsEntry** out) {
  const SsMapCell* cell = ss_map_cell(map);
  SsKey made;
  *out = NULL;
  ss_key_make(key, cell, &made);
  if (made.is_hooked) ss_frames_pin(s);
  uint64_t index = ss_map_find_index(cell, &made);
  if (index < SS_FIND_RAISED) *out = ss_map_entry_at(cell, index);
  return index == SS_FIND_RAISED ? -1 : 0;
}

int ss_equal_pairs_keep(const SsFrames* s, SsEqualPairs* pairs, int region) {
  const SsFrame* f = s->top;
  const char* walk = s->hooks.kind->operation;
  // The tables keep both objects alive, so that no other one gets the address.
  if (ss_object_table_set(&pairs->right, f->b, 0, walk) != 0) return -1;
  return ss_object_table_set(&pairs->to_right, f->a, ss_equal_pair(f->b, region), walk);
}
