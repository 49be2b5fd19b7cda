// The entries of a Map or Dict in order: see map_pairs.h.
#include "map_pairs.h"

#include <stdlib.h>

#include "core/raise.h"
#include "selfsame/internal/map_cursor.h"
#include "selfsame/internal/values.h"

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

TVMFFIAny* ss_map_items(const TVMFFIObject* map, int64_t* count, const char* walk) {
  const SsMapCell* cell = ss_map_cell(map);
  *count = 0;
  TVMFFIAny* items = malloc((4 * cell->size + 1) * sizeof(TVMFFIAny));
  if (items == NULL) {
    ss_raise_no_memory(walk);
    return NULL;
  }
  uint64_t at = cell->size == 0 ? SS_NO_BUCKET : ss_map_is_small(cell) ? 0 : cell->head;
  for (; at != SS_NO_BUCKET; at = ss_map_index_after(cell, at)) {
    const SsEntry* entry = ss_map_entry_at(cell, at);
    items[(*count)++] = entry->key;
    items[(*count)++] = entry->value;
  }
  for (int64_t i = 0; i < *count; i++) retain(&items[i]);
  return items;
}
