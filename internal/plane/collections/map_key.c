// Keys of Map and Dict: preparing and hashing them, and comparing those with hooks; map_key.h compares the others.
#include "map_key.h"

#include "key_hooks.h"
#include "core/raise.h"
#include "core/type_attributes.h"

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

uint64_t ss_plain_hash(const SsKey* key) {
  uint64_t hash = key->bits;
  if (key->is_text) hash = key->text.size < 8 ? key->bits % MODULUS : ss_text_hash(&key->text);
  return ss_hash_combine((uint64_t)(int64_t)key->type_index, hash);
}

// ---- hooks -------------------------------------------------------------------------------------------------

static SsAttributeColumn *hashes, *equals;

static const TVMFFIAny* hash_hook(int32_t type_index) { return ss_column_value(&hashes, "__any_hash__", type_index); }
static const TVMFFIAny* equal_hook(int32_t type_index) { return ss_column_value(&equals, "__any_equal__", type_index); }

static int has_hooks(int32_t type_index) {
  return ss_column_has(&hashes, "__any_hash__", type_index) || ss_column_has(&equals, "__any_equal__", type_index);
}

// The fields of a cell that change when an entry comes or goes. A new value of a key that is there need not change them.
static SsMapCell observed(const SsMapCell* cell) {
  SsMapCell seen = {0};
  if (cell == NULL) return seen;
  seen = (SsMapCell){.data = cell->data, .size = cell->size, .capacity = cell->capacity};
  if (ss_map_is_small(cell)) return seen;
  seen.head = cell->head;
  seen.tail = cell->tail;
  return seen;
}

// Returns 0, or -1 raised when a hook has changed the map since `before` was observed, or put something else in the
// place of `held`; `stored` is read only while the map has the same memory.
static int check_unchanged(const SsMapCell* cell, const SsMapCell* before, const TVMFFIAny* stored,
                           const TVMFFIAny* held) {
  SsMapCell now = observed(cell);
  if (now.data == before->data && now.size == before->size && now.capacity == before->capacity &&
      now.head == before->head && now.tail == before->tail &&
      (cell == NULL || stored == NULL ||
       (stored->type_index == held->type_index && stored->v_uint64 == held->v_uint64)))
    return 0;
  return ss_raise("RuntimeError", "a container was changed by the hash or equality function of one of its keys");
}

int ss_hooked_hash(const SsKey* key, uint64_t* hash) {
  const TVMFFIAny value = {.type_index = key->type_index, .v_uint64 = key->bits};
  const TVMFFIAny* hook = hash_hook(key->type_index);
  uint64_t own = key->bits;  // of a class that has a hook for equality alone
  int rc = 0;
  if (hook != NULL) {
    const SsMapCell before = observed(key->cell);
    ss_incref(value.v_obj);  // the hook may remove it from the map
    rc = ss_key_hash_hook(hook, &value, &own);
    if (rc == 0) rc = check_unchanged(key->cell, &before, NULL, NULL);
    ss_xdecref(value.v_obj);
  }
  *hash = ss_hash_combine((uint64_t)(int64_t)key->type_index, own);
  return rc;
}

int ss_hooked_equal(const SsKey* key, const TVMFFIAny* stored) {
  const TVMFFIAny value = {.type_index = key->type_index, .v_uint64 = key->bits};
  const TVMFFIAny* hook = equal_hook(key->type_index);
  if (hook == NULL) return 0;  // the class has a hook for the hash alone
  const SsMapCell before = observed(key->cell);
  const TVMFFIAny held = {.type_index = stored->type_index, .v_uint64 = stored->v_uint64};
  int equal = 0;
  ss_incref(held.v_obj);  // the hook may remove it from the map
  int rc = ss_key_equal_hook(hook, &held, &value, &equal);
  if (rc == 0) rc = check_unchanged(key->cell, &before, stored, &held);
  ss_xdecref(held.v_obj);
  return rc == 0 ? equal : -1;
}

// ---- preparing ---------------------------------------------------------------------------------------------

// Makes a key of a text; `type_index` is that of one on the heap, `bits` those of a small one. Returns 1.
static inline int make_text_of(SsKey* key, int32_t type_index, TVMFFIByteArray text, uint64_t bits) {
  key->is_text = 1;
  key->type_index = type_index;
  key->small_index = type_index == kTVMFFIStr ? kTVMFFISmallStr : kTVMFFISmallBytes;
  key->text = text;
  key->bits = bits;
  return 1;
}

static int make_text(SsKey* key, int32_t type_index, TVMFFIByteArray text) {
  uint64_t bits = 0;
  if (text.size < 8) {
    for (size_t i = 0; i < text.size; i++) bits |= (uint64_t)(uint8_t)text.data[i] << (8 * i);
  }
  return make_text_of(key, type_index, text, bits);
}

int ss_key_make(const TVMFFIAny* value, const SsMapCell* cell, SsKey* key) {
  TVMFFIByteArray text;
  key->is_text = key->is_hooked = 0;
  key->type_index = value->type_index;
  key->bits = value->v_uint64;
  key->cell = cell;
  switch (value->type_index) {
    case kTVMFFINone:
      key->bits = 0;
      return 1;
    case kTVMFFIBool:
      key->bits = value->v_int64 != 0;
      return 1;
    case kTVMFFIInt:
    case kTVMFFIFloat:
    case kTVMFFIOpaquePtr:
    case kTVMFFIDevice:
      return 1;
    case kTVMFFIRawStr:
      if (value->v_c_str == NULL) return 0;
      return make_text(key, kTVMFFIStr, (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)});
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      if (value->small_str_len > 7) return 0;
      text = (TVMFFIByteArray){value->v_bytes, value->small_str_len};
      return make_text_of(key, value->type_index == kTVMFFISmallStr ? kTVMFFIStr : kTVMFFIBytes, text,
                          value->v_uint64 & ((UINT64_C(1) << (8 * text.size)) - 1));
    case kTVMFFIStr:
    case kTVMFFIBytes:
      if (value->v_obj == NULL) return 0;
      return ss_any_bytes(value, &text) && make_text(key, value->type_index, text);
    default:
      if (value->type_index < kTVMFFIStaticObjectBegin || value->v_obj == NULL) return 0;
      key->is_hooked = (char)has_hooks(value->type_index);
      return 1;
  }
}

int ss_key_convert(const TVMFFIAny* view, const SsMapCell* cell, SsKey* key, TVMFFIAny* owned) {
  if (TVMFFIAnyViewToOwnedAny(view, owned) != 0) {
    ss_set_none(owned);
    return -1;
  }
  ss_key_make(owned, cell, key);  // an owned value is a key in any case, if only by type and bits
  return 0;
}
