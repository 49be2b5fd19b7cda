// Conversion of borrowed views to owned values of a declared type: scalars, texts and objects here, one function per
// kind; the other kinds in convert_container.c and convert_plain.c. The functions return what ss_bridge_convert
// returns.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge.h"

// A view of the object that an ObjectRValueRef refers to. None when its reference was taken.
static TVMFFIAny referred(const TVMFFIAny* rvalue) {
  TVMFFIObject* object = *(TVMFFIObject**)rvalue->v_ptr;
  if (object == NULL) return (TVMFFIAny){.type_index = kTVMFFINone};
  return (TVMFFIAny){.type_index = object->type_index, .v_obj = object};
}

int ss_bridge_other_type(const TVMFFIAny* value, char* text, size_t text_size) {
  snprintf(text, text_size, "%s", ss_bridge_type_key(value));
  return 1;
}

static int to_any(const TVMFFIAny* value, TVMFFIAny* owned) {
  return TVMFFIAnyViewToOwnedAny(value, owned) == 0 ? 0 : -1;
}

typedef struct {
  int64_t low, high;  // both within the range
  const char* name;   // with the range, for messages; static
} IntegerRange;

// By kind, from SS_KIND_I8 on. A uint64 above INT64_MAX is a BigInt.
static const IntegerRange ranges[] = {{INT8_MIN, INT8_MAX, "int8 (-128 to 127)"},
                                      {INT16_MIN, INT16_MAX, "int16 (-32768 to 32767)"},
                                      {INT32_MIN, INT32_MAX, "int32 (-2147483648 to 2147483647)"},
                                      {INT64_MIN, INT64_MAX, "int64 (-9223372036854775808 to 9223372036854775807)"},
                                      {0, UINT8_MAX, "uint8 (0 to 255)"},
                                      {0, UINT16_MAX, "uint16 (0 to 65535)"},
                                      {0, UINT32_MAX, "uint32 (0 to 4294967295)"},
                                      {0, INT64_MAX, "uint64 (0 to 18446744073709551615)"}};
_Static_assert(SS_KIND_U64 - SS_KIND_I8 == 7, "ranges has one element per integer kind");

uint64_t ss_bridge_low_word(const TVMFFIObject* big_int) {
  return *(const uint64_t*)((const TVMFFIBigIntCell*)(big_int + 1) + 1);
}

// A BigInt, which fits into no integer but uint64: of two words, of which the upper one is 0.
static int from_big_int(const TVMFFIAny* value, const IntegerRange* range, TVMFFIAny* owned) {
  const TVMFFIBigIntCell* cell = (const TVMFFIBigIntCell*)(value->v_obj + 1);
  const int64_t* words = (const int64_t*)(cell + 1);
  if (range != &ranges[SS_KIND_U64 - SS_KIND_I8] || cell->size != 2 || words[1] != 0) {
    return ss_bridge_raise("OverflowError", "An integer of more than 64 bits, %s, does not fit in %s",
                           words[cell->size - 1] < 0 ? "below -2**63" : "at least 2**63", range->name);
  }
  TVMFFIObjectIncRef(value->v_obj);
  *owned = *value;
  return 0;
}

static int to_integer(const TVMFFIAny* value, const IntegerRange* range, TVMFFIAny* owned, char* text,
                      size_t text_size) {
  if (value->type_index == kTVMFFIBigInt) return from_big_int(value, range, owned);
  if (value->type_index != kTVMFFIInt && value->type_index != kTVMFFIBool) {
    return ss_bridge_other_type(value, text, text_size);
  }
  if (value->v_int64 < range->low || value->v_int64 > range->high) {
    return ss_bridge_raise("OverflowError", "Integer value %lld does not fit in %s", (long long)value->v_int64,
                           range->name);
  }
  *owned = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = value->v_int64};
  return 0;
}

