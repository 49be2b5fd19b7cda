// Conversion of containers: the given container if its kind and its elements have the declared types already, otherwise
// a new one with the converted elements.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "bridge.h"
#include "selfsame/internal/containers.h"

static int same_value(const TVMFFIAny* a, const TVMFFIAny* b) {
  return a->type_index == b->type_index && a->small_str_len == b->small_str_len && a->v_uint64 == b->v_uint64;
}

// Ends a conversion. If rc is 0, *owned becomes the given container (if `same`) or a new one of the n converted values.
// Releases the converted values and their memory in any case. Returns rc, or -1 if the new container failed.
static int finish(int rc, int same, const TVMFFIAny* value, int32_t type_index, TVMFFIAny* converted, int64_t n,
                  TVMFFIAny* owned) {
  TVMFFIObjectHandle result = NULL;
  if (rc == 0 && same) {
    result = value->v_obj;
    TVMFFIObjectIncRef(result);
  } else if (rc == 0) {
    rc = ss_bridge_new_container(type_index, converted, (int32_t)n, &result);
  }
  for (int64_t i = 0; i < n; i++) ss_bridge_release_value(&converted[i]);
  free(converted);
  if (rc == 0) *owned = (TVMFFIAny){.type_index = type_index, .v_obj = result};
  return rc;
}

// Memory for n converted values. NULL with the error raised.
static TVMFFIAny* values_new(int64_t n) {
  if (n > INT32_MAX) {
    ss_bridge_raise("ValueError", "selfsame: a container of %lld values is too large to convert", (long long)n);
    return NULL;
  }
  TVMFFIAny* values = calloc((size_t)(n > 0 ? n : 1), sizeof(TVMFFIAny));
  if (values == NULL) ss_bridge_raise("MemoryError", "selfsame: no memory to convert %lld values", (long long)n);
  return values;
}

int ss_bridge_convert_sequence(const TVMFFIAny* value, const SsType* type, TVMFFIAny* owned, char* text,
                               size_t text_size) {
  if (value->type_index != kTVMFFIArray && value->type_index != kTVMFFIList)
    return ss_bridge_other_type(value, text, text_size);
  int32_t wanted = type->kind == SS_KIND_LIST ? kTVMFFIList : kTVMFFIArray;
  const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(value->v_obj + 1);
  int64_t n = cell->size;
  const TVMFFIAny* elements = cell->data;
  if (type->kind == SS_KIND_TUPLE && n != type->num_parts) {
    snprintf(text, text_size, "Array[size=%lld]", (long long)n);
    return 1;
  }
  TVMFFIAny* converted = values_new(n);
  if (converted == NULL) return -1;
  int rc = 0;
  int same = value->type_index == wanted;
  int64_t done = 0;
  for (; rc == 0 && done < n; done++) {
    char inner[256];
    const SsType* part = type->kind == SS_KIND_TUPLE ? type->parts[done] : type->inner;
    rc = ss_bridge_convert(&elements[done], part, &converted[done], inner, sizeof(inner));
    if (rc == 1)
      snprintf(text, text_size, "%s[index %lld: %s]", wanted == kTVMFFIList ? "List" : "Array", (long long)done, inner);
    if (rc != 0) break;
    same = same && same_value(&elements[done], &converted[done]);
  }
  return finish(rc, same, value, wanted, converted, done, owned);
}

// ---- Map and Dict --------------------------------------------------------------------------------

// Writes where in the map a value of another type is: `Map[value at "key": ffi.String]`.
static void describe_entry(const char* kind, const char* what, const TVMFFIAny* key, const char* inner, char* text,
                           size_t text_size) {
  switch (key->type_index) {
    case kTVMFFISmallStr:
      snprintf(text, text_size, "%s[%s at \"%.*s\": %s]", kind, what, (int)key->small_str_len, key->v_bytes, inner);
      return;
    case kTVMFFIStr: {
      const TVMFFIByteArray* bytes = (const TVMFFIByteArray*)(key->v_obj + 1);
      int shown = bytes->size > 40 ? 40 : (int)bytes->size;
      while (bytes->size > 40 && shown > 0 && (bytes->data[shown] & 0xC0) == 0x80) shown--;  // not within a character
      snprintf(text, text_size, "%s[%s at \"%.*s\"%s: %s]", kind, what, shown, bytes->data,
               bytes->size > 40 ? "..." : "", inner);
      return;
    }
    case kTVMFFIInt:
      snprintf(text, text_size, "%s[%s at %lld: %s]", kind, what, (long long)key->v_int64, inner);
      return;
    default:
      snprintf(text, text_size, "%s[%s at a %s: %s]", kind, what, ss_bridge_type_key(key), inner);
  }
}

int ss_bridge_convert_map(const TVMFFIAny* value, const SsType* type, TVMFFIAny* owned, char* text, size_t text_size) {
  if (value->type_index != kTVMFFIMap && value->type_index != kTVMFFIDict)
    return ss_bridge_other_type(value, text, text_size);
  int32_t wanted = type->kind == SS_KIND_DICT ? kTVMFFIDict : kTVMFFIMap;
  const char* kind = wanted == kTVMFFIDict ? "Dict" : "Map";
  const SsMapCell* cell = ss_map_cell(value->v_obj);
  if (cell->size > INT32_MAX / 2)
    return ss_bridge_raise("ValueError", "selfsame: a map of %llu entries is too large to convert",
                           (unsigned long long)cell->size);
  int64_t n = (int64_t)cell->size;
  int small = ss_map_is_small(cell);
  TVMFFIAny* converted = values_new(2 * n);
  if (converted == NULL) return -1;
  int rc = 0;
  int same = value->type_index == wanted;
  int64_t done = 0;
  uint64_t bucket = small ? 0 : cell->head;
  for (int64_t i = 0; rc == 0 && i < n; i++) {
    const SsEntry* entry = small ? (const SsEntry*)cell->data + i : &ss_map_bucket(cell, bucket)->entry;
    if (!small) bucket = ss_map_bucket(cell, bucket)->next;
    char inner[256];
    rc = ss_bridge_convert(&entry->key, type->key, &converted[done], inner, sizeof(inner));
    if (rc == 1) describe_entry(kind, "key", &entry->key, inner, text, text_size);
    if (rc != 0) break;
    done++;
    rc = ss_bridge_convert(&entry->value, type->inner, &converted[done], inner, sizeof(inner));
    if (rc == 1) describe_entry(kind, "value", &entry->key, inner, text, text_size);
    if (rc != 0) break;
    done++;
    same = same && same_value(&entry->key, &converted[done - 2]) && same_value(&entry->value, &converted[done - 1]);
  }
  return finish(rc, same, value, wanted, converted, done, owned);
}
