// String and Bytes: up to 7 bytes in the value itself, longer ones as an object with the bytes behind its header.
#include <string.h>

#include "core/alloc.h"
#include "any.h"
#include "core/raise.h"
#include "selfsame/internal/values.h"

typedef struct {
  TVMFFIObject header;    // counts, type index and deleter
  TVMFFIByteArray bytes;  // the content, behind this struct
} StringObject;           // the content follows, NUL-terminated

// A heap object with the concatenated parts. *out: owned.
static int heap_concat(const TVMFFIByteArray* parts, size_t n, int32_t type_index, const char* what, TVMFFIAny* out) {
  size_t size = 0;
  for (size_t i = 0; i < n; i++) {
    if (parts[i].size > (size_t)PTRDIFF_MAX - sizeof(StringObject) - 1 - size) return ss_raise_no_memory(what);
    size += parts[i].size;
  }
  StringObject* obj = ss_object_space(sizeof(StringObject) + size + 1, _Alignof(StringObject), type_index);
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

// A heap object with a copy of the bytes. *out: owned.
static int heap_copy(const char* data, size_t size, int32_t type_index, const char* what, TVMFFIAny* out) {
  if (size > (size_t)PTRDIFF_MAX - sizeof(StringObject) - 1) return ss_raise_no_memory(what);
  StringObject* obj = ss_object_space(sizeof(StringObject) + size + 1, _Alignof(StringObject), type_index);
  if (obj == NULL) return -1;
  char* content = (char*)(obj + 1);
  memcpy(content, data, size);
  content[size] = '\0';
  obj->bytes.data = content;
  obj->bytes.size = size;
  ss_object_init(obj, type_index, ss_delete_plain);
  ss_set_bits(out, type_index, (uint64_t)(uintptr_t)obj);
  return 0;
}

// Up to 7 bytes as a word, without a call of memcpy.
static uint64_t small_word(const char* data, size_t size) {
  uint64_t word = 0;
  uint32_t first, last;
  if (size >= 4) {
    memcpy(&first, data, 4);
    memcpy(&last, data + size - 4, 4);
    return first | (uint64_t)last << (8 * (size - 4));
  }
  for (size_t i = 0; i < size; i++) word |= (uint64_t)(uint8_t)data[i] << (8 * i);
  return word;
}

static inline int from_bytes(const TVMFFIByteArray* input, int32_t small_index, int32_t heap_index,
                             const char* function, TVMFFIAny* out) {
  if (!ss_check_ptr(out, function, "out")) return -1;
  if (input == NULL) {
    ss_set_none(out);
    ss_raise_null(function, "input");
    return -1;
  }
  const char* data = input->data;  // read before out is written: they may overlap
  size_t size = input->size;
  if (data == NULL && size != 0) {
    ss_set_none(out);
    TVMFFIByteArray bytes = {data, size};
    ss_raise_no_data(&bytes, function, "input");
    return -1;
  }
  if (size <= 7) {
    uint64_t word = small_word(data, size);
    ss_set_bits(out, small_index, word);
    out->small_str_len = (uint32_t)size;
    return 0;
  }
  ss_set_none(out);
  return heap_copy(data, size, heap_index, function, out);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return from_bytes(input, kTVMFFISmallStr, kTVMFFIStr, "TVMFFIStringFromByteArray", out);
}

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return from_bytes(input, kTVMFFISmallBytes, kTVMFFIBytes, "TVMFFIBytesFromByteArray", out);
}
