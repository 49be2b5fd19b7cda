// String and Bytes: up to 7 bytes in the value itself, longer ones as an object with the bytes behind its header.
#include <string.h>

#include "plane.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIByteArray bytes;
} string_object;  // the content follows, NUL-terminated

// A heap object of the parts, one behind the other.
static int heap_concat(const TVMFFIByteArray* parts, size_t n, int32_t type_index, const char* what, TVMFFIAny* out) {
  size_t size = 0;
  for (size_t i = 0; i < n; i++) {
    if (parts[i].size > (size_t)PTRDIFF_MAX - sizeof(string_object) - 1 - size) return ss_raise_no_memory(what);
    size += parts[i].size;
  }
  string_object* obj = ss_object_space(sizeof(string_object) + size + 1, _Alignof(string_object), type_index);
  if (obj == NULL) return -1;
  char* content = (char*)(obj + 1);
  obj->bytes.data = content;
  obj->bytes.size = size;
  for (size_t i = 0; i < n; i++) {
    if (parts[i].size != 0) memcpy(content, parts[i].data, parts[i].size);
    content += parts[i].size;
  }
  *content = '\0';
  ss_object_init(obj, type_index, ss_delete_plain);
  ss_set_object(out, obj);
  return 0;
}

int ss_string_concat(const TVMFFIByteArray* parts, size_t n, TVMFFIAny* out) {
  return heap_concat(parts, n, kTVMFFIStr, "a string", out);
}

static int from_bytes(const TVMFFIByteArray* input, int32_t small_index, int32_t heap_index, const char* function,
                      TVMFFIAny* out) {
  if (!ss_check_ptr(out, function, "out")) return -1;
  TVMFFIByteArray bytes = {NULL, 0};
  if (input != NULL) bytes = *input;  // read before out is written: they may overlap
  ss_set_none(out);
  if (!ss_check_ptr(input, function, "input")) return -1;
  if (!ss_check_bytes(&bytes, function, "input")) return -1;
  if (bytes.size <= 7) {
    TVMFFIAny small = {.type_index = small_index, .small_str_len = (uint32_t)bytes.size, .v_uint64 = 0};
    if (bytes.size != 0) memcpy(small.v_bytes, bytes.data, bytes.size);
    *out = small;
    return 0;
  }
  return heap_concat(&bytes, 1, heap_index, function, out);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return from_bytes(input, kTVMFFISmallStr, kTVMFFIStr, "TVMFFIStringFromByteArray", out);
}

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return from_bytes(input, kTVMFFISmallBytes, kTVMFFIBytes, "TVMFFIBytesFromByteArray", out);
}
