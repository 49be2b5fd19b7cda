// The entries of a Map or Dict in order, and finding keys with hooks: see map_pairs.h.
#include "map_pairs.h"

#include <stdlib.h>

#include "any.h"
#include "key_hooks.h"
#include "map_key.h"
#include "raise.h"
#include "selfsame/internal/values.h"
#include "type_attributes.h"

// The next entry of the map itself.
static const SsEntry* next_in_map(SsMapPairs* p) {
  const SsMapCell* cell = ss_map_cell(p->map);
  if (ss_map_is_small(cell)) return (const SsEntry*)cell->data + p->passed;
  const SsBucket* bucket = ss_map_bucket(cell, p->bucket);
  p->bucket = bucket->next;
  return &bucket->entry;
}

static void retain(const TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) ss_incref(value->v_obj);
}

int ss_map_pairs_begin(SsMapPairs* pairs, const TVMFFIObject* map, const char* walk) {
  const SsMapCell* cell = ss_map_cell(map);
  *pairs = (SsMapPairs){map, NULL, cell->size, 0, 0};
  if (cell->size == 0) return 0;
  if (!ss_map_is_small(cell)) pairs->bucket = cell->head;
  if (map->type_index != kTVMFFIDict) return 0;
  SsEntry* copies = malloc(cell->size * sizeof(SsEntry));
  if (copies == NULL) {
    pairs->count = 0;
    return ss_raise_no_memory(walk);
  }
  for (uint64_t i = 0; i < pairs->count; i++) {
    pairs->passed = i;
    copies[i] = *next_in_map(pairs);
    retain(&copies[i].key);
    retain(&copies[i].value);
  }
  pairs->passed = 0;
  pairs->copies = copies;
  return 0;
}

const SsEntry* ss_map_pairs_next(SsMapPairs* pairs) {
  if (pairs->passed == pairs->count) return NULL;
  const SsEntry* entry = pairs->copies != NULL ? &pairs->copies[pairs->passed] : next_in_map(pairs);
  pairs->passed++;
  return entry;
}

void ss_map_pairs_end(SsMapPairs* pairs) {
  SsEntry* copies = pairs->copies;
  if (copies == NULL) return;
  pairs->copies = NULL;
  for (uint64_t i = 0; i < pairs->count; i++) {
    ss_any_clear(&copies[i].key);
    ss_any_clear(&copies[i].value);
  }
  free(copies);
}

// ---- keys with hooks ---------------------------------------------------------------------------------------

// The hook of a value's class in a column; NULL when it has none.
static const TVMFFIAny* hook_of(SsAttributeColumn** column, const char* name, int32_t type_index) {
  if (type_index < kTVMFFIStaticObjectBegin || type_index == kTVMFFIStr || type_index == kTVMFFIBytes) return NULL;
  return ss_column_value(column, name, type_index);
}

static int hash_key(const TVMFFIAny* key, uint64_t* hash) {
  static SsAttributeColumn* column;
  const TVMFFIAny* hook = hook_of(&column, "__any_hash__", key->type_index);
  uint64_t own = key->v_uint64;  // the class has a hook for equality alone
  if (hook != NULL && ss_key_hash_hook(hook, key, &own) != 0) return -1;
  *hash = ss_hash_combine((uint64_t)(int64_t)key->type_index, own);
  return 0;
}

static int equal_keys(const TVMFFIAny* stored, const TVMFFIAny* key, int* same) {
  static SsAttributeColumn* column;
  if (stored->type_index == key->type_index && stored->v_uint64 != key->v_uint64) {
    const TVMFFIAny* hook = hook_of(&column, "__any_equal__", key->type_index);
    if (hook != NULL) return ss_key_equal_hook(hook, stored, key, same);
  }
  *same = ss_any_equal(stored, key);
  return 0;
}

// Compares a key with that of an entry, in a map that foreign code may change. Returns 0, or -1 raised.
static int is_entry(const SsMapCell* cell, const SsEntry* entry, const TVMFFIAny* key, int* same) {
  const void* data = cell->data;
  uint64_t size = cell->size;
  TVMFFIAny stored = entry->key;
  retain(&stored);
  int rc = equal_keys(&stored, key, same);
  ss_any_clear(&stored);
  if (rc != 0) return -1;
  if (cell->data == data && cell->size == size) return 0;
  return ss_raise("RuntimeError", "a Dict was changed while a key was looked up in it");
}

int ss_map_find_hooked(TVMFFIObject* map, const TVMFFIAny* key, const SsEntry** out) {
  const SsMapCell* cell = ss_map_cell(map);
  int same = 0;
  *out = NULL;
  if (cell->size == 0) return 0;
  if (ss_map_is_small(cell)) {
    for (uint64_t i = 0; !same && i < cell->size; i++) {
      const SsEntry* entry = (const SsEntry*)cell->data + i;
      if (is_entry(cell, entry, key, &same) != 0) return -1;
      if (same) *out = entry;
    }
    return 0;
  }
  uint64_t hash;
  if (hash_key(key, &hash) != 0) return -1;
  if (cell->size == 0 || ss_map_is_small(cell)) return 0;  // the hook emptied a Dict
  uint64_t bucket = ss_map_home(cell, hash);
  uint8_t control = *ss_map_control(cell, bucket);
  if (control & SS_CONTROL_MEMBER) return 0;  // no chain begins here
  for (;;) {
    const SsEntry* entry = &ss_map_bucket(cell, bucket)->entry;
    if (is_entry(cell, entry, key, &same) != 0) return -1;
    if (same) {
      *out = entry;
      return 0;
    }
    uint64_t distance = ss_map_jump(control & SS_CONTROL_JUMP);
    if (distance == 0) return 0;
    bucket = (bucket + distance) & (cell->capacity - 1);
    control = *ss_map_control(cell, bucket);
  }
}
