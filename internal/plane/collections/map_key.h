// Keys of Map and Dict: preparing, hashing and comparing them (map_key.c), and finding them (map_find.c).
#ifndef SELFSAME_INTERNAL_PLANE_COLLECTIONS_MAP_KEY_H_
#define SELFSAME_INTERNAL_PLANE_COLLECTIONS_MAP_KEY_H_

#include <string.h>

#include "scalars/any.h"
#include "selfsame/internal/containers.h"

#pragma GCC visibility push(hidden)

// A key, ready to be compared: text by its bytes, anything else by type and bits, or by the hooks of its class. Borrows
// from the value that it was made of.
typedef struct {
  int32_t type_index;    // Str and Bytes for small ones too
  char is_text;          // a text or bytes, compared by their bytes
  char is_hooked;        // its class has a hash or equality hook, so that hashing and comparing it may run foreign code
  TVMFFIByteArray text;  // of a text
  uint64_t bits;         // of a text of at most 7 bytes: those of a small one
  int32_t small_index;   // of a text: the type index of small ones
  const SsMapCell* cell;  // of the map that the hooks must leave alone; NULL: they may do anything
} SsKey;

// Prepares a value as a key. Returns 0 for a view that no container holds, which the caller must convert first.
int ss_key_make(const TVMFFIAny* value, const SsMapCell* cell, SsKey* key);
// Converts a view that ss_key_make refuses and prepares the copy. Returns 0, or -1 raised.
int ss_key_convert(const TVMFFIAny* view, const SsMapCell* cell, SsKey* key, TVMFFIAny* owned);
// Prepares any view. When no container can hold the view, *owned is a converted copy, from which the key borrows; else
// it is None. The caller releases it when it no longer needs the key. Returns 0, or -1 raised.
static inline int ss_key_begin(const TVMFFIAny* view, const SsMapCell* cell, SsKey* key, TVMFFIAny* owned) {
  ss_set_none(owned);
  return ss_key_make(view, cell, key) ? 0 : ss_key_convert(view, cell, key, owned);
}

// The ABI's hash of a text, and of a key without hooks.
uint64_t ss_text_hash(const TVMFFIByteArray* text);
uint64_t ss_plain_hash(const SsKey* key);

// Hash and compare a key with hooks. Both may run foreign code; they raise an error when it changed the map. Return 0
// (equal: 0 or 1), or -1 raised.
int ss_hooked_hash(const SsKey* key, uint64_t* hash);
int ss_hooked_equal(const SsKey* key, const TVMFFIAny* stored);

static inline uint64_t ss_hash_combine(uint64_t hash, uint64_t value) {
  return hash ^ (value + 0x9e3779b9 + (hash << 6) + (hash >> 2));
}

// The ABI's hash of any key. Returns 0, or -1 raised.
static inline int ss_key_hash(const SsKey* key, uint64_t* hash) {
  if (key->is_hooked) return ss_hooked_hash(key, hash);
  *hash = ss_plain_hash(key);
  return 0;
}

// Whether any key equals a stored value: 1 or 0, or -1 raised.
static inline int ss_key_equal(const SsKey* key, const TVMFFIAny* stored) {
  if (!key->is_text) {
    if (stored->type_index != key->type_index) return 0;
    return stored->v_uint64 == key->bits ? 1 : key->is_hooked ? ss_hooked_equal(key, stored) : 0;
  }
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

#define SS_FIND_RAISED (SS_NO_BUCKET - 1)  // no index, because a hook raised an error

// Return the index of a key's entry (small) or its bucket (dense), SS_NO_BUCKET when there is none, or SS_FIND_RAISED.
// `home` is the home bucket of its hash.
uint64_t ss_map_find_small(const SsMapCell* cell, const SsKey* key);
uint64_t ss_map_find_dense(const SsMapCell* cell, const SsKey* key, uint64_t home);

// The same for a map of either layout.
static inline uint64_t ss_map_find_index(const SsMapCell* cell, const SsKey* key) {
  uint64_t hash;
  if (cell->size == 0) return SS_NO_BUCKET;  // there may be no buckets
  if (ss_map_is_small(cell)) return ss_map_find_small(cell, key);
  return ss_key_hash(key, &hash) != 0 ? SS_FIND_RAISED : ss_map_find_dense(cell, key, ss_map_home(cell, hash));
}

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_COLLECTIONS_MAP_KEY_H_
