// Setters. The ABI calls a setter with the field's address and the value only, so each field gets a numbered C function
// that knows its field; when those are used up, a Function that holds it.
#include <string.h>

#include "bridge.h"
#include "numbered_functions.h"

static void store(void* field, ss_front_kind kind, TVMFFIAny value) {
  switch (kind) {
    case SS_FRONT_I8:
    case SS_FRONT_U8:
      *(uint8_t*)field = (uint8_t)value.v_uint64;
      break;
    case SS_FRONT_I16:
    case SS_FRONT_U16:
      *(uint16_t*)field = (uint16_t)value.v_uint64;
      break;
    case SS_FRONT_I32:
    case SS_FRONT_U32:
      *(uint32_t*)field = (uint32_t)value.v_uint64;
      break;
    case SS_FRONT_I64:
    case SS_FRONT_U64:
      *(uint64_t*)field = value.v_uint64;
      break;
    case SS_FRONT_F32:
      *(float*)field = (float)value.v_float64;
      break;
    case SS_FRONT_F64:
      *(double*)field = value.v_float64;
      break;
    case SS_FRONT_BOOL:
      *(uint8_t*)field = value.v_int64 != 0;
      break;
    case SS_FRONT_ANY:
    case SS_FRONT_VALUE:
    case SS_FRONT_STRING:
    case SS_FRONT_BYTES: {
      TVMFFIAny old = *(TVMFFIAny*)field;
      *(TVMFFIAny*)field = value;
      ss_front_release_value(&old);  // last: a deleter may look at the field
      break;
    }
    case SS_FRONT_DTYPE:
      *(DLDataType*)field = value.v_dtype;
      break;
    case SS_FRONT_DEVICE:
      *(DLDevice*)field = value.v_device;
      break;
    case SS_FRONT_POINTER:
      *(void**)field = value.v_ptr;
      break;
    case SS_FRONT_OBJECT:
    case SS_FRONT_ARRAY:
    case SS_FRONT_LIST:
    case SS_FRONT_TUPLE:
    case SS_FRONT_MAP:
    case SS_FRONT_DICT:
    case SS_FRONT_OPTIONAL: {
      TVMFFIObjectHandle old = *(TVMFFIObjectHandle*)field;
      *(TVMFFIObjectHandle*)field = value.type_index == kTVMFFINone ? NULL : value.v_obj;
      TVMFFIObjectDecRef(old);
      break;
    }
  }
}

// Says which field a conversion error is about. A new error with the same kind takes the place of the raised one.
static int name_field(const ss_front_field* field) {
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  if (raised == NULL) return -1;
  const TVMFFIErrorCell* cell = (const TVMFFIErrorCell*)((TVMFFIObject*)raised + 1);
  char kind[64] = {0};
  if (cell->kind.size < sizeof(kind)) memcpy(kind, cell->kind.data, cell->kind.size);
  ss_front_raise(kind, "%s (field `%s`)", cell->message.data, field->where);
  TVMFFIObjectDecRef(raised);
  return -1;
}

static int set_field(void* address, const TVMFFIAny* value, const ss_front_field* field) {
  if (address == NULL || value == NULL) {
    return ss_front_raise("ValueError", "Field `%s` was set through a NULL pointer", field->where);
  }
  char got[384];
  TVMFFIAny owned;
  int rc = ss_front_convert(value, field->type, &owned, got, sizeof(got));
  if (rc == 1) {
    return ss_front_raise("TypeError", "Cannot convert from type `%s` to `%s` (field `%s`)", got, field->type->name,
                          field->where);
  }
  if (rc != 0) return name_field(field);
  store(address, field->type->kind, owned);
  return 0;
}

static const ss_front_field* slots[1024];
static uint32_t num_slots;

#define SETTER(n) \
  static int set_##n(void* address, const TVMFFIAny* value) { return set_field(address, value, slots[n]); }
SS_FRONT_SLOTS_256(SETTER, 0x0)
SS_FRONT_SLOTS_256(SETTER, 0x1)
SS_FRONT_SLOTS_256(SETTER, 0x2)
SS_FRONT_SLOTS_256(SETTER, 0x3)

#define SETTER_NAME(n) set_##n,
static const TVMFFIFieldSetter setters[1024] = {SS_FRONT_SLOTS_256(SETTER_NAME, 0x0) SS_FRONT_SLOTS_256(
    SETTER_NAME, 0x1) SS_FRONT_SLOTS_256(SETTER_NAME, 0x2) SS_FRONT_SLOTS_256(SETTER_NAME, 0x3)};

// The setter as a Function of (address of the field, value).
static int set_by_function(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const ss_front_field* field = self;
  if (num_args != 2 || args[0].type_index != kTVMFFIOpaquePtr) {
    return ss_front_raise("TypeError", "The setter of field `%s` takes the field's address and a value", field->where);
  }
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return set_field(args[0].v_ptr, &args[1], field);
}

int ss_front_register_field(int32_t type_index, TVMFFIFieldInfo* info, const ss_front_field* field,
                            TVMFFIObjectHandle* error) {
  info->getter = ss_front_getter(field->type);
  TVMFFIObjectHandle function = NULL;
  uint32_t n = __atomic_load_n(&num_slots, __ATOMIC_RELAXED);
  while (n < sizeof(slots) / sizeof(slots[0]) &&
         !__atomic_compare_exchange_n(&num_slots, &n, n + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  if (n < sizeof(slots) / sizeof(slots[0])) {
    slots[n] = field;
    info->setter = (void*)setters[n];
  } else {
    if (TVMFFIFunctionCreate((void*)field, set_by_function, NULL, &function) != 0) return ss_front_fail(error);
    info->setter = function;
    info->flags |= kTVMFFIFieldFlagBitSetterIsFunctionObj;
  }
  int rc = TVMFFITypeRegisterField(type_index, info);
  if (rc != 0) ss_front_fail(error);
  TVMFFIObjectDecRef(function);
  return rc == 0 ? 0 : -1;
}
