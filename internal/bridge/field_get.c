// Getters: one per kind of storage. The runtime calls them with the field's address.
#include "bridge.h"

#define GET_NUMBER(name, c_type, index, member)           \
  static int get_##name(void* field, TVMFFIAny* result) { \
    result->type_index = (index);                         \
    result->zero_padding = 0;                             \
    result->member = *(const c_type*)field;               \
    return 0;                                             \
  }

GET_NUMBER(i8, int8_t, kTVMFFIInt, v_int64)  // NOLINT(bugprone-signed-char-misuse): a number, not a character
GET_NUMBER(i16, int16_t, kTVMFFIInt, v_int64)
GET_NUMBER(i32, int32_t, kTVMFFIInt, v_int64)
GET_NUMBER(i64, int64_t, kTVMFFIInt, v_int64)
GET_NUMBER(u8, uint8_t, kTVMFFIInt, v_int64)
GET_NUMBER(u16, uint16_t, kTVMFFIInt, v_int64)
GET_NUMBER(u32, uint32_t, kTVMFFIInt, v_int64)
GET_NUMBER(f32, float, kTVMFFIFloat, v_float64)
GET_NUMBER(f64, double, kTVMFFIFloat, v_float64)

static int get_u64(void* field, TVMFFIAny* result) {
  uint64_t value = *(const uint64_t*)field;
  if (value > INT64_MAX) {
    return ss_front_raise("OverflowError",
                          "Integer value %llu is too large to fit in int64_t. Consider explicitly casting to int64_t "
                          "first if this is intentional.",
                          (unsigned long long)value);
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = (int64_t)value};
  return 0;
}

static int get_bool(void* field, TVMFFIAny* result) {
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = *(const uint8_t*)field != 0};
  return 0;
}

static int get_dtype(void* field, TVMFFIAny* result) {
  *result = (TVMFFIAny){.type_index = kTVMFFIDataType};
  result->v_dtype = *(const DLDataType*)field;
  return 0;
}

static int get_device(void* field, TVMFFIAny* result) {
  *result = (TVMFFIAny){.type_index = kTVMFFIDevice, .v_device = *(const DLDevice*)field};
  return 0;
}

static int get_pointer(void* field, TVMFFIAny* result) {
  *result = (TVMFFIAny){.type_index = kTVMFFIOpaquePtr, .v_ptr = *(void* const*)field};
  return 0;
}

static int get_value(void* field, TVMFFIAny* result) {
  const TVMFFIAny* value = field;
  if (value->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectIncRef(value->v_obj);
  *result = *value;
  return 0;
}

static int get_object(void* field, TVMFFIAny* result) {
  TVMFFIObject* object = *(TVMFFIObject* const*)field;
  if (object == NULL) {
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return 0;
  }
  TVMFFIObjectIncRef(object);
  *result = (TVMFFIAny){.type_index = object->type_index, .v_obj = object};
  return 0;
}

TVMFFIFieldGetter ss_front_getter(const ss_front_type* type) {
  switch (type->kind) {
    case SS_FRONT_I8:
      return get_i8;
    case SS_FRONT_I16:
      return get_i16;
    case SS_FRONT_I32:
      return get_i32;
    case SS_FRONT_I64:
      return get_i64;
    case SS_FRONT_U8:
      return get_u8;
    case SS_FRONT_U16:
      return get_u16;
    case SS_FRONT_U32:
      return get_u32;
    case SS_FRONT_U64:
      return get_u64;
    case SS_FRONT_F32:
      return get_f32;
    case SS_FRONT_F64:
      return get_f64;
    case SS_FRONT_BOOL:
      return get_bool;
    case SS_FRONT_ANY:
    case SS_FRONT_VALUE:
    case SS_FRONT_STRING:
    case SS_FRONT_BYTES:
      return get_value;
    case SS_FRONT_OBJECT:
    case SS_FRONT_ARRAY:
    case SS_FRONT_LIST:
    case SS_FRONT_TUPLE:
    case SS_FRONT_MAP:
    case SS_FRONT_DICT:
    case SS_FRONT_OPTIONAL:
      return get_object;
    case SS_FRONT_DTYPE:
      return get_dtype;
    case SS_FRONT_DEVICE:
      return get_device;
    case SS_FRONT_POINTER:
      return get_pointer;
  }
  return NULL;
}
