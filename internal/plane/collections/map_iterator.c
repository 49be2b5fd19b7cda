// The iterator Function of a Map or Dict: f(0) is the current key, f(1) the current value, any other argument advances
// and tells whether there is an entry.
//
// The Function retains the container. selfsame/internal/map_cursor.h says how a change of the container affects it.
#include "core/alloc.h"
#include "map.h"
#include "core/raise.h"
#include "selfsame/internal/map_cursor.h"
#include "selfsame/internal/values.h"
#include "selfsame/selfsame.h"
#include "core/type_table.h"
#include "core/teardown.h"

typedef struct {
  TVMFFIObject header;      // a Function, which gets itself as the first argument
  TVMFFIFunctionCell cell;  // how the Function is called: advance()
  TVMFFIObject* map;        // owned
  SsMapCursor cursor;       // the present entry and the next one
  char busy;                // set while a thread is in advance()
} Iterator;

static int changed(const Iterator* it) {
  return ss_raise("RuntimeError", "%s changed during iteration", it->map->type_index == kTVMFFIDict ? "Dict" : "Map");
}

static int advance(Iterator* it, TVMFFIAny* out) {
  if (ss_map_cursor_advance(&it->cursor, ss_map_cell(it->map)) != 0) return changed(it);
  out->type_index = kTVMFFIBool;
  out->zero_padding = 0;
  out->v_int64 = !ss_map_cursor_at_end(&it->cursor);
  return 0;
}

static int read_entry(const Iterator* it, int64_t what, TVMFFIAny* out) {
  if (ss_map_cursor_at_end(&it->cursor))
    return ss_raise("IndexError", "the iteration is at its end: there is no entry");
  const SsEntry* entry = ss_map_cursor_entry(&it->cursor, ss_map_cell(it->map));
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

static void release_map(void* self) { ss_xdecref(((Iterator*)self)->map); }

static void delete_iterator(void* self, int flags) { ss_delete_owner(self, flags, delete_iterator, release_map); }

int ss_map_iterator(TVMFFIObject* map, TVMFFIObjectHandle* out) {
  Iterator* it = ss_object_space(sizeof(Iterator), _Alignof(Iterator), kTVMFFIFunction);
  if (it == NULL) return -1;
  it->cell.safe_call = call;
  it->cell.cpp_call = NULL;
  it->map = map;
  it->busy = 0;
  ss_map_cursor_begin(&it->cursor, ss_map_cell(map));
  ss_incref(map);
  ss_object_init(it, kTVMFFIFunction, delete_iterator);
  *out = it;
  return 0;
}
