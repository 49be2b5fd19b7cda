// The pairs of objects that a comparison is inside of: see recursive_inside.h. A stack, and beyond a few pairs a hash
// table of chains through it: the pair that leaves is always the first of its chain.
#include "recursive_inside.h"

#include <stdlib.h>
#include <string.h>

#include "core/raise.h"

// The chain of a pair; the number of chains is the capacity, a power of two.
static int32_t* head_of(const SsInside* s, const TVMFFIObject* a, const TVMFFIObject* b) {
  uint64_t x = (uint64_t)(uintptr_t)a >> 4, y = (uint64_t)(uintptr_t)b >> 4;
  uint64_t hash = (x ^ y << 32 ^ y >> 32) * UINT64_C(0x9e3779b97f4a7c15);
  return &s->heads[hash >> 32 & (uint64_t)(s->capacity - 1)];
}

static void link_last(SsInside* s, int32_t i) {
  int32_t* head = head_of(s, s->pairs[i].a, s->pairs[i].b);
  s->pairs[i].next = *head;
  *head = i;
}

static int grow(SsInside* s, const char* walk) {
  size_t wanted = 2 * (size_t)s->capacity;
  SsInsidePair* pairs = malloc(wanted * sizeof(*pairs));
  int32_t* heads = malloc(wanted * sizeof(*heads));
  if (pairs == NULL || heads == NULL) {
    free(pairs);
    free(heads);
    return ss_raise_no_memory(walk);
  }
  memcpy(pairs, s->pairs, (size_t)s->count * sizeof(*pairs));
  memset(heads, 0xff, wanted * sizeof(*heads));  // -1 everywhere
  if (s->pairs != s->first) free(s->pairs);
  free(s->heads);
  s->pairs = pairs;
  s->heads = heads;
  s->capacity = (int32_t)wanted;
  for (int32_t i = 0; i < s->count; i++) link_last(s, i);
  return 0;
}

int ss_inside_has(const SsInside* inside, const TVMFFIObject* a, const TVMFFIObject* b) {
  int chained = inside->heads != NULL;
  int32_t i = chained ? *head_of(inside, a, b) : inside->count - 1;
  while (i >= 0 && (inside->pairs[i].a != a || inside->pairs[i].b != b)) i = chained ? inside->pairs[i].next : i - 1;
  return i >= 0;
}

int ss_inside_enter(SsInside* inside, const TVMFFIObject* a, const TVMFFIObject* b, const char* walk) {
  if (inside->count == inside->capacity && grow(inside, walk) != 0) return -1;
  int32_t i = inside->count++;
  inside->pairs[i].a = a;
  inside->pairs[i].b = b;
  if (inside->heads != NULL) link_last(inside, i);
  return 0;
}

void ss_inside_leave(SsInside* inside) {
  const SsInsidePair* last = &inside->pairs[--inside->count];
  if (inside->heads != NULL) *head_of(inside, last->a, last->b) = last->next;
}

void ss_inside_end(SsInside* inside) {
  if (inside->pairs != inside->first) free(inside->pairs);
  free(inside->heads);
}
