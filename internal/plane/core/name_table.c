// Open addressing over pointers to nodes. A node is complete before its pointer is stored, and neither nodes nor
// outgrown bucket arrays are ever freed, so a reader needs no lock. (Outgrown arrays add up to less than the one in
// use.)
#include "name_table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fork.h"
#include "raise.h"

struct SsNameBuckets {
  size_t mask;       // number of buckets, a power of two, minus one
  SsNameNode* at[];  // atomic; NULL: empty. The owner owns the nodes
};

// Lies in front of memory from ss_table_memory, so that ss_retire needs no memory.
typedef struct TableLink {
  struct TableLink* next;    // the memory that was retired before
  uint64_t keeps_alignment;  // unused: memory behind this struct is aligned as malloc aligns
} TableLink;

static TableLink* all_retired;

void* ss_table_memory(size_t count, size_t size) {
  if (count > ((size_t)PTRDIFF_MAX - sizeof(TableLink)) / size) return NULL;
  TableLink* link = calloc(1, sizeof(TableLink) + count * size);
  return link == NULL ? NULL : link + 1;
}

void ss_table_free(void* memory) {
  if (memory != NULL) free((TableLink*)memory - 1);
}

void ss_retire(void* memory) {
  if (memory == NULL) return;
  TableLink* link = (TableLink*)memory - 1;
  link->next = __atomic_load_n(&all_retired, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&all_retired, &link->next, link, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

static pthread_mutex_t tables = PTHREAD_MUTEX_INITIALIZER;

void ss_tables_lock(void) { pthread_mutex_lock(&tables); }
void ss_tables_unlock(void) { pthread_mutex_unlock(&tables); }
void ss_tables_fork_child(void) { pthread_mutex_init(&tables, NULL); }

// type_key_hash has the value that other libraries give it: that of std::hash for strings in the C++ library that the
// published package is built with on the system. name_hash_darwin.cc has it for macOS.
#if defined(_WIN32)
// FNV-1a of 64 bits, as MSVC's library has it.
uint64_t ss_name_hash(const char* data, size_t size) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)data[i]) * UINT64_C(1099511628211);
  return hash;
}
#elif !defined(__APPLE__)
static uint64_t mix(uint64_t v) { return v ^ (v >> 47); }

// 64-bit MurmurHash2, as libstdc++ has it.
uint64_t ss_name_hash(const char* data, size_t size) {
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
#endif

SsNameNode* ss_name_table_find(const SsNameTable* table, const TVMFFIByteArray* key) {
  const SsNameBuckets* buckets = __atomic_load_n(&table->buckets, __ATOMIC_ACQUIRE);
  if (buckets == NULL) return NULL;
  uint64_t hash = ss_name_hash(key->data, key->size);
  for (size_t i = hash & buckets->mask;; i = (i + 1) & buckets->mask) {
    SsNameNode* node = __atomic_load_n(&buckets->at[i], __ATOMIC_ACQUIRE);
    if (node == NULL) return NULL;
    if (node->hash == hash && node->key.size == key->size &&
        (key->size == 0 || memcmp(node->key.data, key->data, key->size) == 0)) {
      return node;
    }
  }
}

static void put(SsNameBuckets* buckets, SsNameNode* node) {
  size_t i = node->hash & buckets->mask;
  while (buckets->at[i] != NULL) i = (i + 1) & buckets->mask;
  __atomic_store_n(&buckets->at[i], node, __ATOMIC_RELEASE);
}

// Leaves at least half of the buckets empty. Returns -1 when out of memory.
static int make_room(SsNameTable* table) {
  SsNameBuckets* old = table->buckets;
  size_t n = old == NULL ? 0 : old->mask + 1;
  if (table->count + 1 <= n / 2) return 0;
  size_t wanted = n == 0 ? 256 : 2 * n;
  SsNameBuckets* buckets = ss_table_memory(1, sizeof(SsNameBuckets) + wanted * sizeof(SsNameNode*));
  if (buckets == NULL) return -1;
  buckets->mask = wanted - 1;
  for (size_t i = 0; i < n; i++) {
    if (old->at[i] != NULL) put(buckets, old->at[i]);
  }
  __atomic_store_n(&table->buckets, buckets, __ATOMIC_RELEASE);
  ss_retire(old);
  return 0;
}

int ss_name_table_insert(SsNameTable* table, SsNameNode* node, const TVMFFIByteArray* key) {
  char* copy = make_room(table) == 0 ? malloc(key->size + 1) : NULL;
  if (copy == NULL) return ss_raise_no_memory("a table entry");
  if (key->size != 0) memcpy(copy, key->data, key->size);
  copy[key->size] = '\0';
  node->hash = ss_name_hash(copy, key->size);
  node->key.data = copy;
  node->key.size = key->size;
  node->older = table->newest;
  table->newest = node;
  put(table->buckets, node);
  table->count++;
  return 0;
}
