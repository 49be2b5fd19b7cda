// The function that walks over a Map or Dict: f(0) is the current key, f(1) the current value, any other argument moves
// on and says whether there is an entry.
//
// It retains the container. An entry's value may be replaced meanwhile; adding or removing entries is noticed and
// raises RuntimeError, and no memory of the container's past is read.
#include "containers.h"

// Where the walk stands, or goes next.
typedef struct {
  uint64_t slot;  // SS_NO_BUCKET: the end
  TVMFFIAny key;  // its bits alone, to know the entry again
} position;

typedef struct {
  TVMFFIObject header;  // a Function, which gets itself as the first argument
  TVMFFIFunctionCell cell;
  TVMFFIObject* map;   // owned
  uint64_t size;       // the container's, when the walk began
  uint64_t remaining;  // entries to come
  position current;
  position next;
  char busy;  // in advance(), on some thread
} iterator;

// The entry in a slot; NULL when the slot has none.
static SsEntry* entry_at(const SsMapCell* cell, uint64_t slot) {
  if (ss_map_is_small(cell)) return slot < cell->size ? (SsEntry*)cell->data + slot : NULL;
  if (slot >= cell->capacity || *ss_map_control(cell, slot) >= SS_CONTROL_NO_ENTRY) return NULL;
  return &ss_map_bucket(cell, slot)->entry;
}

static SsEntry* entry_of(const iterator* it, const position* at) {
  const SsMapCell* cell = ss_map_cell(it->map);
  if (cell->size != it->size) return NULL;
  SsEntry* pair = entry_at(cell, at->slot);
  if (pair == NULL || pair->key.type_index != at->key.type_index || pair->key.v_uint64 != at->key.v_uint64) return NULL;
  return pair;
}

static uint64_t slot_after(const SsMapCell* cell, uint64_t slot) {
  if (ss_map_is_small(cell)) return slot + 1 < cell->size ? slot + 1 : SS_NO_BUCKET;
  return slot < cell->capacity ? ss_map_bucket(cell, slot)->next : SS_NO_BUCKET;
}

static void set_position(const iterator* it, position* at, uint64_t slot) {
  const SsEntry* pair = slot == SS_NO_BUCKET ? NULL : entry_at(ss_map_cell(it->map), slot);
  if (pair == NULL) {
    at->slot = SS_NO_BUCKET;
    ss_set_none(&at->key);
  } else {
    at->slot = slot;
    ss_set_bits(&at->key, pair->key.type_index, pair->key.v_uint64);
  }
}

static int changed(const iterator* it) {
  return ss_raise("RuntimeError", "%s changed during iteration", it->map->type_index == kTVMFFIDict ? "Dict" : "Map");
}

// What comes next is settled as soon as an entry is reached: replacing a value in a hash table moves its entry to the
// end, and each entry shall be seen once.
static void settle_next(iterator* it) {
  uint64_t after = SS_NO_BUCKET, slot = it->current.slot;
  if (slot != SS_NO_BUCKET && it->remaining > 1) after = slot_after(ss_map_cell(it->map), slot);
  set_position(it, &it->next, after);
}

static int advance(iterator* it, TVMFFIAny* out) {
  if (it->current.slot != SS_NO_BUCKET) {
    if (ss_map_cell(it->map)->size != it->size) return changed(it);
    if (it->next.slot != SS_NO_BUCKET && entry_of(it, &it->next) == NULL) return changed(it);
    it->remaining--;
    it->current = it->next;
    settle_next(it);
  }
  out->type_index = kTVMFFIBool;
  out->zero_padding = 0;
  out->v_int64 = it->current.slot != SS_NO_BUCKET;
  return 0;
}

static int read_entry(const iterator* it, int64_t what, TVMFFIAny* out) {
  if (it->current.slot == SS_NO_BUCKET) return ss_raise("IndexError", "the iteration is at its end: there is no entry");
  SsEntry* pair = entry_of(it, &it->current);
  if (pair == NULL) return changed(it);
  return TVMFFIAnyViewToOwnedAny(what == 0 ? &pair->key : &pair->value, out);
}

static int check_arguments(const TVMFFIAny* args, int32_t n) {
  static const char signature[] = "(0: int) -> Any";
  if (n != 1) {
    return ss_raise("TypeError", "Mismatched number of arguments when calling: `%s`. Expected 1 but got %d arguments",
                    signature, n);
  }
  if (!ss_check_ptr(args, "an iterator", "args")) return -1;
  if (args->type_index == kTVMFFIInt || args->type_index == kTVMFFIBool) return 0;
  const ss_type* type = ss_type_at(args->type_index);
  return ss_raise("TypeError", "Mismatched type on argument #0 when calling: `%s`. Expected `int` but got `%s`",
                  signature, type == NULL ? "unregistered type" : type->info.type_key.data);
}

static int call(void* handle, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  iterator* it = handle;
  if (!ss_check_ptr(result, "an iterator", "result") || check_arguments(args, n) != 0) return -1;
  int64_t what = args->v_int64;
  // Two threads on one iterator are noticed, as a rule, without the price of an atomic exchange. Where they are not,
  // every slot is checked before it is read, so that they skip entries but touch no foreign memory.
  if (__atomic_load_n(&it->busy, __ATOMIC_ACQUIRE)) {
    return ss_raise("RuntimeError", "an iterator serves one thread at a time");
  }
  if (what == 0 || what == 1) return read_entry(it, what, result);
  __atomic_store_n(&it->busy, 1, __ATOMIC_RELAXED);
  int rc = advance(it, result);
  __atomic_store_n(&it->busy, 0, __ATOMIC_RELEASE);
  return rc;
}

static void delete_iterator(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) ss_xdecref(((iterator*)self)->map);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) SelfsameObjectFree(self);
}

int ss_hash_iterator(TVMFFIObject* map, TVMFFIObjectHandle* out) {
  iterator* it = ss_object_space(sizeof(iterator), _Alignof(iterator), kTVMFFIFunction);
  if (it == NULL) return -1;
  const SsMapCell* cell = ss_map_cell(map);
  it->cell.safe_call = call;
  it->cell.cpp_call = NULL;
  it->map = map;
  it->size = it->remaining = cell->size;
  it->busy = 0;
  set_position(it, &it->current, cell->size == 0 ? SS_NO_BUCKET : ss_map_is_small(cell) ? 0 : cell->head);
  settle_next(it);
  ss_incref(map);
  ss_object_init(it, kTVMFFIFunction, delete_iterator);
  *out = it;
  return 0;
}
