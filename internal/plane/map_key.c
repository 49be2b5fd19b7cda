// Keys without hooks of Map and Dict: preparing and hashing them.
#include "map_key.h"

#include "any.h"
#include "type_attributes.h"

enum { MODULUS = 2147483647 };
static const uint64_t prime = UINT64_C(1099511628211);

uint64_t ss_text_hash(const TVMFFIByteArray* text) {
  uint64_t hash = 0, word = 0;
  size_t whole = text->size & ~(size_t)7, rest = text->size - whole;
  for (size_t i = 0; i < whole; i += 8) {
    memcpy(&word, text->data + i, 8);
    hash = (hash * prime + word) % MODULUS;
  }
  if (rest == 0) return hash;
  word = 0;
  for (size_t i = 0; i < rest; i++) word |= (uint64_t)(uint8_t)text->data[whole + i] << (8 * i);
  return (hash * prime + word) % MODULUS;
}

uint64_t ss_key_hash(const SsPlainKey* key) {
  return ss_hash_combine((uint64_t)(int64_t)key->type_index, key->is_text ? ss_text_hash(&key->text) : key->bits);
}

// Whether a class has a hash or equality hook.
static int has_hooks(int32_t type_index) {
  static SsAttributeColumn *hash, *equal;
  return ss_column_has(&hash, "__any_hash__", type_index) || ss_column_has(&equal, "__any_equal__", type_index);
}

// Makes a key of a text; `type_index` is that of one on the heap. Returns 1.
static int make_text(SsPlainKey* key, int32_t type_index, TVMFFIByteArray text) {
  key->is_text = 1;
  key->type_index = type_index;
  key->small_index = type_index == kTVMFFIStr ? kTVMFFISmallStr : kTVMFFISmallBytes;
  key->text = text;
  key->bits = 0;
  if (text.size <= 7) {
    for (size_t i = 0; i < text.size; i++) ((char*)&key->bits)[i] = text.data[i];
  }
  return 1;
}

int ss_key_make(const TVMFFIAny* view, SsPlainKey* key) {
  TVMFFIByteArray text;
  key->is_text = 0;
  key->type_index = view->type_index;
  key->bits = view->v_uint64;
  switch (view->type_index) {
    case kTVMFFINone:
      key->bits = 0;
      return 1;
    case kTVMFFIBool:
      key->bits = view->v_int64 != 0;
      return 1;
    case kTVMFFIInt:
    case kTVMFFIFloat:
    case kTVMFFIOpaquePtr:
    case kTVMFFIDevice:
      return 1;
    case kTVMFFIRawStr:
      if (view->v_c_str == NULL) return 0;
      return make_text(key, kTVMFFIStr, (TVMFFIByteArray){view->v_c_str, strlen(view->v_c_str)});
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      if (view->small_str_len > 7) return 0;
      text = (TVMFFIByteArray){view->v_bytes, view->small_str_len};
      return make_text(key, view->type_index == kTVMFFISmallStr ? kTVMFFIStr : kTVMFFIBytes, text);
    case kTVMFFIStr:
    case kTVMFFIBytes:
      if (view->v_obj == NULL) return 0;
      return ss_any_bytes(view, &text) && make_text(key, view->type_index, text);
    default:
      return view->type_index >= kTVMFFIStaticObjectBegin && view->v_obj != NULL && !has_hooks(view->type_index);
  }
}
