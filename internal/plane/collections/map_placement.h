// Where an entry of a large Map or Dict goes (map_placement.c): the buckets and jumps of the ABI's table, planned before
// anything is changed. For map_store.c, which carries a plan out.
#ifndef SELFSAME_INTERNAL_PLANE_COLLECTIONS_MAP_PLACEMENT_H_
#define SELFSAME_INTERNAL_PLANE_COLLECTIONS_MAP_PLACEMENT_H_

#include <stdlib.h>

#include "map_key.h"

#pragma GCC visibility push(hidden)

enum { SS_USUAL_MOVES = 24 };

// One entry moves to another bucket, to which `jump` leads from the bucket before it in its chain.
typedef struct {
  uint64_t from, to;  // buckets
  uint8_t jump;       // the index of the distance in the table of jumps
} SsMove;

// A plan; ss_placement_end frees what it has.
typedef struct {
  enum {
    SS_PLACE_FAILED,       // an error is raised
    SS_PLACE_MUST_GROW,    // the table has no bucket for the entry
    SS_PLACE_EXISTING,     // the key is in `bucket`
    SS_PLACE_HEAD,         // `bucket` is empty and begins the chain
    SS_PLACE_CHAINED,      // `bucket` is empty and continues the chain
    SS_PLACE_MAKING_ROOM,  // `bucket` begins the chain once its member of another chain has moved on
  } kind;
  uint8_t jump;     // SS_PLACE_CHAINED: from before to bucket
  int num_moves;    // SS_PLACE_MAKING_ROOM: the entries to move, in order
  int room;         // for moves
  uint64_t bucket;  // the bucket of the new entry
  // SS_PLACE_CHAINED: the last bucket of the chain; SS_PLACE_MAKING_ROOM: the one before `bucket` in the other chain.
  uint64_t before;
  SsMove* moves;                 // in order: usual, or memory from malloc
  SsMove usual[SS_USUAL_MOVES];  // the moves of nearly all plans
} SsPlacement;

// Plans where a key goes; is_new: the table has no such key. It raises an error when p->kind is SS_PLACE_FAILED. The caller
// ends *p in each case.
void ss_map_place(const SsMapCell* cell, const SsKey* key, int is_new, SsPlacement* p);

static inline void ss_placement_end(SsPlacement* p) {
  if (p->moves != p->usual) free(p->moves);
}

static inline uint64_t ss_map_target(const SsMapCell* cell, uint64_t bucket, uint8_t jump) {
  return (bucket + ss_map_jump(jump)) & (cell->capacity - 1);
}

// The next member of a bucket's chain, or SS_NO_BUCKET.
static inline uint64_t ss_map_follow(const SsMapCell* cell, uint64_t bucket) {
  uint8_t jump = *ss_map_control(cell, bucket) & SS_CONTROL_JUMP;
  return ss_map_jump(jump) == 0 ? SS_NO_BUCKET : ss_map_target(cell, bucket, jump);
}

static inline void ss_map_set_jump(const SsMapCell* cell, uint64_t bucket, uint8_t jump) {
  uint8_t* control = ss_map_control(cell, bucket);
  *control = (uint8_t)((*control & SS_CONTROL_MEMBER) | jump);
}

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_COLLECTIONS_MAP_PLACEMENT_H_
