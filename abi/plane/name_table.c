// The insert-only hash map behind type keys, attribute names and global function names: open addressing over pointers
// to nodes. A node is whole before its pointer is stored, and neither nodes nor outgrown slot arrays are ever freed,
// so that a reader needs no lock. (Outgrown arrays add up to less than the one in use.)
#include <stdlib.h>
#include <string.h>

#include "plane.h"

struct ss_slots {
  size_t mask;  // number of slots, a power of two, minus one
  ss_node* at[];
};

// Memory of tables, with a link in front of it for the day it is outgrown: to keep it then must not need memory.
typedef struct table_link {
  struct table_link* next;
  uint64_t keeps_alignment;
} table_link;

static table_link* all_retired;

void* ss_table_memory(size_t count, size_t size) {
  if (count > ((size_t)PTRDIFF_MAX - sizeof(table_link)) / size) return NULL;
  table_link* link = calloc(1, sizeof(table_link) + count * size);
  return link == NULL ? NULL : link + 1;
}

void ss_table_free(void* memory) {
  if (memory != NULL) free((table_link*)memory - 1);
}

void ss_retire(void* memory) {
  if (memory == NULL) return;
  table_link* link = (table_link*)memory - 1;
  link->next = __atomic_load_n(&all_retired, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&all_retired, &link->next, link, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

static uint64_t mix(uint64_t v) { return v ^ (v >> 47); }

// 64-bit MurmurHash2 as libstdc++'s std::hash computes it, so that type_key_hash has the value other libraries give it.
uint64_t ss_hash(const char* data, size_t size) {
  const uint64_t mul = UINT64_C(0xc6a4a7935bd1e995);
  uint64_t hash = UINT64_C(0xc70f6907) ^ (size * mul);
  size_t whole = size & ~(size_t)7;
  for (size_t i = 0; i < whole; i += 8) {
    uint64_t word;
    memcpy(&word, data + i, 8);
    hash = (hash ^ (mix(word * mul) * mul)) * mul;
  }
  if (size != whole) {
    uint64_t word = 0;
    memcpy(&word, data + whole, size - whole);
    hash = (hash ^ word) * mul;
  }
  return mix(mix(hash) * mul);
}

ss_node* ss_map_find(const ss_map* map, const TVMFFIByteArray* key) {
  const ss_slots* slots = __atomic_load_n(&map->slots, __ATOMIC_ACQUIRE);
  if (slots == NULL) return NULL;
  uint64_t hash = ss_hash(key->data, key->size);
  for (size_t i = hash & slots->mask;; i = (i + 1) & slots->mask) {
    ss_node* node = __atomic_load_n(&slots->at[i], __ATOMIC_ACQUIRE);
    if (node == NULL) return NULL;
    if (node->hash == hash && node->key.size == key->size &&
        (key->size == 0 || memcmp(node->key.data, key->data, key->size) == 0)) {
      return node;
    }
  }
}

static void place(ss_slots* slots, ss_node* node) {
  size_t i = node->hash & slots->mask;
  while (slots->at[i] != NULL) i = (i + 1) & slots->mask;
  __atomic_store_n(&slots->at[i], node, __ATOMIC_RELEASE);
}

// Keeps at least half of the slots free. Returns -1 when out of memory.
static int make_room(ss_map* map) {
  ss_slots* old = map->slots;
  size_t n = old == NULL ? 0 : old->mask + 1;
  if (map->count + 1 <= n / 2) return 0;
  size_t wanted = n == 0 ? 256 : 2 * n;
  ss_slots* slots = ss_table_memory(1, sizeof(ss_slots) + wanted * sizeof(ss_node*));
  if (slots == NULL) return -1;
  slots->mask = wanted - 1;
  for (size_t i = 0; i < n; i++) {
    if (old->at[i] != NULL) place(slots, old->at[i]);
  }
  __atomic_store_n(&map->slots, slots, __ATOMIC_RELEASE);
  ss_retire(old);
  return 0;
}

int ss_map_insert(ss_map* map, ss_node* node, const TVMFFIByteArray* key) {
  char* copy = make_room(map) == 0 ? malloc(key->size + 1) : NULL;
  if (copy == NULL) return ss_raise_no_memory("a table entry");
  if (key->size != 0) memcpy(copy, key->data, key->size);
  copy[key->size] = '\0';
  node->hash = ss_hash(copy, key->size);
  node->key.data = copy;
  node->key.size = key->size;
  node->older = map->newest;
  map->newest = node;
  place(map->slots, node);
  map->count++;
  return 0;
}
