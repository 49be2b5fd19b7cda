// The builtin functions over Map and Dict: see builtins_fast.h. Their signatures: builtins_map.go.
#include "builtins_fast.h"
#include "builtins_fast_call.h"

static TVMFFIObject* missing;  // the sentinel for a missing key: borrowed, for the life of the process

void ss_fast_set_missing(void* sentinel) { missing = sentinel; }

static int make(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!ss_is_packed_call(args, num_args, result)) SS_FALL_BACK_TO_GO();
  if (num_args % 2 != 0) return ss_raise("InternalError", "Check failed: args.size() %% 2 == 0 (1 vs. 0) : ");
  TVMFFIObjectHandle made = NULL;
  return ss_map_build(type_index, args, num_args / 2, &made) != 0 ? -1 : ss_return_object(result, made);
}

static int size_of(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!ss_is_call_of(type_index, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  return ss_return_int(result, (int64_t)ss_map_cell(args[0].v_obj)->size);
}

static int get(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const SsEntry* entry = NULL;
  if (!ss_is_call_of(type_index, args, num_args, 2, result)) SS_FALL_BACK_TO_GO();
  if (ss_map_find(args[0].v_obj, &args[1], &entry) != 0) return -1;
  if (entry == NULL) return ss_raise("KeyError", "key is not in Map");
  return TVMFFIAnyViewToOwnedAny(&entry->value, result);
}

static int get_or_missing(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const SsEntry* entry = NULL;
  if (!ss_is_call_of(type_index, args, num_args, 2, result) || missing == NULL) SS_FALL_BACK_TO_GO();
  if (ss_map_find(args[0].v_obj, &args[1], &entry) != 0) return -1;
  if (entry != NULL) return TVMFFIAnyViewToOwnedAny(&entry->value, result);
  ss_incref(missing);
  return ss_return_object(result, missing);
}

static int count(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const SsEntry* entry = NULL;
  if (!ss_is_call_of(type_index, args, num_args, 2, result)) SS_FALL_BACK_TO_GO();
  return ss_map_find(args[0].v_obj, &args[1], &entry) != 0 ? -1 : ss_return_int(result, entry != NULL);
}

static int iterate(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!ss_is_call_of(type_index, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  TVMFFIObjectHandle made = NULL;
  if (ss_map_iterator(args[0].v_obj, &made) != 0) return -1;
  return ss_return_object(result, made);
}

#define MAP_AND_DICT(function)                                                           \
  SS_FAST(function##_map) { return function(kTVMFFIMap, self, args, num_args, result); } \
  SS_FAST(function##_dict) { return function(kTVMFFIDict, self, args, num_args, result); }

MAP_AND_DICT(make)
MAP_AND_DICT(size_of)
MAP_AND_DICT(get)
MAP_AND_DICT(get_or_missing)
MAP_AND_DICT(count)
MAP_AND_DICT(iterate)

SS_FAST(dict_set) {
  if (!ss_is_call_of(kTVMFFIDict, args, num_args, 3, result)) SS_FALL_BACK_TO_GO();
  return ss_map_set(args[0].v_obj, &args[1], &args[2]) != 0 ? -1 : ss_return_none(result);
}

SS_FAST(dict_erase) {
  if (!ss_is_call_of(kTVMFFIDict, args, num_args, 2, result)) SS_FALL_BACK_TO_GO();
  return ss_map_erase(args[0].v_obj, &args[1], NULL) != 0 ? -1 : ss_return_none(result);
}

SS_FAST(dict_clear) {
  if (!ss_is_call_of(kTVMFFIDict, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  return ss_map_clear(args[0].v_obj) != 0 ? -1 : ss_return_none(result);
}

SS_FAST(invalid_object) {
  if (!ss_is_call(args, num_args, 0, result) || missing == NULL) SS_FALL_BACK_TO_GO();
  ss_incref(missing);
  return ss_return_object(result, missing);
}

const SsFastEntry ss_fast_maps[] = {
    {"ffi.Map", make_map},
    {"ffi.MapSize", size_of_map},
    {"ffi.MapGetItem", get_map},
    {"ffi.MapGetItemOrMissing", get_or_missing_map},
    {"ffi.MapCount", count_map},
    {"ffi.MapForwardIterFunctor", iterate_map},
    {"ffi.Dict", make_dict},
    {"ffi.DictSize", size_of_dict},
    {"ffi.DictGetItem", get_dict},
    {"ffi.DictGetItemOrMissing", get_or_missing_dict},
    {"ffi.DictCount", count_dict},
    {"ffi.DictForwardIterFunctor", iterate_dict},
    {"ffi.DictSetItem", dict_set},
    {"ffi.DictErase", dict_erase},
    {"ffi.DictClear", dict_clear},
    {"ffi.GetInvalidObject", invalid_object},
    {NULL, NULL},
};
