// Fast paths of the builtin functions over Array, List and Shape. Go implementation: builtins_array.go,
// builtins_list.go, builtins_shape.go.
#include <string.h>

#include "builtins_fast_call.h"
#include "map_key.h"

static TVMFFISeqCell* seq_of(const TVMFFIAny* sequence) { return (TVMFFISeqCell*)(void*)(sequence->v_obj + 1); }

static TVMFFIAny* items_of(const TVMFFISeqCell* cell) { return cell->data; }

// Whether the second argument is the index of an element of the first.
static int has_index(const TVMFFIAny* args) {
  return args[1].type_index == kTVMFFIInt && args[1].v_int64 >= 0 && args[1].v_int64 < seq_of(args)->size;
}

// ---- reading -----------------------------------------------------------------------------------------------

static int get_item(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!ss_is_call_of(type_index, args, num_args, 2, result) || !has_index(args)) SS_FALL_BACK_TO_GO();
  return TVMFFIAnyViewToOwnedAny(items_of(seq_of(args)) + args[1].v_int64, result);
}

static int size_of(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!ss_is_call_of(type_index, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  return ss_return_int(result, seq_of(args)->size);
}

// Serves keys that are compared without running code of a class (ss_key_make).
static int contains(int32_t type_index, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  SsPlainKey key;
  if (!ss_is_call_of(type_index, args, num_args, 2, result) || !ss_key_make(&args[1], &key)) SS_FALL_BACK_TO_GO();
  const TVMFFISeqCell* cell = seq_of(args);
  const TVMFFIAny* items = items_of(cell);
  int found = 0;
  for (int64_t i = 0; i < cell->size && !found; i++) found = ss_key_equal(&key, &items[i]);
  return ss_return_bool(result, found);
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
  if (!ss_is_call_of(kTVMFFIList, args, num_args, 3, result) || !has_index(args)) SS_FALL_BACK_TO_GO();
  TVMFFIAny value;
  if (TVMFFIAnyViewToOwnedAny(&args[2], &value) != 0) return -1;
  TVMFFIAny* item = items_of(seq_of(args)) + args[1].v_int64;
  TVMFFIAny old = *item;
  *item = value;
  ss_any_clear(&old);
  return ss_return_none(result);
}

// Inserts a value before the element at index `at`.
static int insert(TVMFFISeqCell* list, int64_t at, const TVMFFIAny* view, TVMFFIAny* result) {
  TVMFFIAny value;
  if (TVMFFIAnyViewToOwnedAny(view, &value) != 0) return -1;
  if (ss_list_make_room(list) != 0) {
    ss_any_clear(&value);
    return -1;
  }
  TVMFFIAny* items = items_of(list);
  memmove(&items[at + 1], &items[at], (size_t)(list->size - at) * sizeof(TVMFFIAny));
  items[at] = value;
  list->size++;
  return ss_return_none(result);
}

SS_FAST(list_append) {
  if (!ss_is_call_of(kTVMFFIList, args, num_args, 2, result)) SS_FALL_BACK_TO_GO();
  TVMFFISeqCell* cell = seq_of(args);
  return insert(cell, cell->size, &args[1], result);
}

SS_FAST(list_insert) {
  if (!ss_is_call_of(kTVMFFIList, args, num_args, 3, result) || args[1].type_index != kTVMFFIInt) SS_FALL_BACK_TO_GO();
  TVMFFISeqCell* cell = seq_of(args);
  if (args[1].v_int64 < 0 || args[1].v_int64 > cell->size) SS_FALL_BACK_TO_GO();
  return insert(cell, args[1].v_int64, &args[2], result);
}

// Removes an element and returns it; the caller owns it.
static TVMFFIAny take(TVMFFISeqCell* cell, int64_t at) {
  TVMFFIAny* items = items_of(cell);
  TVMFFIAny taken = items[at];
  cell->size--;
  memmove(&items[at], &items[at + 1], (size_t)(cell->size - at) * sizeof(TVMFFIAny));
  return taken;
}

SS_FAST(list_pop) {
  if (!ss_is_call_of(kTVMFFIList, args, num_args, 2, result) || !has_index(args)) SS_FALL_BACK_TO_GO();
  *result = take(seq_of(args), args[1].v_int64);
  return 0;
}

SS_FAST(list_erase) {
  if (!ss_is_call_of(kTVMFFIList, args, num_args, 2, result) || !has_index(args)) SS_FALL_BACK_TO_GO();
  TVMFFIAny gone = take(seq_of(args), args[1].v_int64);
  ss_any_clear(&gone);
  return ss_return_none(result);
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
    {"ffi.ListReverse", list_reverse},
    {"ffi.Shape", shape},
    {"ffi.ContainerFindFirstNonCPUDevice", first_non_cpu_device},
    {NULL, NULL},
};
