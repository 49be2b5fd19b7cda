// A hash table from objects to 64-bit words: see object_table.h. Linear probing, at most half full.
#include "object_table.h"

#include <stdlib.h>

#include "raise.h"
#include "selfsame/internal/refcount.h"

enum { FIRST_SIZE = 32 };

// The bucket that holds the object, or the empty one where it belongs.
static SsObjectBucket* bucket_of(const SsObjectTable* t, const TVMFFIObject* obj) {
  size_t i = (size_t)(((uint64_t)(uintptr_t)obj >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->size - 1);
  while (t->buckets[i].obj != NULL && t->buckets[i].obj != obj) i = (i + 1) & (t->size - 1);
  return &t->buckets[i];
}

const uint64_t* ss_object_table_get(const SsObjectTable* table, const TVMFFIObject* obj) {
  if (table->used == 0) return NULL;
  const SsObjectBucket* found = bucket_of(table, obj);
  return found->obj == NULL ? NULL : &found->word;
}

static int grow(SsObjectTable* t, const char* walk) {
  SsObjectTable bigger = {NULL, t->size == 0 ? FIRST_SIZE : 2 * t->size, t->used};
  bigger.buckets = calloc(bigger.size, sizeof(SsObjectBucket));
  if (bigger.buckets == NULL) return ss_raise_no_memory(walk);
  for (size_t i = 0; i < t->size; i++) {
    if (t->buckets[i].obj != NULL) *bucket_of(&bigger, t->buckets[i].obj) = t->buckets[i];
  }
  free(t->buckets);
  *t = bigger;
  return 0;
}

int ss_object_table_set(SsObjectTable* table, TVMFFIObject* obj, uint64_t word, const char* walk) {
  if (2 * (table->used + 1) > table->size && grow(table, walk) != 0) return -1;
  SsObjectBucket* bucket = bucket_of(table, obj);
  if (bucket->obj == NULL) {
    ss_incref(obj);
    bucket->obj = obj;
    table->used++;
  }
  bucket->word = word;
  return 0;
}

void ss_object_table_free(SsObjectTable* table) {
  SsObjectTable old = *table;
  *table = (SsObjectTable){NULL, 0, 0};
  for (size_t i = 0; i < old.size; i++) ss_xdecref(old.buckets[i].obj);
  free(old.buckets);
}
