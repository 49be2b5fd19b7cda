// The builtin functions over Array, List and Shape: see builtins_fast.h. Their signatures: builtins_array.go,
// builtins_list.go, builtins_shape.go.
#include "builtins_fast_call.h"
#include "collections/map_key.h"

static TVMFFISeqCell* seq_of(const TVMFFIAny* sequence) { return (TVMFFISeqCell*)(void*)(sequence->v_obj + 1); }

static TVMFFIAny* items_of(const TVMFFISeqCell* cell) { return cell->data; }

// Whether the arguments are those of a call on a container of this type, followed by integers.
static int is_call_with_ints(int32_t type_index, const TVMFFIAny* args, int32_t num_args, int32_t n, int32_t ints,
                             const TVMFFIAny* result) {
  if (!ss_is_call_of(type_index, args, num_args, n, result)) return 0;
  for (int32_t i = 1; i <= ints; i++) {
    if (args[i].type_index != kTVMFFIInt) return 0;
  }
  return 1;
}

// Returns 1 when the second argument is an index that an element of the first has, or one where an element is inserted;
// else 0, with an error raised.
static int check_index(const TVMFFIAny* args) {
  int64_t i = args[1].v_int64, n = seq_of(args)->size;
  if (i >= 0 && i < n) return 1;
  ss_raise("IndexError", "Index %lld out of bounds %lld", (long long)i, (long long)n);
  return 0;
}

static int check_insertion(const TVMFFIAny* args) {
  int64_t i = args[1].v_int64, n = seq_of(args)->size;
  if (i >= 0 && i <= n) return 1;
  ss_raise("IndexError", "Index %lld out of bounds [0, %lld]", (long long)i, (long long)n);
  return 0;
}

// Returns whether the second and third argument are a range of elements of the first; an empty one is anywhere. 0:
// raised.
static int check_range(const TVMFFIAny* args) {
  int64_t start = args[1].v_int64, stop = args[2].v_int64, n = seq_of(args)->size;
  if (start == stop || (start >= 0 && start < stop && stop <= n)) return 1;
  ss_raise("IndexError", "Erase range [%lld, %lld) out of bounds %lld", (long long)start, (long long)stop,
           (long long)n);
  return 0;
}

// ---- reading -----------------------------------------------------------------------------------------------

static int get_item(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!is_call_with_ints(type_index, args, num_args, 2, 1, result)) SS_FALL_BACK_TO_GO();
  if (!check_index(args)) return -1;
  return TVMFFIAnyViewToOwnedAny(items_of(seq_of(args)) + args[1].v_int64, result);
}

