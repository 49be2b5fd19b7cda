// Private to the data plane: keys of maps that need nobody else's code to be hashed and compared.
#ifndef SELFSAME_ABI_PLANE_MAP_KEY_H_
#define SELFSAME_ABI_PLANE_MAP_KEY_H_

#include <string.h>

#include "containers.h"

#pragma GCC visibility push(hidden)

// A key, ready to be compared: text by its bytes, anything else by type and payload. It borrows from the value it was
// made of.
typedef struct {
  int32_t type_index;  // Str and Bytes for small ones too
  int is_text;
  TVMFFIByteArray text;
  uint64_t bits;
} ss_plain_key;

// Prepares any view as a key. Returns 0 for one that is not plain: its class has a hash or equality of its own, or it
// is no key at all.
int ss_key_make(const TVMFFIAny* view, ss_plain_key* key);

// The ABI's hash of a key, and of a text alone.
uint64_t ss_key_hash(const ss_plain_key* key);
uint64_t ss_text_hash(const TVMFFIByteArray* text);

static inline uint64_t ss_hash_combine(uint64_t hash, uint64_t value) {
  return hash ^ (value + 0x9e3779b9 + (hash << 6) + (hash >> 2));
}

static inline int ss_key_equal(const ss_plain_key* key, const TVMFFIAny* stored) {
  if (!key->is_text) return stored->type_index == key->type_index && stored->v_uint64 == key->bits;
  TVMFFIByteArray text;
  if (!ss_any_bytes(stored, &text)) return 0;
  int stored_is_string = stored->type_index == kTVMFFIStr || stored->type_index == kTVMFFISmallStr;
  return stored_is_string == (key->type_index == kTVMFFIStr) && text.size == key->text.size &&
         (text.size == 0 || memcmp(text.data, key->text.data, text.size) == 0);
}

// ---- where keys are (map_find.c) ---------------------------------------------------------------------------

// The distance that the jump bits of a slot stand for; 0 at the end of a chain.
uint64_t ss_hash_jump(uint8_t jump);

// Where the chain of a hash begins.
static inline uint64_t ss_hash_home(const SsMapCell* cell, uint64_t hash) {
  return hash * SS_HASH_FACTOR >> (cell->shift & 63);
}

// Where a key is, or SS_NO_BUCKET; `home` is where its chain begins.
uint64_t ss_hash_find_small(const SsMapCell* cell, const ss_plain_key* key);
uint64_t ss_hash_find_dense(const SsMapCell* cell, const ss_plain_key* key, uint64_t home);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_MAP_KEY_H_
