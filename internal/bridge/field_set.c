// The setters of fields. The ABI passes a setter only the field's address and the value, so each field gets a C
// function of its own, whose number is the index of its SsField. Fields beyond the 1024th get a Function that keeps the
// SsField.
#include "bridge.h"
#include "numbered_functions.h"

// The old value is released after the store, because its deleter may read the field.
static void store_value(TVMFFIAny* field, TVMFFIAny value) {
  TVMFFIAny old = *field;
  *field = value;
  ss_bridge_release_value(&old);
}

static void store_object(TVMFFIObjectHandle* field, TVMFFIObjectHandle object) {
  TVMFFIObjectHandle old = *field;
  *field = object;
  TVMFFIObjectDecRef(old);
}

// Stores an owned value of the kind in the field's memory, and releases what the field owned.
static void store(void* field, SsKind kind, TVMFFIAny value) {
  switch (kind) {
    case SS_KIND_I8:
    case SS_KIND_U8:
      *(uint8_t*)field = (uint8_t)value.v_uint64;
      break;
    case SS_KIND_I16:
    case SS_KIND_U16:
      *(uint16_t*)field = (uint16_t)value.v_uint64;
      break;
    case SS_KIND_I32:
    case SS_KIND_U32:
      *(uint32_t*)field = (uint32_t)value.v_uint64;
      break;
    case SS_KIND_I64:
      *(uint64_t*)field = value.v_uint64;
      break;
    case SS_KIND_U64:
      *(uint64_t*)field = value.type_index == kTVMFFIBigInt ? ss_bridge_low_word(value.v_obj) : value.v_uint64;
      ss_bridge_release_value(&value);
      break;
    case SS_KIND_F32:
      *(float*)field = (float)value.v_float64;
      break;
    case SS_KIND_F64:
      *(double*)field = value.v_float64;
      break;
    case SS_KIND_BOOL:
      *(uint8_t*)field = value.v_int64 != 0;
      break;
    case SS_KIND_ANY:
    case SS_KIND_VALUE:
    case SS_KIND_STRING:
    case SS_KIND_BYTES:
      store_value(field, value);
      break;
    case SS_KIND_DTYPE:
      *(DLDataType*)field = value.v_dtype;
      break;
    case SS_KIND_DEVICE:
      *(DLDevice*)field = value.v_device;
      break;
    case SS_KIND_POINTER:
      *(void**)field = value.v_ptr;
      break;
    case SS_KIND_OBJECT:
    case SS_KIND_ARRAY:
    case SS_KIND_LIST:
    case SS_KIND_TUPLE:
    case SS_KIND_MAP:
    case SS_KIND_DICT:
    case SS_KIND_OPTIONAL:
      store_object(field, value.type_index == kTVMFFINone ? NULL : value.v_obj);
      break;
  }
}

// Replaces the raised error by one of the same kind whose message names the field. Returns -1.
static int add_field_name(const SsField* field) {
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  if (raised == NULL) return -1;
  const TVMFFIErrorCell* cell = (const TVMFFIErrorCell*)((TVMFFIObject*)raised + 1);
  ss_bridge_raise(cell->kind.data, "%s (field `%s`)", cell->message.data, field->where);
  TVMFFIObjectDecRef(raised);
  return -1;
}

static int set_field(void* address, const TVMFFIAny* value, const SsField* field) {
  if (address == NULL || value == NULL) {
    return ss_bridge_raise("ValueError", "selfsame: field `%s` was set through a NULL pointer", field->where);
  }
  char got[384];
  TVMFFIAny owned;
  int rc = ss_bridge_convert(value, field->type, &owned, got, sizeof(got));
  if (rc == 1) {
    return ss_bridge_raise("TypeError", "Cannot convert from type `%s` to `%s` (field `%s`)", got, field->type->name,
                           field->where);
  }
  if (rc != 0) return add_field_name(field);
  store(address, field->type->kind, owned);
  return 0;
}

enum { NUM_SETTERS = SS_NUMBERED_COUNT(1024) };

// The field of each numbered setter in use. RegisterField writes an element before the runtime knows the setter.
static const SsField* fields[1024];
static uint32_t num_fields;

static int set_numbered(void* address, const TVMFFIAny* value, uint32_t n) SS_NUMBERED_TARGET(ss_bridge_set_numbered);
static int set_numbered(void* address, const TVMFFIAny* value, uint32_t n) {
  return set_field(address, value, fields[n]);
}
SS_NUMBERED_ENTRIES(ss_bridge_setters, 1024, 2, ss_bridge_set_numbered);

// The setter as a Function with the arguments address of the field, value.
static int set_by_function(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const SsField* field = self;
  if (num_args != 2 || args[0].type_index != kTVMFFIOpaquePtr) {
    return ss_bridge_raise("TypeError", "selfsame: the setter of field `%s` takes the field's address and a value",
                           field->where);
  }
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return set_field(args[0].v_ptr, &args[1], field);
}

// Takes the number of a setter that no field uses. NUM_SETTERS when all are in use.
static uint32_t take_number(void) {
  uint32_t n = __atomic_load_n(&num_fields, __ATOMIC_RELAXED);
  while (n < NUM_SETTERS &&
         !__atomic_compare_exchange_n(&num_fields, &n, n + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return n;
}

int ss_bridge_register_field(int32_t type_index, TVMFFIFieldInfo* info, const SsField* field,
                             TVMFFIObjectHandle* error) {
  info->getter = ss_bridge_getter(field->type);
  TVMFFIObjectHandle function = NULL;
  uint32_t n = take_number();
  if (n < NUM_SETTERS) {
    fields[n] = field;
    info->setter = SS_NUMBERED_ENTRY(ss_bridge_setters, n);
  } else {
    if (TVMFFIFunctionCreate((void*)field, set_by_function, NULL, &function) != 0) return ss_bridge_fail(error);
    info->setter = function;
    info->flags |= kTVMFFIFieldFlagBitSetterIsFunctionObj;
  }
  int rc = TVMFFITypeRegisterField(type_index, info);
  if (rc != 0) ss_bridge_fail(error);
  TVMFFIObjectDecRef(function);
  return rc == 0 ? 0 : -1;
}
