// TVMFFIDataTypeToString.
#include <stdio.h>
#include <string.h>

#include "any.h"
#include "dtype.h"
#include "core/raise.h"
#include "core/reflected_object.h"
#include "selfsame/internal/values.h"

// Appends bits, unless the name implies them, and lanes to a name in `text`, which has room for them. Returns the new
// size.
static size_t append_numbers(DLDataType t, char* text, size_t size) {
  static const size_t room = sizeof("255xvscalex32768");
  if (t.code == kDLOpaqueHandle) return size;
  if (t.code < kDLFloat8_e3m4 && !(t.code == kDLBool && t.bits == 8)) {
    size += (size_t)snprintf(text + size, room, "%d", t.bits);
  }
  int lanes = (int16_t)t.lanes;
  if (lanes > 1) size += (size_t)snprintf(text + size, room, "x%d", lanes);
  if (lanes < -1) size += (size_t)snprintf(text + size, room, "xvscalex%d", -lanes);
  return size;
}

// A type that the program registered: custom[<name>].
static int print_custom(DLDataType t, TVMFFIAny* out) {
  TVMFFIAny argument = {.type_index = kTVMFFIInt, .v_int64 = t.code};
  TVMFFIAny answer;
  if (ss_dtype_ask("dtype.get_custom_type_name", &argument, &answer) != 0) return -1;
  TVMFFIByteArray name;
  int rc = 0;
  if ((answer.type_index == kTVMFFISmallStr || answer.type_index == kTVMFFIStr) && ss_any_bytes(&answer, &name)) {
    char tail[40] = "]";
    size_t tail_size = append_numbers(t, tail, 1);
    TVMFFIByteArray parts[] = {{"custom[", 7}, name, {tail, tail_size}};
    rc = ss_string_concat(parts, 3, out);
  } else {
    rc = ss_raise_cannot_convert(&answer, "str");
  }
  ss_any_clear(&answer);
  return rc;
}

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  static const char function[] = "TVMFFIDataTypeToString";
  if (!ss_check_ptr(out, function, "out")) return -1;
  DLDataType t = {0, 0, 0};
  if (dtype != NULL) t = *dtype;  // read before out is written: they may overlap
  ss_set_none(out);
  if (!ss_check_ptr(dtype, function, "dtype")) return -1;
  if (t.code >= SS_DTYPE_CUSTOM_BEGIN) return print_custom(t, out);
  char text[64] = "";
  size_t size = 0;
  if (t.code != kDLOpaqueHandle || t.bits != 0 || t.lanes != 0) {
    const SsDtypeName* name = ss_dtype_names;
    while (name->name != NULL && name->code != t.code) name++;
    if (name->name == NULL) return ss_raise("ValueError", "DLDataType contains unknown type_code=%d", t.code);
    size = name->size;
    memcpy(text, name->name, size);
    size = append_numbers(t, text, size);
  }
  TVMFFIByteArray whole = {text, size};
  return ss_string_concat(&whole, 1, out);
}
