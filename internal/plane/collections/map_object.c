// Map and Dict: the object and its deleter.
#include "core/alloc.h"
#include "core/chains.h"
#include "map.h"
#include "selfsame/selfsame.h"
#include "core/teardown.h"

// Leaves the values as they are: no thread can read those of a dead container.
static void release_entry(const SsEntry* entry) {
  if (entry->key.type_index >= kTVMFFIStaticObjectBegin) ss_release(entry->key.v_obj);
  if (entry->value.type_index >= kTVMFFIStaticObjectBegin) ss_release(entry->value.v_obj);
}

static void release_block(const SsBlock* block) {
  for (int i = 0; i < SS_BLOCK_BUCKETS; i++) {
    if (block->control[i] < SS_CONTROL_NO_ENTRY) release_entry(&block->buckets[i].entry);
  }
}

static void release_entries(void* self) {
  const SsMapCell* cell = ss_map_cell(self);
  // By the layout that the map has now: it may have changed since the object was made, and with it the data_deleter.
  if (ss_map_is_small(cell)) {
    const SsEntry* entries = cell->data;
    for (uint64_t i = 0; i < cell->size; i++) release_entry(&entries[i]);
  } else if (cell->size != 0) {
    const SsBlock* blocks = cell->data;
    for (uint64_t i = 0; i < cell->capacity; i += SS_BLOCK_BUCKETS) release_block(&blocks[i / SS_BLOCK_BUCKETS]);
  }
  if (cell->data_deleter != NULL && cell->data != NULL) cell->data_deleter(cell->data);
}

void ss_delete_map(void* self, int flags) { ss_delete_owner(self, flags, ss_delete_map, release_entries); }

TVMFFIObject* ss_map_new(int32_t type_index, size_t size) {
  TVMFFIObject* map = ss_object_space(size, _Alignof(TVMFFIObject), type_index);
  if (map != NULL) ss_object_init(map, type_index, ss_delete_map);
  return map;
}
