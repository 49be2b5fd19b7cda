// Where an entry of a large Map or Dict goes: see map_placement.h.
#include "map_placement.h"

#include <string.h>

#include "core/raise.h"

enum { LAST_JUMP = 125 };

static const char elements[] = "the elements of a container";

static int add_move(SsPlacement* p, SsMove move) {
  if (p->num_moves == p->room) {
    SsMove* more = malloc((size_t)p->room * 2 * sizeof(SsMove));
    if (more == NULL) return ss_raise_no_memory(elements);
    memcpy(more, p->moves, (size_t)p->num_moves * sizeof(SsMove));
    ss_placement_end(p);
    p->moves = more;
    p->room *= 2;
  }
  p->moves[p->num_moves++] = move;
  return 0;
}

// The ABI's limit on the load: 99 percent, in floating point.
static int is_full(const SsMapCell* cell) { return (double)(cell->size + 1) > (double)cell->capacity * 0.99; }

static int is_empty(const SsMapCell* cell, const SsPlacement* p, uint64_t bucket) {
  int empty = *ss_map_control(cell, bucket) == SS_CONTROL_EMPTY;
  for (int i = 0; i < p->num_moves; i++) {
    if (bucket == p->moves[i].to) empty = 0;
    if (bucket == p->moves[i].from) empty = i != 0;  // the first vacated bucket is kept for the new entry
  }
  return empty;
}

// The shortest jump from a bucket to one that is empty after the moves planned so far; 0 when there is none.
static uint8_t jump_to_empty(const SsMapCell* cell, const SsPlacement* p, uint64_t bucket) {
  for (int jump = 1; jump <= LAST_JUMP; jump++) {
    if (is_empty(cell, p, ss_map_target(cell, bucket, (uint8_t)jump))) return (uint8_t)jump;
  }
  return 0;
}

// `bucket` holds an entry of another chain: plans to move that entry and those after it in its chain.
static int plan_moves(const SsMapCell* cell, const SsKey* key, uint64_t bucket, SsPlacement* p) {
  SsKey stored;
  uint64_t hash;
  ss_key_make(&ss_map_bucket(cell, bucket)->entry.key, key->cell, &stored);
  if (ss_key_hash(&stored, &hash) != 0) return SS_PLACE_FAILED;
  uint64_t before = ss_map_home(cell, hash);
  for (uint64_t next; (next = ss_map_follow(cell, before)) != bucket; before = next) {
    if (next != SS_NO_BUCKET) continue;
    ss_raise("RuntimeError", "the hash of a key in a container has changed");
    return SS_PLACE_FAILED;
  }
  p->bucket = bucket;
  p->before = before;
  uint64_t last = before;
  for (uint64_t from = bucket; from != SS_NO_BUCKET; from = ss_map_follow(cell, from)) {
    uint8_t jump = jump_to_empty(cell, p, last);
    if (jump == 0) return SS_PLACE_MUST_GROW;
    last = ss_map_target(cell, last, jump);
    if (add_move(p, (SsMove){from, last, jump}) != 0) return SS_PLACE_FAILED;
  }
  return SS_PLACE_MAKING_ROOM;
}

// is_new: the table has no such key.
static int placement_of(const SsMapCell* cell, const SsKey* key, int is_new, SsPlacement* p) {
  uint64_t hash;
  if (cell->capacity == 0) return SS_PLACE_MUST_GROW;
  if (ss_key_hash(key, &hash) != 0) return SS_PLACE_FAILED;
  uint64_t bucket = ss_map_home(cell, hash);
  p->bucket = bucket;
  uint8_t control = *ss_map_control(cell, bucket);
  if (control == SS_CONTROL_EMPTY) return SS_PLACE_HEAD;
  if (control & SS_CONTROL_MEMBER) return is_full(cell) ? SS_PLACE_MUST_GROW : plan_moves(cell, key, bucket, p);
  for (uint64_t next;; bucket = next) {
    int equal = is_new ? 0 : ss_key_equal(key, &ss_map_bucket(cell, bucket)->entry.key);
    if (equal < 0) return SS_PLACE_FAILED;
    if (equal) {
      p->bucket = bucket;
      return SS_PLACE_EXISTING;
    }
    next = ss_map_follow(cell, bucket);
    if (next == SS_NO_BUCKET) break;
  }
  if (is_full(cell)) return SS_PLACE_MUST_GROW;
  p->before = bucket;
  p->jump = jump_to_empty(cell, p, bucket);
  if (p->jump == 0) return SS_PLACE_MUST_GROW;
  p->bucket = ss_map_target(cell, bucket, p->jump);
  return SS_PLACE_CHAINED;
}

void ss_map_place(const SsMapCell* cell, const SsKey* key, int is_new, SsPlacement* p) {
  p->num_moves = 0;
  p->room = SS_USUAL_MOVES;
  p->moves = p->usual;
  p->before = SS_NO_BUCKET;
  p->kind = placement_of(cell, key, is_new, p);
}
