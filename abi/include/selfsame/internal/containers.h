// The memory of Map and Dict: the one description of it in C. internal/container/layout.go is the one in Go, and
// internal/container/layout_test.go compares the two. (Array and List are TVMFFISeqCell of c_api.h.)
//
// A *small* map has up to SS_MAP_SMALL_MAX entries in a row. A *dense* map is a hash table: blocks of SS_BLOCK_BUCKETS
// control bytes followed by as many buckets, whose entries form a doubly linked list in order of insertion.
//
// Not in build/include: this is upstream's layout, which its headers inline, but no promise of selfsame. Nothing here
// takes a lock or a reference: the caller makes sure that no other thread changes the map.
#ifndef SELFSAME_INTERNAL_CONTAINERS_H_
#define SELFSAME_INTERNAL_CONTAINERS_H_

#include <stddef.h>

#include "selfsame/c_api.h"

// A key with its value, both owned.
typedef struct {
  TVMFFIAny key;
  TVMFFIAny value;
} SsEntry;

// The place of one entry in a dense map. `prev` and `next` are numbers of buckets in order of insertion.
typedef struct {
  SsEntry entry;
  uint64_t prev;
  uint64_t next;
} SsBucket;

enum { SS_BLOCK_BUCKETS = 16 };

typedef struct {
  uint8_t control[SS_BLOCK_BUCKETS];
  SsBucket buckets[SS_BLOCK_BUCKETS];
} SsBlock;

// The cell of Map and Dict, directly behind the header. A small Dict becomes dense in place, so every object has room
// for the whole cell; in a small object the memory from `shift` on may hold entries.
typedef struct {
  void* data;                   // small: SsEntry[]; dense: SsBlock[]; NULL for a dense map whose memory was moved out
  uint64_t size;                // number of entries
  uint64_t capacity;            // small: SS_MAP_SMALL | room for entries; dense: number of buckets, 0 or a power of two
  void (*data_deleter)(void*);  // frees `data`; NULL: the entries lie inside the object

  // Dense maps alone.
  uint32_t shift;  // the home bucket of a hash is the top 64 - shift bits of its product with SS_HASH_FACTOR
  uint64_t head;   // first and last bucket in order of insertion; SS_NO_BUCKET when there is none
  uint64_t tail;
} SsMapCell;

#define SS_MAP_SMALL ((uint64_t)1 << 63)  // in SsMapCell.capacity
#define SS_NO_BUCKET UINT64_MAX
#define SS_HASH_FACTOR UINT64_C(11400714819323198485)

enum {
  SS_MAP_SMALL_FIRST = 2,  // room of an empty map
  SS_MAP_SMALL_MAX = 4,    // room of the largest small map
};

// The low 7 bits of a control byte say how far the next bucket of the chain is: a number of the jump table, 0 where the
// chain ends. Its top bit is set in a bucket that is not the first of its chain.
enum {
  SS_CONTROL_MEMBER = 0x80,
  SS_CONTROL_JUMP = 0x7f,
  SS_CONTROL_NO_ENTRY = 0xfe,  // this and above: no entry
  SS_CONTROL_EMPTY = 0xff,     // (0xfe: C++ code is just moving the entry away)
};

static inline SsMapCell* ss_map_cell(const TVMFFIObject* map) {
  return (SsMapCell*)((uintptr_t)map + sizeof(TVMFFIObject));
}

static inline int ss_map_is_small(const SsMapCell* cell) { return (cell->capacity & SS_MAP_SMALL) != 0; }

// Bucket i of a dense map, and its control byte.
static inline uint8_t* ss_map_control(const SsMapCell* cell, uint64_t i) {
  return &((SsBlock*)cell->data)[i / SS_BLOCK_BUCKETS].control[i % SS_BLOCK_BUCKETS];
}
static inline SsBucket* ss_map_bucket(const SsMapCell* cell, uint64_t i) {
  return &((SsBlock*)cell->data)[i / SS_BLOCK_BUCKETS].buckets[i % SS_BLOCK_BUCKETS];
}

// Walking in order of address, for a caller that wants every entry and not their order:
//   for (uint64_t i = 0; i < ss_map_walk_end(cell); i++) if ((entry = ss_map_walk(cell, i)) != NULL) ...
static inline uint64_t ss_map_walk_end(const SsMapCell* cell) {
  if (cell->data == NULL) return 0;
  return ss_map_is_small(cell) ? cell->size : cell->capacity;
}
static inline SsEntry* ss_map_walk(const SsMapCell* cell, uint64_t i) {
  if (ss_map_is_small(cell)) return (SsEntry*)cell->data + i;
  return *ss_map_control(cell, i) < SS_CONTROL_NO_ENTRY ? &ss_map_bucket(cell, i)->entry : NULL;
}

#endif  // SELFSAME_INTERNAL_CONTAINERS_H_
