// Map and Dict: making the object and destroying it. What happens in between is package container's.
#include "containers.h"

enum { FIRST_STATE_WITHOUT_ENTRY = 0xfe };

// Nobody sees the cells of a dead container: they need not be emptied.
static void release_pair(const ss_pair* pair) {
  if (pair->key.type_index >= kTVMFFIStaticObjectBegin) ss_dec_ref(pair->key.v_obj);
  if (pair->value.type_index >= kTVMFFIStaticObjectBegin) ss_dec_ref(pair->value.v_obj);
}

static void release_block(const uint8_t* block) {
  const ss_hash_item* items = (const ss_hash_item*)(const void*)(block + SS_HASH_BLOCK);
  for (int i = 0; i < SS_HASH_BLOCK; i++) {
    if (block[i] < FIRST_STATE_WITHOUT_ENTRY) release_pair(&items[i].pair);
  }
}

static void release_entries(const ss_hash_cell* cell) {
  // Which layout it is may have changed since the object was made, and so may the owner of the memory.
  if (ss_hash_is_small(cell)) {
    const ss_pair* pairs = cell->data;
    for (uint64_t i = 0; i < cell->size; i++) release_pair(&pairs[i]);
  } else if (cell->size != 0) {
    for (uint64_t slot = 0; slot < cell->slots; slot += SS_HASH_BLOCK) release_block(ss_hash_state(cell, slot));
  }
  if (cell->data_deleter != NULL && cell->data != NULL) cell->data_deleter(cell->data);
}

void ss_delete_hash(void* self, int flags) {
  int strong = flags & kTVMFFIObjectDeleterFlagBitMaskStrong;
  if (strong) {
    if (!ss_teardown_enter(self, flags)) return;
    release_entries(ss_hash_cell_of(self));
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) SelfsameObjectFree(self);
  if (strong) ss_teardown_leave();
}

TVMFFIObject* ss_hash_new(int32_t type_index, size_t size) {
  TVMFFIObject* map = ss_object_space(size, _Alignof(TVMFFIObject), type_index);
  if (map != NULL) ss_object_init(map, type_index, ss_delete_hash);
  return map;
}
