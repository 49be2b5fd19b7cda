// Map and Dict with keys of any class: see map_any_key.h. A key that map_store.c refuses goes to the builtin function,
// and from there to package container, which has the rules for keys with hooks.
#include "map_any_key.h"

#include <stdlib.h>
#include <string.h>

#include "map.h"
#include "raise.h"
#include "selfsame/internal/map_cursor.h"
#include "selfsame/internal/values.h"
#include "walk.h"

static int call_builtin(const char* name, const TVMFFIAny* args, int64_t n, TVMFFIAny* result) {
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  ss_set_none(result);
  if (n > INT32_MAX) return ss_raise_no_memory("the elements of a container");
  if (TVMFFIFunctionGetGlobal(&text, &function) != 0) return -1;
  if (function == NULL) return ss_raise("RuntimeError", "there is no function `%s`", name);
  int rc = ss_function_call(function, args, (int32_t)n, result);
  ss_xdecref(function);
  return rc;
}

TVMFFIObject* ss_map_of_any(const TVMFFIAny* items, int64_t n) {
  TVMFFIObjectHandle made = NULL;
  int rc = ss_map_build(kTVMFFIMap, items, n / 2, &made);
  if (rc != 0) return rc < 0 ? NULL : made;
  TVMFFIAny result;
  if (call_builtin("ffi.Map", items, n, &result) != 0) return NULL;
  if (result.type_index == kTVMFFIMap) return result.v_obj;
  ss_any_clear(&result);
  ss_raise("TypeError", "the function `ffi.Map` returned no Map");
  return NULL;
}

int ss_dict_set_any(TVMFFIObject* dict, const TVMFFIAny* key, const TVMFFIAny* value) {
  int rc = ss_map_set(dict, key, value);
  if (rc != 0) return rc < 0 ? -1 : 0;
  TVMFFIAny args[3] = {{.type_index = kTVMFFINone}, *key, *value}, result;
  ss_set_object(&args[0], dict);
  rc = call_builtin("ffi.DictSetItem", args, 3, &result);
  ss_any_clear(&result);
  return rc;
}

int ss_dict_erase_any(TVMFFIObject* dict, const TVMFFIAny* key) {
  if (ss_map_erase(dict, key)) return 0;
  TVMFFIAny args[2] = {{.type_index = kTVMFFINone}, *key}, result;
  ss_set_object(&args[0], dict);
  int rc = call_builtin("ffi.DictErase", args, 2, &result);
  ss_any_clear(&result);
  return rc;
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
  for (int64_t i = 0; i < *count; i++) {
    if (items[i].type_index >= kTVMFFIStaticObjectBegin) ss_incref(items[i].v_obj);
  }
  return items;
}
