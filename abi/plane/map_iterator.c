// The iterator Function of a Map or Dict: f(0) is the current key, f(1) the current value, any other argument advances
// and tells whether there is an entry.
//
// The Function retains the container. Values may be replaced during the iteration. When entries were added or removed,
// the next call raises RuntimeError; it never reads memory that the container has given up. RATIONALE.md, "Why an
// iterator over a map is in C".
#include "alloc.h"
#include "map.h"
#include "raise.h"
#include "selfsame/internal/values.h"
#include "selfsame/selfsame.h"
#include "type_table.h"

// A position in the container.
typedef struct {
  uint64_t index;  // of the entry (small) or the bucket (dense); SS_NO_BUCKET: the end
  TVMFFIAny key;   // its bits alone, borrowed, to recognise the entry
} Position;

typedef struct {
  TVMFFIObject header;  // a Function, which gets itself as the first argument
  TVMFFIFunctionCell cell;
  TVMFFIObject* map;   // owned
  uint64_t size;       // of the container when the iteration began
  uint64_t remaining;  // entries to come
  Position current;
  Position next;
  char busy;  // set while a thread is in advance()
} Iterator;

// The entry at an index, or NULL.
static SsEntry* entry_at(const SsMapCell* cell, uint64_t index) {
  if (ss_map_is_small(cell)) return index < cell->size ? (SsEntry*)cell->data + index : NULL;
  if (index >= cell->capacity || *ss_map_control(cell, index) >= SS_CONTROL_NO_ENTRY) return NULL;
  return &ss_map_bucket(cell, index)->entry;
}

static SsEntry* entry_of(const Iterator* it, const Position* at) {
  const SsMapCell* cell = ss_map_cell(it->map);
  if (cell->size != it->size) return NULL;
  SsEntry* entry = entry_at(cell, at->index);
  if (entry == NULL || entry->key.type_index != at->key.type_index || entry->key.v_uint64 != at->key.v_uint64)
    return NULL;
  return entry;
}

static uint64_t index_after(const SsMapCell* cell, uint64_t index) {
  if (ss_map_is_small(cell)) return index + 1 < cell->size ? index + 1 : SS_NO_BUCKET;
  return index < cell->capacity ? ss_map_bucket(cell, index)->next : SS_NO_BUCKET;
}

static void set_position(const Iterator* it, Position* at, uint64_t index) {
  const SsEntry* entry = index == SS_NO_BUCKET ? NULL : entry_at(ss_map_cell(it->map), index);
  if (entry == NULL) {
    at->index = SS_NO_BUCKET;
    ss_set_none(&at->key);
  } else {
    at->index = index;
    ss_set_bits(&at->key, entry->key.type_index, entry->key.v_uint64);
  }
}

static int changed(const Iterator* it) {
  return ss_raise("RuntimeError", "%s changed during iteration", it->map->type_index == kTVMFFIDict ? "Dict" : "Map");
}

// Chooses the next entry as soon as the current one is reached: replacing a value in a dense map moves its entry to the
// end of the order, and each entry must be given once.
static void settle_next(Iterator* it) {
  uint64_t after = SS_NO_BUCKET, now = it->current.index;
  if (now != SS_NO_BUCKET && it->remaining > 1) after = index_after(ss_map_cell(it->map), now);
  set_position(it, &it->next, after);
}

static int advance(Iterator* it, TVMFFIAny* out) {
  if (it->current.index != SS_NO_BUCKET) {
    if (ss_map_cell(it->map)->size != it->size) return changed(it);
    if (it->next.index != SS_NO_BUCKET && entry_of(it, &it->next) == NULL) return changed(it);
    it->remaining--;
    it->current = it->next;
    settle_next(it);
  }
  out->type_index = kTVMFFIBool;
  out->zero_padding = 0;
  out->v_int64 = it->current.index != SS_NO_BUCKET;
  return 0;
}

static int read_entry(const Iterator* it, int64_t what, TVMFFIAny* out) {
  if (it->current.index == SS_NO_BUCKET)
    return ss_raise("IndexError", "the iteration is at its end: there is no entry");
  SsEntry* entry = entry_of(it, &it->current);
  if (entry == NULL) return changed(it);
  return TVMFFIAnyViewToOwnedAny(what == 0 ? &entry->key : &entry->value, out);
}

static int check_arguments(const TVMFFIAny* args, int32_t n) {
  static const char signature[] = "(0: int) -> Any";
  if (n != 1) {
    return ss_raise("TypeError", "Mismatched number of arguments when calling: `%s`. Expected 1 but got %d arguments",
                    signature, n);
  }
  if (!ss_check_ptr(args, "an iterator", "args")) return -1;
  if (args->type_index == kTVMFFIInt || args->type_index == kTVMFFIBool) return 0;
  const SsType* type = ss_type_at(args->type_index);
  return ss_raise("TypeError", "Mismatched type on argument #0 when calling: `%s`. Expected `int` but got `%s`",
                  signature, type == NULL ? "unregistered type" : type->info.type_key.data);
}

static int call(void* handle, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  Iterator* it = handle;
  if (!ss_check_ptr(result, "an iterator", "result") || check_arguments(args, n) != 0) return -1;
  int64_t what = args->v_int64;
  // Usually detects two threads on one iterator, without the price of an atomic exchange. When it does not, they may
  // skip entries, but every index is checked before it is used, so they read no other memory.
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
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) ss_xdecref(((Iterator*)self)->map);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) SelfsameObjectFree(self);
}

int ss_map_iterator(TVMFFIObject* map, TVMFFIObjectHandle* out) {
  Iterator* it = ss_object_space(sizeof(Iterator), _Alignof(Iterator), kTVMFFIFunction);
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
