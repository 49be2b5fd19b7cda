// A hash table from objects to 64-bit words, for the walks over graphs of objects (object_table.c). One thread at a
// time uses a table.
#ifndef SELFSAME_INTERNAL_PLANE_CORE_OBJECT_TABLE_H_
#define SELFSAME_INTERNAL_PLANE_CORE_OBJECT_TABLE_H_

#include <stddef.h>

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

typedef struct {
  TVMFFIObject* obj;  // NULL: empty
  uint64_t word;      // what the walk notes for the object
} SsObjectBucket;

// The table owns a reference to each of its objects, so that no other object gets such an address. Zero is an empty
// table; ss_object_table_clear frees it.
typedef struct {
  SsObjectBucket* buckets;  // owned, from calloc; NULL while size is 0
  size_t size, used;        // size is 0 or a power of two
} SsObjectTable;

// The word of an object, in the table until its next change; NULL when it has none.
const uint64_t* ss_object_table_get(const SsObjectTable* table, const TVMFFIObject* obj);

// Stores the word of an object, and takes a reference to an object that is new. Returns 0, or -1 with MemoryError
// raised; `walk` names the walk in it.
int ss_object_table_set(SsObjectTable* table, TVMFFIObject* obj, uint64_t word, const char* walk);

// Releases the objects and frees the table's memory.
void ss_object_table_free(SsObjectTable* table);
static inline void ss_object_table_clear(SsObjectTable* table) {
  if (table->buckets != NULL) ss_object_table_free(table);
}

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_OBJECT_TABLE_H_
