// Conversion to data types and devices, which may be given as text, and to pointers.
#include <stdio.h>
#include <string.h>

#include "bridge.h"
#include "device_names.h"

// Whether the value is a text (String, Bytes, `const char*`), and *out, which borrows it.
static int text_of(const TVMFFIAny* value, TVMFFIByteArray* out) {
  switch (value->type_index) {
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      *out = (TVMFFIByteArray){value->v_bytes, value->small_str_len};
      return 1;
    case kTVMFFIStr:
    case kTVMFFIBytes:
      *out = *(const TVMFFIByteArray*)(value->v_obj + 1);
      return 1;
    case kTVMFFIRawStr:
      if (value->v_c_str == NULL) return 0;
      *out = (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
      return 1;
    default:
      return 0;
  }
}

// Parses `name` or `name:index`. 0, or -1 when the text is neither.
static int parse_device(const TVMFFIByteArray* text, DLDevice* out) {
  const char* colon = memchr(text->data, ':', text->size);
  size_t size = colon == NULL ? text->size : (size_t)(colon - text->data);
  int64_t id = 0;
  if (colon != NULL) {
    const char* end = text->data + text->size;
    if (colon + 1 == end || end - colon > 11) return -1;
    for (const char* p = colon + 1; p < end; p++) {
      if (*p < '0' || *p > '9') return -1;
      id = id * 10 + (*p - '0');
    }
    if (id > INT32_MAX) return -1;
  }
  for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
    if (strlen(devices[i].name) == size && memcmp(devices[i].name, text->data, size) == 0) {
      *out = (DLDevice){devices[i].type, (int32_t)id};
      return 0;
    }
  }
  return -1;
}

static int to_dtype(const TVMFFIAny* value, TVMFFIAny* owned, char* text, size_t text_size) {
  TVMFFIByteArray given;
  *owned = (TVMFFIAny){.type_index = kTVMFFIDataType};
  if (value->type_index == kTVMFFIDataType) {
    owned->v_dtype = value->v_dtype;
    return 0;
  }
  if (!text_of(value, &given)) return ss_bridge_other_type(value, text, text_size);
  return TVMFFIDataTypeFromString(&given, &owned->v_dtype);
}

static int to_device(const TVMFFIAny* value, TVMFFIAny* owned, char* text, size_t text_size) {
  TVMFFIByteArray given;
  *owned = (TVMFFIAny){.type_index = kTVMFFIDevice};
  if (value->type_index == kTVMFFIDevice) {
    owned->v_device = value->v_device;
    return 0;
  }
  if (!text_of(value, &given)) return ss_bridge_other_type(value, text, text_size);
  if (parse_device(&given, &owned->v_device) == 0) return 0;
  return ss_bridge_raise("ValueError", "`%.*s` is not a device: `cpu`, `cuda:1` and the like", (int)given.size,
                         given.data);
}

static int to_pointer(const TVMFFIAny* value, TVMFFIAny* owned, char* text, size_t text_size) {
  if (value->type_index != kTVMFFIOpaquePtr && value->type_index != kTVMFFINone) {
    return ss_bridge_other_type(value, text, text_size);
  }
  *owned = (TVMFFIAny){.type_index = kTVMFFIOpaquePtr};
  if (value->type_index == kTVMFFIOpaquePtr) owned->v_ptr = value->v_ptr;
  return 0;
}

int ss_bridge_convert_plain(const TVMFFIAny* value, const SsType* type, TVMFFIAny* owned, char* text,
                            size_t text_size) {
  if (type->kind == SS_KIND_DTYPE) return to_dtype(value, owned, text, text_size);
  if (type->kind == SS_KIND_DEVICE) return to_device(value, owned, text, text_size);
  return to_pointer(value, owned, text, text_size);
}

int ss_bridge_convert_plain_from_go(SsKind kind, const TVMFFIAny* value, TVMFFIAny* owned, TVMFFIObjectHandle* error) {
  SsType type = {.kind = kind};
  char text[8];
  TVMFFIAny result = {.type_index = kTVMFFINone};
  int rc = ss_bridge_convert_plain(value, &type, &result, text, sizeof(text));
  if (rc == 0) *owned = result;
  return rc < 0 ? ss_bridge_fail(error) : rc;
}

int ss_bridge_dtype_text(DLDataType dtype, TVMFFIAny* out, TVMFFIObjectHandle* error) {
  TVMFFIAny text = {.type_index = kTVMFFINone};
  if (TVMFFIDataTypeToString(&dtype, &text) != 0) return ss_bridge_fail(error);
  *out = text;
  return 0;
}
