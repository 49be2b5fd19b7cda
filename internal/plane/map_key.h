// Keys of Map and Dict that run no foreign code when they are hashed and compared (map_key.c, map_find.c).
#ifndef SELFSAME_ABI_PLANE_MAP_KEY_H_
#define SELFSAME_ABI_PLANE_MAP_KEY_H_

#include <string.h>

#include "any.h"
#include "selfsame/internal/containers.h"

#pragma GCC visibility push(hidden)

// A key, ready to be compared: text by its bytes, anything else by type and bits. Borrows from the value that
// ss_key_make was given.
typedef struct {
  int32_t type_index;  // Str and Bytes for small ones too
  int is_text;
  TVMFFIByteArray text;
  uint64_t bits;        // of a text of at most 7 bytes: those of a small one
  int32_t small_index;  // of a text: the type index of small ones
} SsPlainKey;

// Prepares any view as a key. Returns 0 for one that this file leaves to Go: its class has a hash or equality hook, or
// it cannot be a key.
int ss_key_make(const TVMFFIAny* view, SsPlainKey* key);

// The ABI's hash of a key, and of a text alone.
uint64_t ss_key_hash(const SsPlainKey* key);
uint64_t ss_text_hash(const TVMFFIByteArray* text);

static inline uint64_t ss_hash_combine(uint64_t hash, uint64_t value) {
  return hash ^ (value + 0x9e3779b9 + (hash << 6) + (hash >> 2));
}

static inline int ss_key_equal(const SsPlainKey* key, const TVMFFIAny* stored) {
  if (!key->is_text) return stored->type_index == key->type_index && stored->v_uint64 == key->bits;
  // Most keys are small: they are compared without a call.
  if (stored->type_index == key->small_index)
    return key->text.size == stored->small_str_len && key->bits == stored->v_uint64;
  if (stored->type_index != key->type_index) return 0;
  const TVMFFIByteArray* text = (const TVMFFIByteArray*)(const void*)(stored->v_obj + 1);
  return text->size == key->text.size && (text->size == 0 || memcmp(text->data, key->text.data, text->size) == 0);
}

// ---- finding a key (map_find.c) ---------------------------------------------------------------------------

// The distance that the jump bits of a control byte stand for; 0 at the end of a chain.
uint64_t ss_map_jump(uint8_t jump);

// The home bucket of a hash, where its chain begins.
static inline uint64_t ss_map_home(const SsMapCell* cell, uint64_t hash) {
  return hash * SS_HASH_FACTOR >> (cell->shift & 63);
}

// The index of a key's entry (small) or its bucket (dense), or SS_NO_BUCKET. `home` is the home bucket of its hash.
uint64_t ss_map_find_small(const SsMapCell* cell, const SsPlainKey* key);
uint64_t ss_map_find_dense(const SsMapCell* cell, const SsPlainKey* key, uint64_t home);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_MAP_KEY_H_
