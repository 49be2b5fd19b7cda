// Builtin functions that other languages call once per element: served here when the arguments are as they should be,
// and left to Go, which knows what to say, when they are not.
#include "fast.h"

#include <string.h>

#include "closure.h"
#include "containers.h"

static const TVMFFISeqCell* seq_of(const TVMFFIAny* sequence) {
  return (const TVMFFISeqCell*)(const void*)(sequence->v_obj + 1);
}

// The function was called as it should be: with `n` arguments, the first a sequence of that type, and an empty result.
static int is_call_of(int32_t type_index, const TVMFFIAny* args, int32_t num_args, int32_t n, const TVMFFIAny* result) {
  return num_args == n && result != NULL && result->type_index < kTVMFFIStaticObjectBegin && args != NULL &&
         args[0].type_index == type_index && args[0].v_obj != NULL;
}

static int set_int(TVMFFIAny* result, int64_t value) {
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = value;
  return 0;
}

static int get_item(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!is_call_of(type_index, args, num_args, 2, result) || args[1].type_index != kTVMFFIInt) {
    return ss_closure_call(self, args, num_args, result);
  }
  const TVMFFISeqCell* cell = seq_of(args);
  int64_t i = args[1].v_int64;
  if (i < 0 || i >= cell->size) return ss_closure_call(self, args, num_args, result);
  return TVMFFIAnyViewToOwnedAny((const TVMFFIAny*)cell->data + i, result);
}

static int size_of(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!is_call_of(type_index, args, num_args, 1, result)) return ss_closure_call(self, args, num_args, result);
  return set_int(result, seq_of(args)->size);
}

static int array_get_item(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return get_item(kTVMFFIArray, self, args, num_args, result);
}

static int list_get_item(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return get_item(kTVMFFIList, self, args, num_args, result);
}

static int array_size(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return size_of(kTVMFFIArray, self, args, num_args, result);
}

static int list_size(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return size_of(kTVMFFIList, self, args, num_args, result);
}

static int array(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 0 || (num_args > 0 && args == NULL) || result == NULL ||
      result->type_index >= kTVMFFIStaticObjectBegin) {
    return ss_closure_call(self, args, num_args, result);
  }
  TVMFFIObjectHandle made = NULL;
  if (SelfsameArrayCreate(args, num_args, &made) != 0) return -1;
  ss_set_object(result, made);
  return 0;
}

static int list(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 0 || (num_args > 0 && args == NULL) || result == NULL ||
      result->type_index >= kTVMFFIStaticObjectBegin) {
    return ss_closure_call(self, args, num_args, result);
  }
  TVMFFIObject* made = ss_list_new(num_args);
  if (made == NULL) return -1;
  TVMFFISeqCell* cell = (TVMFFISeqCell*)(made + 1);
  for (int32_t i = 0; i < num_args; i++) {
    if (TVMFFIAnyViewToOwnedAny(&args[i], (TVMFFIAny*)cell->data + i) != 0) {
      ss_dec_ref(made);
      return -1;
    }
    cell->size = i + 1;
  }
  ss_set_object(result, made);
  return 0;
}

// ---- lists that have room, maps and plain keys -----------------------------------------------------------

static int list_append(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!is_call_of(kTVMFFIList, args, num_args, 2, result)) return ss_closure_call(self, args, num_args, result);
  TVMFFISeqCell* cell = (TVMFFISeqCell*)seq_of(args);
  if (cell->size >= cell->capacity) return ss_closure_call(self, args, num_args, result);
  if (TVMFFIAnyViewToOwnedAny(&args[1], (TVMFFIAny*)cell->data + cell->size) != 0) return -1;
  cell->size++;
  ss_set_none(result);
  return 0;
}

static int map_size(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!is_call_of(type_index, args, num_args, 1, result)) return ss_closure_call(self, args, num_args, result);
  return set_int(result, (int64_t)ss_hash_cell_of(args[0].v_obj)->size);
}

static int map_get(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const ss_pair* pair = NULL;
  if (!is_call_of(type_index, args, num_args, 2, result) || !ss_hash_find(args[0].v_obj, &args[1], &pair) ||
      pair == NULL) {
    return ss_closure_call(self, args, num_args, result);
  }
  return TVMFFIAnyViewToOwnedAny(&pair->value, result);
}

static int map_count(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const ss_pair* pair = NULL;
  if (!is_call_of(type_index, args, num_args, 2, result) || !ss_hash_find(args[0].v_obj, &args[1], &pair)) {
    return ss_closure_call(self, args, num_args, result);
  }
  return set_int(result, pair != NULL);
}

static int dict_set(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!is_call_of(kTVMFFIDict, args, num_args, 3, result)) return ss_closure_call(self, args, num_args, result);
  int rc = ss_hash_set(args[0].v_obj, &args[1], &args[2]);
  if (rc == 0) return ss_closure_call(self, args, num_args, result);
  if (rc < 0) return -1;
  ss_set_none(result);
  return 0;
}

#define MAP_AND_DICT(function)                                                                            \
  static int function##_of_map(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {  \
    return function(kTVMFFIMap, self, args, num_args, result);                                            \
  }                                                                                                       \
  static int function##_of_dict(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) { \
    return function(kTVMFFIDict, self, args, num_args, result);                                           \
  }

MAP_AND_DICT(map_size)
MAP_AND_DICT(map_get)
MAP_AND_DICT(map_count)

static const struct {
  const char* name;
  TVMFFISafeCallType call;
} functions[] = {
    {"ffi.Array", array},
    {"ffi.ArrayGetItem", array_get_item},
    {"ffi.ArraySize", array_size},
    {"ffi.List", list},
    {"ffi.ListGetItem", list_get_item},
    {"ffi.ListSize", list_size},
    {"ffi.ListAppend", list_append},
    {"ffi.MapSize", map_size_of_map},
    {"ffi.MapGetItem", map_get_of_map},
    {"ffi.MapGetItemOrMissing", map_get_of_map},
    {"ffi.MapCount", map_count_of_map},
    {"ffi.DictSetItem", dict_set},
    {"ffi.DictSize", map_size_of_dict},
    {"ffi.DictGetItem", map_get_of_dict},
    {"ffi.DictGetItemOrMissing", map_get_of_dict},
    {"ffi.DictCount", map_count_of_dict},
};

TVMFFISafeCallType ss_fast_function(const char* name, size_t size) {
  for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
    if (strlen(functions[i].name) == size && memcmp(functions[i].name, name, size) == 0) return functions[i].call;
  }
  return NULL;
}
