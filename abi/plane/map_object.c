// Map and Dict: making the object and destroying it. What happens in between is package container's.
#include "containers.h"

// Nobody sees the cells of a dead container: they need not be emptied.
static void release_pair(const SsEntry* pair) {
  if (pair->key.type_index >= kTVMFFIStaticObjectBegin) ss_xdecref(pair->key.v_obj);
  if (pair->value.type_index >= kTVMFFIStaticObjectBegin) ss_xdecref(pair->value.v_obj);
}

static void release_block(const SsBlock* block) {
  for (int i = 0; i < SS_BLOCK_BUCKETS; i++) {
    if (block->control[i] < SS_CONTROL_NO_ENTRY) release_pair(&block->buckets[i].entry);
  }
}

static void release_entries(const SsMapCell* cell) {
  // Which layout it is may have changed since the object was made, and so may the owner of the memory.
  if (ss_map_is_small(cell)) {
    const SsEntry* pairs = cell->data;
    for (uint64_t i = 0; i < cell->size; i++) release_pair(&pairs[i]);
  } else if (cell->size != 0) {
    const SsBlock* blocks = cell->data;
    for (uint64_t i = 0; i < cell->capacity; i += SS_BLOCK_BUCKETS) release_block(&blocks[i / SS_BLOCK_BUCKETS]);
  }
  if (cell->data_deleter != NULL && cell->data != NULL) cell->data_deleter(cell->data);
}

void ss_delete_hash(void* self, int flags) {
  int strong = flags & kTVMFFIObjectDeleterFlagBitMaskStrong;
  if (strong) {
    if (!ss_teardown_enter(self, flags)) return;
    release_entries(ss_map_cell(self));
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) SelfsameObjectFree(self);
  if (strong) ss_teardown_leave();
}

TVMFFIObject* ss_hash_new(int32_t type_index, size_t size) {
  TVMFFIObject* map = ss_object_space(size, _Alignof(TVMFFIObject), type_index);
  if (map != NULL) ss_object_init(map, type_index, ss_delete_hash);
  return map;
}
