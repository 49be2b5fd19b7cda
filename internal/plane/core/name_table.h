// The insert-only hash table behind type keys, attribute names and global function names (name_table.c).
//
// Look-ups take no lock and may run beside an insertion. The caller of ss_name_table_insert must hold the lock of the
// table's owner. RATIONALE.md, "Why look-ups take no lock, and what is outgrown is kept".
#ifndef SELFSAME_INTERNAL_PLANE_CORE_NAME_TABLE_H_
#define SELFSAME_INTERNAL_PLANE_CORE_NAME_TABLE_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// The part of an entry that the table needs; it lies inside the owner's struct and is never freed once inserted.
typedef struct SsNameNode {
  struct SsNameNode* older;  // the node inserted before this one
  uint64_t hash;             // of the key
  TVMFFIByteArray key;       // owned by the node, NUL-terminated
} SsNameNode;

typedef struct SsNameBuckets SsNameBuckets;

// All zero: an empty table.
typedef struct {
  SsNameBuckets* buckets;  // atomic; never freed, because readers take no lock
  SsNameNode* newest;      // the node that was inserted last
  size_t count;            // of the nodes
} SsNameTable;

uint64_t ss_name_hash(const char* data, size_t size);  // the ABI's type_key_hash
// The node of a key, or NULL. Any thread.
SsNameNode* ss_name_table_find(const SsNameTable* table, const TVMFFIByteArray* key);
// Fills in node->hash and node->key (a copy) and publishes the node. Returns 0, or -1 with MemoryError raised.
int ss_name_table_insert(SsNameTable* table, SsNameNode* node, const TVMFFIByteArray* key);

// ---- memory that readers use without a lock ----

// Zeroed memory; NULL when there is none (nothing is raised then).
void* ss_table_memory(size_t count, size_t size);
// Frees such memory that was never published. NULL is a no-op.
void ss_table_free(void* memory);
// Retires such memory after its replacement was published: it is never freed, because readers may still use it, and
// stays reachable for leak checkers. Needs no memory. NULL is a no-op. Any thread.
void ss_retire(void* memory);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_NAME_TABLE_H_
