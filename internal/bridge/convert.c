// Conversion of borrowed views to owned values of a declared type.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge.h"

// What a borrowed view of a moved reference stands for; *view otherwise.
static TVMFFIAny look_through(const TVMFFIAny* view) {
  if (view->type_index != kTVMFFIObjectRValueRef) return *view;
  TVMFFIObject* object = *(TVMFFIObject**)view->v_ptr;
  if (object == NULL) return (TVMFFIAny){.type_index = kTVMFFINone};
  return (TVMFFIAny){.type_index = object->type_index, .v_obj = object};
}

static int says(const TVMFFIAny* value, char* text, size_t text_size) {
  snprintf(text, text_size, "%s", ss_front_type_key(value));
  return 1;
}

static int integer(const TVMFFIAny* value, int64_t low, int64_t high, const char* name, TVMFFIAny* owned, char* text,
                   size_t text_size) {
  if (value->type_index != kTVMFFIInt && value->type_index != kTVMFFIBool) return says(value, text, text_size);
  if (value->v_int64 < low || value->v_int64 > high) {
    return ss_front_raise("OverflowError", "Integer value %lld does not fit in %s", (long long)value->v_int64, name);
  }
  *owned = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = value->v_int64};
  return 0;
}

static int number(const TVMFFIAny* value, TVMFFIAny* owned, char* text, size_t text_size) {
  *owned = (TVMFFIAny){.type_index = kTVMFFIFloat};
  if (value->type_index == kTVMFFIFloat) {
    owned->v_float64 = value->v_float64;
  } else if (value->type_index == kTVMFFIInt || value->type_index == kTVMFFIBool) {
    owned->v_float64 = (double)value->v_int64;
  } else {
    return says(value, text, text_size);
  }
  return 0;
}

// Whether the bytes are UTF-8: shortest forms only, no surrogates, nothing above U+10FFFF.
static int is_utf8(const unsigned char* p, size_t n) {
  size_t i = 0;
  while (i < n) {
    unsigned char c = p[i++];
    if (c < 0x80) continue;
    int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
    if (c < 0xC2 || c > 0xF4 || n - i < (size_t)more) return 0;
    unsigned char second = p[i];
    if ((c == 0xE0 && second < 0xA0) || (c == 0xED && second > 0x9F) || (c == 0xF0 && second < 0x90) ||
        (c == 0xF4 && second > 0x8F)) {
      return 0;
    }
    for (; more > 0; more--) {
      if ((p[i++] & 0xC0) != 0x80) return 0;
    }
  }
  return 1;
}

