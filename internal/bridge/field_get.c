// The getters of fields, one per C type that a field may have. Callers pass the field's address; *result becomes an
// owned value.
#include <stdio.h>

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

// Makes *result a BigInt. No function that every runtime library has makes one; the reader of JSON graphs does.
static int get_big(uint64_t value, TVMFFIAny* result) {
  static const TVMFFIByteArray reader = {"ffi.FromJSONGraphString", sizeof("ffi.FromJSONGraphString") - 1};
  char text[96];
  snprintf(text, sizeof(text), "{\"root_index\":0,\"nodes\":[{\"type\":\"ffi.BigInt\",\"data\":\"%llu\"}]}",
           (unsigned long long)value);
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&reader, &function) != 0) return -1;
  if (function == NULL) return ss_bridge_raise("RuntimeError", "selfsame: the runtime has no function %s", reader.data);
  TVMFFIAny argument = {.type_index = kTVMFFIRawStr, .v_c_str = text};
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  int rc = TVMFFIFunctionCall(function, &argument, 1, result);
  TVMFFIObjectDecRef(function);
  return rc == 0 ? 0 : -1;
}

static int get_u64(void* field, TVMFFIAny* result) {
  uint64_t value = *(const uint64_t*)field;
  if (value > INT64_MAX) return get_big(value, result);
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

static const TVMFFIFieldGetter getters[] = {
    [SS_KIND_ANY] = get_value,     [SS_KIND_I8] = get_i8,           [SS_KIND_I16] = get_i16,
    [SS_KIND_I32] = get_i32,       [SS_KIND_I64] = get_i64,         [SS_KIND_U8] = get_u8,
    [SS_KIND_U16] = get_u16,       [SS_KIND_U32] = get_u32,         [SS_KIND_U64] = get_u64,
    [SS_KIND_F32] = get_f32,       [SS_KIND_F64] = get_f64,         [SS_KIND_BOOL] = get_bool,
    [SS_KIND_STRING] = get_value,  [SS_KIND_BYTES] = get_value,     [SS_KIND_OBJECT] = get_object,
    [SS_KIND_ARRAY] = get_object,  [SS_KIND_OPTIONAL] = get_object, [SS_KIND_LIST] = get_object,
    [SS_KIND_MAP] = get_object,    [SS_KIND_DICT] = get_object,     [SS_KIND_DTYPE] = get_dtype,
    [SS_KIND_DEVICE] = get_device, [SS_KIND_POINTER] = get_pointer, [SS_KIND_VALUE] = get_value,
    [SS_KIND_TUPLE] = get_object};
_Static_assert(sizeof(getters) / sizeof(getters[0]) == SS_KIND_TUPLE + 1, "each kind has a getter");

TVMFFIFieldGetter ss_bridge_getter(const SsType* type) { return getters[type->kind]; }
