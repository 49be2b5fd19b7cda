// BigInt: signed integers beyond int64_t, as two's-complement words behind the header, the least significant first.
#include "bigint.h"

#include <string.h>

#include "core/alloc.h"
#include "core/raise.h"
#include "selfsame/internal/values.h"

typedef struct {
  TVMFFIObject header;    // counts, type index and deleter
  TVMFFIBigIntCell cell;  // sign and number of the words
  int64_t words[];        // the digits, the least significant first
} BigIntObject;

_Static_assert(offsetof(BigIntObject, words) == 32, "the ABI's layout of BigInt");

static int64_t word_at(const char* data, size_t i) {
  int64_t word;  // the caller's bytes need no alignment
  memcpy(&word, data + i * sizeof(word), sizeof(word));
  return word;
}

// The number of words without those that repeat the sign.
static size_t minimal(const char* data, size_t n) {
  while (n > 1 && word_at(data, n - 1) == (word_at(data, n - 2) < 0 ? -1 : 0)) n--;
  return n;
}

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  static const char name[] = "TVMFFIBigIntFromByteArray";
  if (!ss_check_ptr(out, name, "out")) return -1;
  TVMFFIByteArray bytes = {NULL, 0};
  if (input != NULL) bytes = *input;  // read before out is written: they may overlap
  ss_set_none(out);
  if (!ss_check_ptr(input, name, "input") || !ss_check_bytes(&bytes, name, "input")) return -1;
  if (bytes.size % sizeof(int64_t) != 0) {
    return ss_raise("ValueError", "BigInt content must contain whole 64-bit words");
  }
  size_t n = minimal(bytes.data, bytes.size / sizeof(int64_t));
  if (n <= 1) {
    TVMFFIAny small = {.type_index = kTVMFFIInt, .v_int64 = n == 0 ? 0 : word_at(bytes.data, 0)};
    *out = small;
    return 0;
  }
  if (n > ((size_t)PTRDIFF_MAX - sizeof(BigIntObject)) / sizeof(int64_t)) return ss_raise_no_memory(name);
  BigIntObject* obj =
      ss_object_space(sizeof(BigIntObject) + n * sizeof(int64_t), _Alignof(BigIntObject), kTVMFFIBigInt);
  if (obj == NULL) return -1;
  obj->cell.size = n;
  memcpy(obj->words, bytes.data, n * sizeof(int64_t));
  ss_object_init(obj, kTVMFFIBigInt, ss_delete_plain);
  ss_set_object(out, obj);
  return 0;
}

TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  static const char name[] = "TVMFFIBigIntGetContentByteArray";
  TVMFFIByteArray none = {NULL, 0};
  if (!ss_check_ptr(value, name, "value")) return none;
  if (value->type_index == kTVMFFIInt) {
    return (TVMFFIByteArray){(const char*)&value->v_int64, sizeof(int64_t)};
  }
  if (value->type_index == kTVMFFIBigInt && value->v_obj != NULL) {
    const BigIntObject* obj = (const BigIntObject*)value->v_obj;
    return (TVMFFIByteArray){(const char*)obj->words, obj->cell.size * sizeof(int64_t)};
  }
  ss_raise("TypeError", "%s: value must be an int or an ffi.BigInt, got type index %d", name, value->type_index);
  return none;
}

// ---- as keys of Map and Dict -----------------------------------------------------------------------------

int64_t ss_bigint_hash_of(const TVMFFIObject* bigint) {
  const BigIntObject* obj = (const BigIntObject*)bigint;
  uint64_t hash = 0;
  for (size_t i = 0; i < obj->cell.size; i++) {
    hash = (hash * 1099511628211ull + (uint64_t)obj->words[i]) % 2147483647ull;  // the ABI's hash of bytes
  }
  return (int64_t)hash;
}

static TVMFFIAny hash_key(const TVMFFIAny* key) {
  return (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = ss_bigint_hash_of(key->v_obj)};
}

static TVMFFIAny equal_keys(const TVMFFIAny* a, const TVMFFIAny* b) {
  const BigIntObject* x = (const BigIntObject*)a->v_obj;
  const BigIntObject* y = (const BigIntObject*)b->v_obj;
  int equal = a->type_index == b->type_index && x->cell.size == y->cell.size &&
              memcmp(x->words, y->words, x->cell.size * sizeof(int64_t)) == 0;
  return (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = equal};
}

void* ss_bigint_hash(void) { return (void*)hash_key; }
void* ss_bigint_equal(void) { return (void*)equal_keys; }
