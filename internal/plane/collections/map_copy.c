// Copies of a Map or Dict: the entries lie where they lay, so that no key is hashed.
#include <string.h>

#include "scalars/buffer.h"
#include "map.h"
#include "selfsame/internal/refcount.h"

static void retain(const TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) ss_incref(value->v_obj);
}

static void retain_entries(const SsMapCell* cell) {
  for (uint64_t i = 0; i < ss_map_walk_end(cell); i++) {
    const SsEntry* entry = ss_map_walk(cell, i);
    if (entry == NULL) continue;
    retain(&entry->key);
    retain(&entry->value);
  }
}

static TVMFFIObject* copy_small(const TVMFFIObject* map, int32_t type_index) {
  const size_t entries = sizeof(TVMFFIObject) + offsetof(SsMapCell, shift);
  const SsMapCell* from = ss_map_cell(map);
  uint64_t size = ss_map_is_small(from) ? from->size : 0, room = size < SS_MAP_SMALL_MAX ? SS_MAP_SMALL_MAX : size;
  TVMFFIObject* made = ss_map_new(type_index, entries + room * sizeof(SsEntry));
  if (made == NULL) return NULL;
  SsMapCell* cell = ss_map_cell(made);
  cell->data = (char*)made + entries;
  cell->size = size;
  cell->capacity = SS_MAP_SMALL | (size < SS_MAP_SMALL_FIRST ? SS_MAP_SMALL_FIRST : size);
  cell->data_deleter = NULL;
  if (size != 0) memcpy(cell->data, from->data, size * sizeof(SsEntry));
  retain_entries(cell);
  return made;
}

static TVMFFIObject* copy_dense(const TVMFFIObject* map, int32_t type_index) {
  const SsMapCell* from = ss_map_cell(map);
  size_t bytes = (from->capacity + SS_BLOCK_BUCKETS - 1) / SS_BLOCK_BUCKETS * sizeof(SsBlock);
  void* data = ss_buffer_new(bytes);
  if (data == NULL) return NULL;
  TVMFFIObject* made = ss_map_new(type_index, sizeof(TVMFFIObject) + sizeof(SsMapCell));
  if (made == NULL) {
    ss_buffer_free(data);
    return NULL;
  }
  SsMapCell* cell = ss_map_cell(made);
  *cell = *from;
  cell->data = memcpy(data, from->data, bytes);
  cell->data_deleter = ss_buffer_free;
  retain_entries(cell);
  return made;
}

TVMFFIObject* ss_map_copy(const TVMFFIObject* map, int32_t type_index) {
  const SsMapCell* from = ss_map_cell(map);
  // A dense map whose memory was moved out has no buckets.
  return ss_map_is_small(from) || from->capacity == 0 ? copy_small(map, type_index) : copy_dense(map, type_index);
}