static int size_of(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!ss_is_call_of(type_index, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  return ss_return_int(result, seq_of(args)->size);
}

// Whether a sequence has an element that equals the key: 1 or 0, or -1 raised. A hook may change a List, so size and
// elements are read again after each comparison, and the one that is compared is kept.
static int find(const TVMFFISeqCell* cell, const SsKey* key) {
  int equal = 0;
  for (int64_t i = 0; i < cell->size && equal == 0; i++) {
    TVMFFIAny item = items_of(cell)[i];
    int keep = key->is_hooked && item.type_index >= kTVMFFIStaticObjectBegin;
    if (keep) ss_incref(item.v_obj);
    equal = ss_key_equal(key, &item);
    if (keep) ss_any_clear(&item);
  }
  return equal;
}

static int contains(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  SsKey key;
  TVMFFIAny owned;
  if (!ss_is_call_of(type_index, args, num_args, 2, result)) SS_FALL_BACK_TO_GO();
  if (ss_key_begin(&args[1], NULL, &key, &owned) != 0) return -1;
  int found = find(seq_of(args), &key);
  ss_any_clear(&owned);
  return found < 0 ? -1 : ss_return_bool(result, found);
}

SS_FAST(array_get_item) { return get_item(kTVMFFIArray, self, args, num_args, result); }
SS_FAST(list_get_item) { return get_item(kTVMFFIList, self, args, num_args, result); }
SS_FAST(array_size) { return size_of(kTVMFFIArray, self, args, num_args, result); }
SS_FAST(list_size) { return size_of(kTVMFFIList, self, args, num_args, result); }
SS_FAST(array_contains) { return contains(kTVMFFIArray, self, args, num_args, result); }
SS_FAST(list_contains) { return contains(kTVMFFIList, self, args, num_args, result); }

// ---- making ------------------------------------------------------------------------------------------------

SS_FAST(array) {
  if (!ss_is_packed_call(args, num_args, result)) SS_FALL_BACK_TO_GO();
  TVMFFIObjectHandle made = NULL;
  if (SelfsameArrayCreate(args, num_args, &made) != 0) return -1;
  return ss_return_object(result, made);
}

SS_FAST(list) {
  if (!ss_is_packed_call(args, num_args, result)) SS_FALL_BACK_TO_GO();
  TVMFFIObject* made = ss_list_new(num_args);
  if (made == NULL) return -1;
  TVMFFISeqCell* cell = (TVMFFISeqCell*)(made + 1);
  for (int32_t i = 0; i < num_args; i++) {
    if (TVMFFIAnyViewToOwnedAny(&args[i], items_of(cell) + i) != 0) {
      ss_xdecref(made);
      return -1;
    }
    cell->size = i + 1;
  }
  return ss_return_object(result, made);
}

SS_FAST(shape) {
  if (!ss_is_packed_call(args, num_args, result)) SS_FALL_BACK_TO_GO();
  for (int32_t i = 0; i < num_args; i++) {
    if (args[i].type_index != kTVMFFIInt) SS_FALL_BACK_TO_GO();
  }
  int64_t* dimensions = NULL;
  TVMFFIObject* made = ss_shape_new(num_args, &dimensions);
  if (made == NULL) return -1;
  for (int32_t i = 0; i < num_args; i++) dimensions[i] = args[i].v_int64;
  return ss_return_object(result, made);
}

// ---- changing ----------------------------------------------------------------------------------------------

SS_FAST(list_set_item) {
  if (!is_call_with_ints(kTVMFFIList, args, num_args, 3, 1, result)) SS_FALL_BACK_TO_GO();
  TVMFFIAny value;
  if (!check_index(args) || TVMFFIAnyViewToOwnedAny(&args[2], &value) != 0) return -1;
  TVMFFIAny* item = items_of(seq_of(args)) + args[1].v_int64;
  TVMFFIAny old = *item;
  *item = value;
  ss_any_clear(&old);
  return ss_return_none(result);
}

static int replace(const TVMFFIAny* args, int64_t start, int64_t stop, const TVMFFIAny* views, int64_t n,
                   TVMFFIAny* result) {
  if (ss_list_replace(seq_of(args), start, stop, views, n) != 0) return -1;
  return ss_return_none(result);
}

SS_FAST(list_append) {
  if (!ss_is_call_of(kTVMFFIList, args, num_args, 2, result)) SS_FALL_BACK_TO_GO();
  TVMFFIAny value;
  if (TVMFFIAnyViewToOwnedAny(&args[1], &value) != 0 || ss_sequence_append(args[0].v_obj, value) != 0) return -1;
  return ss_return_none(result);
}

SS_FAST(list_insert) {
  if (!is_call_with_ints(kTVMFFIList, args, num_args, 3, 1, result)) SS_FALL_BACK_TO_GO();
  if (!check_insertion(args)) return -1;
  return replace(args, args[1].v_int64, args[1].v_int64, &args[2], 1, result);
}

SS_FAST(list_pop) {
  if (!is_call_with_ints(kTVMFFIList, args, num_args, 2, 1, result)) SS_FALL_BACK_TO_GO();
  if (!check_index(args)) return -1;
  *result = ss_list_take(seq_of(args), args[1].v_int64);
  return 0;
}

SS_FAST(list_erase) {
  if (!is_call_with_ints(kTVMFFIList, args, num_args, 2, 1, result)) SS_FALL_BACK_TO_GO();
  if (!check_index(args)) return -1;
  TVMFFIAny gone = ss_list_take(seq_of(args), args[1].v_int64);
  ss_any_clear(&gone);
  return ss_return_none(result);
}

SS_FAST(list_erase_range) {
  if (!is_call_with_ints(kTVMFFIList, args, num_args, 3, 2, result)) SS_FALL_BACK_TO_GO();
  if (!check_range(args)) return -1;
  if (args[1].v_int64 == args[2].v_int64) return ss_return_none(result);
  return replace(args, args[1].v_int64, args[2].v_int64, NULL, 0, result);
}

SS_FAST(list_replace_slice) {
  if (!is_call_with_ints(kTVMFFIList, args, num_args, 4, 2, result)) SS_FALL_BACK_TO_GO();
  if (!ss_is_object(&args[3], kTVMFFIArray) && !ss_is_object(&args[3], kTVMFFIList)) SS_FALL_BACK_TO_GO();
  if (!check_range(args)) return -1;
  const TVMFFISeqCell* by = seq_of(&args[3]);
  if (args[1].v_int64 == args[2].v_int64) {
    if (by->size == 0) return ss_return_none(result);
    if (!check_insertion(args)) return -1;
  }
  return replace(args, args[1].v_int64, args[2].v_int64, items_of(by), by->size, result);
}

SS_FAST(list_reverse) {
  if (!ss_is_call_of(kTVMFFIList, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  const TVMFFISeqCell* cell = seq_of(args);
  TVMFFIAny* items = items_of(cell);
  for (int64_t i = 0, j = cell->size - 1; i < j; i++, j--) {
    TVMFFIAny item = items[i];
    items[i] = items[j];
    items[j] = item;
  }
  return ss_return_none(result);
}

SS_FAST(list_clear) {
  if (!ss_is_call_of(kTVMFFIList, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  return ss_list_clear(seq_of(args)) != 0 ? -1 : ss_return_none(result);
}

SS_FAST(list_reserve) {
  if (!is_call_with_ints(kTVMFFIList, args, num_args, 2, 1, result)) SS_FALL_BACK_TO_GO();
  return ss_list_reserve(seq_of(args), args[1].v_int64) != 0 ? -1 : ss_return_none(result);
}

// ---- searching for devices ---------------------------------------------------------------------------------

typedef enum { ON_CPU, NOT_ON_CPU, CONTAINER } Placement;

// Where a value lies; *device is the device of a tensor.
static Placement device_of(const TVMFFIAny* value, DLDevice* device) {
  switch (value->type_index) {
    case kTVMFFITensor:
      *device = ((const DLTensor*)(const void*)(value->v_obj + 1))->device;
      return device->device_type == kDLCPU ? ON_CPU : NOT_ON_CPU;
    case kTVMFFIArray:
    case kTVMFFIList:
    case kTVMFFIMap:
    case kTVMFFIDict:
      return CONTAINER;
    default:
      return ON_CPU;
  }
}

// The device of the first tensor that is not on the CPU, in a sequence whose elements are no containers.
SS_FAST(first_non_cpu_device) {
  static const DLDevice cpu = {kDLCPU, 0};
  if (!ss_is_call(args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  if (!ss_is_object(args, kTVMFFIArray) && !ss_is_object(args, kTVMFFIList)) SS_FALL_BACK_TO_GO();
  const TVMFFISeqCell* cell = seq_of(args);
  DLDevice device;
  Placement where = ON_CPU;
  for (int64_t i = 0; i < cell->size && where == ON_CPU; i++) where = device_of(&items_of(cell)[i], &device);
  if (where == CONTAINER) SS_FALL_BACK_TO_GO();
  ss_set_bits(result, kTVMFFIDevice, 0);
  result->v_device = where == NOT_ON_CPU ? device : cpu;
  return 0;
}

const SsFastEntry ss_fast_sequences[] = {
    {"ffi.Array", array},
    {"ffi.ArrayGetItem", array_get_item},
    {"ffi.ArraySize", array_size},
    {"ffi.ArrayContains", array_contains},
    {"ffi.List", list},
    {"ffi.ListGetItem", list_get_item},
    {"ffi.ListSetItem", list_set_item},
    {"ffi.ListSize", list_size},
    {"ffi.ListContains", list_contains},
    {"ffi.ListAppend", list_append},
    {"ffi.ListInsert", list_insert},
    {"ffi.ListPop", list_pop},
    {"ffi.ListErase", list_erase},
    {"ffi.ListEraseRange", list_erase_range},
    {"ffi.ListReplaceSlice", list_replace_slice},
    {"ffi.ListReverse", list_reverse},
    {"ffi.ListClear", list_clear},
    {"ffi.ListReserve", list_reserve},
    {"ffi.Shape", shape},
    {"ffi.ContainerFindFirstNonCPUDevice", first_non_cpu_device},
    {NULL, NULL},
};