// The double that is nearest to a BigInt; infinite when there is none.
static double nearest(const TVMFFIObject* big_int) {
  const TVMFFIBigIntCell* cell = (const TVMFFIBigIntCell*)(big_int + 1);
  const int64_t* words = (const int64_t*)(cell + 1);
  int negative = words[cell->size - 1] < 0;
  uint64_t carry = 1, before = 0, lower = 0;  // of the magnitude: the word before, and the bits of those below it
  uint64_t top = 0, second = 0, rest = 0;     // its highest word that is not 0, the next one, the bits of the others
  int at = 0;                                 // the number of the highest word
  for (int i = 0; i < (int)cell->size; i++) {
    uint64_t word = (uint64_t)words[i];
    if (negative) {
      word = ~word + carry;
      carry = carry && word == 0;
    }
    if (word != 0) {
      top = word;
      second = before;
      rest = lower;
      at = i;
    }
    lower |= before;
    before = word;
  }
  int shift = __builtin_clzll(top);
  uint64_t digits = shift == 0 ? top : top << shift | second >> (64 - shift);
  if ((second << shift | rest) != 0) digits |= 1;  // decides how the conversion rounds
  double magnitude = ldexp((double)digits, 64 * at - shift);
  return negative ? -magnitude : magnitude;
}

static int to_float(const TVMFFIAny* value, TVMFFIAny* owned, char* text, size_t text_size) {
  *owned = (TVMFFIAny){.type_index = kTVMFFIFloat};
  if (value->type_index == kTVMFFIFloat) {
    owned->v_float64 = value->v_float64;
  } else if (value->type_index == kTVMFFIInt || value->type_index == kTVMFFIBool) {
    owned->v_float64 = (double)value->v_int64;
  } else if (value->type_index == kTVMFFIBigInt) {
    owned->v_float64 = nearest(value->v_obj);
    if (isinf(owned->v_float64)) {
      return ss_bridge_raise("OverflowError", "An integer of %zu words of 64 bits does not fit in float64",
                             (size_t)((const TVMFFIBigIntCell*)(value->v_obj + 1))->size);
    }
  } else {
    return ss_bridge_other_type(value, text, text_size);
  }
  return 0;
}

static int to_float32(const TVMFFIAny* value, TVMFFIAny* owned, char* text, size_t text_size) {
  int rc = to_float(value, owned, text, text_size);
  if (rc != 0) return rc;
  if (isfinite(owned->v_float64) && isinf((float)owned->v_float64)) {
    return ss_bridge_raise("OverflowError", "Float value %.17g does not fit in float32", owned->v_float64);
  }
  return 0;
}

static int to_bool(const TVMFFIAny* value, TVMFFIAny* owned, char* text, size_t text_size) {
  if (value->type_index != kTVMFFIInt && value->type_index != kTVMFFIBool) {
    return ss_bridge_other_type(value, text, text_size);
  }
  *owned = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = value->v_int64 != 0};
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