static int string(const TVMFFIAny* value, TVMFFIAny* owned, char* text, size_t text_size) {
  TVMFFIByteArray bytes;
  switch (value->type_index) {
    case kTVMFFISmallStr:
      bytes = (TVMFFIByteArray){value->v_bytes, value->small_str_len};
      break;
    case kTVMFFIStr:
      bytes = *(const TVMFFIByteArray*)(value->v_obj + 1);
      break;
    case kTVMFFIRawStr:
      if (value->v_c_str == NULL) return ss_front_raise("ValueError", "A `const char*` is NULL");
      bytes = (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
      break;
    default:
      return says(value, text, text_size);
  }
  if (!is_utf8((const unsigned char*)bytes.data, bytes.size))
    return ss_front_raise("ValueError", "The string is not UTF-8");
  return TVMFFIAnyViewToOwnedAny(value, owned) == 0 ? 0 : -1;
}

static int bytes(const TVMFFIAny* value, TVMFFIAny* owned, char* text, size_t text_size) {
  switch (value->type_index) {
    case kTVMFFISmallBytes:
    case kTVMFFIBytes:
      break;
    case kTVMFFIByteArrayPtr: {
      const TVMFFIByteArray* given = value->v_ptr;
      if (given == NULL || (given->data == NULL && given->size != 0)) {
        return ss_front_raise("ValueError", "A `TVMFFIByteArray*` is NULL or has no data");
      }
      break;
    }
    default:
      return says(value, text, text_size);
  }
  return TVMFFIAnyViewToOwnedAny(value, owned) == 0 ? 0 : -1;
}

static int is_instance(int32_t type_index, const ss_front_class* wanted) {
  int32_t index = __atomic_load_n(&wanted->type_index, __ATOMIC_ACQUIRE);
  if (type_index < kTVMFFIStaticObjectBegin || index < 0) return 0;
  if (type_index == index || index == kTVMFFIObject) return 1;
  if (type_index < index) return 0;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  return info != NULL && info->type_depth > wanted->depth && info->type_ancestors[wanted->depth]->type_index == index;
}

static int object(const TVMFFIAny* value, const ss_front_class* wanted, TVMFFIAny* owned, char* text,
                  size_t text_size) {
  if (!is_instance(value->type_index, wanted)) return says(value, text, text_size);
  TVMFFIObjectIncRef(value->v_obj);
  *owned = *value;
  return 0;
}

static int convert_value(const TVMFFIAny* value, const ss_front_type* type, TVMFFIAny* owned, char* text,
                         size_t text_size) {
  switch (type->kind) {
    case SS_FRONT_ANY:
      return TVMFFIAnyViewToOwnedAny(value, owned) == 0 ? 0 : -1;
    case SS_FRONT_I8:
      return integer(value, INT8_MIN, INT8_MAX, "int8", owned, text, text_size);
    case SS_FRONT_I16:
      return integer(value, INT16_MIN, INT16_MAX, "int16", owned, text, text_size);
    case SS_FRONT_I32:
      return integer(value, INT32_MIN, INT32_MAX, "int32", owned, text, text_size);
    case SS_FRONT_I64:
      return integer(value, INT64_MIN, INT64_MAX, "int64", owned, text, text_size);
    case SS_FRONT_U8:
      return integer(value, 0, UINT8_MAX, "uint8", owned, text, text_size);
    case SS_FRONT_U16:
      return integer(value, 0, UINT16_MAX, "uint16", owned, text, text_size);
    case SS_FRONT_U32:
      return integer(value, 0, UINT32_MAX, "uint32", owned, text, text_size);
    case SS_FRONT_U64:
      return integer(value, 0, INT64_MAX, "uint64", owned, text, text_size);
    case SS_FRONT_F32:
    case SS_FRONT_F64:
      return number(value, owned, text, text_size);
    case SS_FRONT_BOOL:
      if (value->type_index != kTVMFFIInt && value->type_index != kTVMFFIBool) return says(value, text, text_size);
      *owned = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = value->v_int64 != 0};
      return 0;
    case SS_FRONT_STRING:
      return string(value, owned, text, text_size);
    case SS_FRONT_BYTES:
      return bytes(value, owned, text, text_size);
    case SS_FRONT_OBJECT:
      return object(value, type->class_info, owned, text, text_size);
    case SS_FRONT_ARRAY:
    case SS_FRONT_LIST:
    case SS_FRONT_TUPLE:
      return ss_front_convert_sequence(value, type, owned, text, text_size);
    case SS_FRONT_MAP:
    case SS_FRONT_DICT:
      return ss_front_convert_map(value, type, owned, text, text_size);
    case SS_FRONT_VALUE:
      return ss_front_convert(value, type->inner, owned, text, text_size);
    case SS_FRONT_DTYPE:
    case SS_FRONT_DEVICE:
    case SS_FRONT_POINTER:
      return ss_front_convert_plain(value, type, owned, text, text_size);
    case SS_FRONT_OPTIONAL:
      if (value->type_index != kTVMFFINone) return ss_front_convert(value, type->inner, owned, text, text_size);
      *owned = (TVMFFIAny){.type_index = kTVMFFINone};
      return 0;
  }
  return ss_front_raise("InternalError", "A field has an unknown kind");
}

int ss_front_convert(const TVMFFIAny* view, const ss_front_type* type, TVMFFIAny* owned, char* text, size_t text_size) {
  if (view->type_index != kTVMFFIObjectRValueRef) return convert_value(view, type, owned, text, text_size);
  TVMFFIAny value = look_through(view);
  if (value.type_index == kTVMFFINone) return ss_front_raise("ValueError", "The object was moved already");
  int rc = convert_value(&value, type, owned, text, text_size);
  if (rc == 0) {  // the slot's reference was ours to take
    *(TVMFFIObject**)view->v_ptr = NULL;
    TVMFFIObjectDecRef(value.v_obj);
  }
  return rc;
}

int ss_front_convert_from_go(const TVMFFIAny* view, const ss_front_type* type, TVMFFIAny* owned, char* text,
                             size_t text_size, TVMFFIObjectHandle* error) {
  TVMFFIAny value = {.type_index = kTVMFFINone};
  int rc = ss_front_convert(view, type, &value, text, text_size);
  if (rc == 0) *owned = value;
  return rc < 0 ? ss_front_fail(error) : rc;
}