static int to_string(const TVMFFIAny* value, TVMFFIAny* owned, char* text, size_t text_size) {
  TVMFFIByteArray bytes;
  switch (value->type_index) {
    case kTVMFFISmallStr:
      bytes = (TVMFFIByteArray){value->v_bytes, value->small_str_len};
      break;
    case kTVMFFIStr:
      bytes = *(const TVMFFIByteArray*)(value->v_obj + 1);
      break;
    case kTVMFFIRawStr:
      if (value->v_c_str == NULL) return ss_bridge_raise("ValueError", "A `const char*` is NULL");
      bytes = (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
      break;
    default:
      return ss_bridge_other_type(value, text, text_size);
  }
  if (!is_utf8((const unsigned char*)bytes.data, bytes.size))
    return ss_bridge_raise("ValueError", "The string is not UTF-8");
  return TVMFFIAnyViewToOwnedAny(value, owned) == 0 ? 0 : -1;
}

static int to_bytes(const TVMFFIAny* value, TVMFFIAny* owned, char* text, size_t text_size) {
  switch (value->type_index) {
    case kTVMFFISmallBytes:
    case kTVMFFIBytes:
      break;
    case kTVMFFIByteArrayPtr: {
      const TVMFFIByteArray* given = value->v_ptr;
      if (given == NULL || (given->data == NULL && given->size != 0)) {
        return ss_bridge_raise("ValueError", "A `TVMFFIByteArray*` is NULL or has no data");
      }
      break;
    }
    default:
      return ss_bridge_other_type(value, text, text_size);
  }
  return TVMFFIAnyViewToOwnedAny(value, owned) == 0 ? 0 : -1;
}

// Whether an object with that type index is of the class or of one derived from it.
static int is_instance(int32_t type_index, const SsClass* wanted) {
  int32_t index = __atomic_load_n(&wanted->type_index, __ATOMIC_ACQUIRE);
  if (type_index < kTVMFFIStaticObjectBegin || index < 0) return 0;
  if (type_index == index || index == kTVMFFIObject) return 1;
  if (type_index < index) return 0;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  return info != NULL && info->type_depth > wanted->depth && info->type_ancestors[wanted->depth]->type_index == index;
}

static int to_object(const TVMFFIAny* value, const SsClass* wanted, TVMFFIAny* owned, char* text, size_t text_size) {
  if (!is_instance(value->type_index, wanted)) return ss_bridge_other_type(value, text, text_size);
  TVMFFIObjectIncRef(value->v_obj);
  *owned = *value;
  return 0;
}

static int to_optional(const TVMFFIAny* value, const SsType* type, TVMFFIAny* owned, char* text, size_t text_size) {
  if (value->type_index != kTVMFFINone) return ss_bridge_convert(value, type->inner, owned, text, text_size);
  *owned = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

static int convert_value(const TVMFFIAny* value, const SsType* type, TVMFFIAny* owned, char* text, size_t text_size) {
  switch (type->kind) {
    case SS_KIND_ANY:
      return to_any(value, owned);
    case SS_KIND_I8:
    case SS_KIND_I16:
    case SS_KIND_I32:
    case SS_KIND_I64:
    case SS_KIND_U8:
    case SS_KIND_U16:
    case SS_KIND_U32:
    case SS_KIND_U64:
      return to_integer(value, &ranges[type->kind - SS_KIND_I8], owned, text, text_size);
    case SS_KIND_F32:
      return to_float32(value, owned, text, text_size);
    case SS_KIND_F64:
      return to_float(value, owned, text, text_size);
    case SS_KIND_BOOL:
      return to_bool(value, owned, text, text_size);
    case SS_KIND_STRING:
      return to_string(value, owned, text, text_size);
    case SS_KIND_BYTES:
      return to_bytes(value, owned, text, text_size);
    case SS_KIND_OBJECT:
      return to_object(value, type->class_info, owned, text, text_size);
    case SS_KIND_OPTIONAL:
      return to_optional(value, type, owned, text, text_size);
    case SS_KIND_VALUE:
      return ss_bridge_convert(value, type->inner, owned, text, text_size);
    case SS_KIND_ARRAY:
    case SS_KIND_LIST:
    case SS_KIND_TUPLE:
      return ss_bridge_convert_sequence(value, type, owned, text, text_size);
    case SS_KIND_MAP:
    case SS_KIND_DICT:
      return ss_bridge_convert_map(value, type, owned, text, text_size);
    case SS_KIND_DTYPE:
    case SS_KIND_DEVICE:
    case SS_KIND_POINTER:
      return ss_bridge_convert_plain(value, type, owned, text, text_size);
  }
  return ss_bridge_raise("InternalError", "selfsame: a field has the unknown kind %d", (int)type->kind);
}

int ss_bridge_convert(const TVMFFIAny* view, const SsType* type, TVMFFIAny* owned, char* text, size_t text_size) {
  if (view->type_index != kTVMFFIObjectRValueRef) return convert_value(view, type, owned, text, text_size);
  TVMFFIAny value = referred(view);
  if (value.type_index == kTVMFFINone) return ss_bridge_raise("ValueError", "The object was moved already");
  int rc = convert_value(&value, type, owned, text, text_size);
  if (rc == 0) {  // an ObjectRValueRef lets its receiver take the reference
    *(TVMFFIObject**)view->v_ptr = NULL;
    TVMFFIObjectDecRef(value.v_obj);
  }
  return rc;
}

int ss_bridge_convert_from_go(const TVMFFIAny* view, const SsType* type, TVMFFIAny* owned, char* text, size_t text_size,
                              TVMFFIObjectHandle* error) {
  TVMFFIAny value = {.type_index = kTVMFFINone};
  int rc = ss_bridge_convert(view, type, &value, text, text_size);
  if (rc == 0) *owned = value;
  return rc < 0 ? ss_bridge_fail(error) : rc;
}
