// Storing in, removing from and building a Map or Dict without entering Go, as long as every key that the operation
// meets has no hooks. Package container has the same rules, and serves the calls that this file refuses.
//
// Each operation first plans the change without changing anything, then makes owned values of the key and the value,
// then carries out the plan, which cannot fail. So when it answers "ask package container", map and arguments are
// unchanged.
#include "buffer.h"
#include "map.h"
#include "map_key.h"
#include "raise.h"
#include "selfsame/internal/values.h"

enum { LAST_JUMP = 125, MAX_MOVES = 24 };

// Where the entries of a small map begin. An object made here has room for SS_MAP_SMALL_MAX of them, whatever its
// `capacity` says.
static const size_t small_entries = sizeof(TVMFFIObject) + offsetof(SsMapCell, shift);

// ---- where an entry goes -----------------------------------------------------------------------------------

typedef enum { MUST_GROW, MUST_ENTER_GO, EXISTING, HEAD, CHAINED, MAKING_ROOM } PlacementKind;

// One entry moves to another bucket, to which `jump` leads from the bucket before it in its chain.
typedef struct {
  uint64_t from, to;
  uint8_t jump;
} Move;

typedef struct {
  uint64_t bucket;
  uint64_t before;  // CHAINED: the last bucket of the chain; MAKING_ROOM: the one before `bucket` in the other chain
  uint8_t jump;     // CHAINED: from before to bucket
  int num_moves;    // MAKING_ROOM: the entries to move, in order
  Move moves[MAX_MOVES];
} Placement;

static uint64_t target(const SsMapCell* cell, uint64_t bucket, uint8_t jump) {
  return (bucket + ss_map_jump(jump)) & (cell->capacity - 1);
}

// The next member of a bucket's chain, or SS_NO_BUCKET.
static uint64_t follow(const SsMapCell* cell, uint64_t bucket) {
  uint8_t jump = *ss_map_control(cell, bucket) & SS_CONTROL_JUMP;
  return ss_map_jump(jump) == 0 ? SS_NO_BUCKET : target(cell, bucket, jump);
}

static void set_jump(const SsMapCell* cell, uint64_t bucket, uint8_t jump) {
  uint8_t* control = ss_map_control(cell, bucket);
  *control = (uint8_t)((*control & SS_CONTROL_MEMBER) | jump);
}

// The ABI's limit on the load: 99 percent, in floating point.
static int is_full(const SsMapCell* cell) { return (double)(cell->size + 1) > (double)cell->capacity * 0.99; }

static int is_empty(const SsMapCell* cell, const Placement* p, uint64_t bucket) {
  int empty = *ss_map_control(cell, bucket) == SS_CONTROL_EMPTY;
  for (int i = 0; i < p->num_moves; i++) {
    if (bucket == p->moves[i].to) empty = 0;
    if (bucket == p->moves[i].from) empty = i != 0;  // the first vacated bucket is kept for the new entry
  }
  return empty;
}

// The shortest jump from a bucket to one that is empty after the moves planned so far; 0 when there is none.
static uint8_t jump_to_empty(const SsMapCell* cell, const Placement* p, uint64_t bucket) {
  for (int jump = 1; jump <= LAST_JUMP; jump++) {
    if (is_empty(cell, p, target(cell, bucket, (uint8_t)jump))) return (uint8_t)jump;
  }
  return 0;
}

// `bucket` holds an entry of another chain: plans to move that entry and those after it in its chain.
static PlacementKind plan_moves(const SsMapCell* cell, uint64_t bucket, Placement* p) {
  SsPlainKey stored;
  if (!ss_key_make(&ss_map_bucket(cell, bucket)->entry.key, &stored)) return MUST_ENTER_GO;
  uint64_t before = ss_map_home(cell, ss_key_hash(&stored));
  for (uint64_t next; (next = follow(cell, before)) != bucket; before = next) {
    if (next == SS_NO_BUCKET) return MUST_ENTER_GO;  // not where its hash says: Go raises the error
  }
  p->bucket = bucket;
  p->before = before;
  uint64_t last = before;
  for (uint64_t from = bucket; from != SS_NO_BUCKET; from = follow(cell, from)) {
    if (p->num_moves == MAX_MOVES) return MUST_ENTER_GO;
    uint8_t jump = jump_to_empty(cell, p, last);
    if (jump == 0) return MUST_GROW;
    last = target(cell, last, jump);
    p->moves[p->num_moves++] = (Move){from, last, jump};
  }
  return MAKING_ROOM;
}

static PlacementKind find_placement(const SsMapCell* cell, const SsPlainKey* key, Placement* p) {
  p->num_moves = 0;
  p->before = SS_NO_BUCKET;
  if (cell->capacity == 0) return MUST_GROW;
  uint64_t bucket = ss_map_home(cell, ss_key_hash(key));
  p->bucket = bucket;
  uint8_t control = *ss_map_control(cell, bucket);
  if (control == SS_CONTROL_EMPTY) return HEAD;
  if (control & SS_CONTROL_MEMBER) return is_full(cell) ? MUST_GROW : plan_moves(cell, bucket, p);
  for (uint64_t next;; bucket = next) {
    if (ss_key_equal(key, &ss_map_bucket(cell, bucket)->entry.key)) {
      p->bucket = bucket;
      return EXISTING;
    }
    next = follow(cell, bucket);
    if (next == SS_NO_BUCKET) break;
  }
  if (is_full(cell)) return MUST_GROW;
  p->before = bucket;
  p->jump = jump_to_empty(cell, p, bucket);
  if (p->jump == 0) return MUST_GROW;
  p->bucket = target(cell, bucket, p->jump);
  return CHAINED;
}

// ---- changing ----------------------------------------------------------------------------------------------

// Makes two buckets neighbours in the order of insertion; SS_NO_BUCKET is either end.
static void join(SsMapCell* cell, uint64_t before, uint64_t after) {
  *(before == SS_NO_BUCKET ? &cell->head : &ss_map_bucket(cell, before)->next) = after;
  *(after == SS_NO_BUCKET ? &cell->tail : &ss_map_bucket(cell, after)->prev) = before;
}

static void append_to_order(SsMapCell* cell, uint64_t bucket) {
  SsBucket* at = ss_map_bucket(cell, bucket);
  at->prev = cell->tail;
  at->next = SS_NO_BUCKET;
  *(cell->tail == SS_NO_BUCKET ? &cell->head : &ss_map_bucket(cell, cell->tail)->next) = bucket;
  cell->tail = bucket;
}

// Moves an entry to an empty bucket. Its position in the order of insertion stays.
static void move_entry(SsMapCell* cell, uint64_t from, uint64_t to) {
  SsBucket* moved = ss_map_bucket(cell, to);
  *moved = *ss_map_bucket(cell, from);
  join(cell, moved->prev, to);
  join(cell, to, moved->next);
}

// Stores an entry, whose references the table takes over, as planned.
static void put(SsMapCell* cell, PlacementKind kind, const Placement* p, const SsEntry* owned) {
  uint8_t control = 0;
  if (kind == CHAINED) {
    control = SS_CONTROL_MEMBER;
    set_jump(cell, p->before, p->jump);
  }
  uint64_t last = p->before;
  for (int i = 0; i < p->num_moves; i++) {
    const Move* m = &p->moves[i];
    *ss_map_control(cell, m->to) = SS_CONTROL_MEMBER;
    move_entry(cell, m->from, m->to);
    *ss_map_control(cell, m->from) = SS_CONTROL_EMPTY;  // the first of them is p->bucket, which is filled below
    set_jump(cell, last, m->jump);
    last = m->to;
  }
  *ss_map_control(cell, p->bucket) = control;
  ss_map_bucket(cell, p->bucket)->entry = *owned;
  append_to_order(cell, p->bucket);
  cell->size++;
}

// Replaces the value of an entry, which becomes the newest. The caller owns the returned old value.
static TVMFFIAny replace_dense(SsMapCell* cell, uint64_t bucket, const TVMFFIAny* owned) {
  SsBucket* at = ss_map_bucket(cell, bucket);
  TVMFFIAny old = at->entry.value;
  at->entry.value = *owned;
  join(cell, at->prev, at->next);
  append_to_order(cell, bucket);
  return old;
}

// ---- tables ------------------------------------------------------------------------------------------------

// Sets capacity and shift of a table for a number of entries.
static void size_table(SsMapCell* cell, uint64_t entries) {
  cell->capacity = 1;
  cell->shift = 64;
  for (uint64_t c = entries; c != 0; c >>= 1) {
    cell->capacity <<= 1;
    cell->shift--;
  }
  if (cell->capacity < 2 * entries) {
    cell->capacity <<= 1;
    cell->shift--;
  }
}

// Makes an empty table for a cell whose capacity and shift are set. Returns 0, or -1 raised.
static int make_table(SsMapCell* cell) {
  uint64_t blocks = (cell->capacity + SS_BLOCK_BUCKETS - 1) / SS_BLOCK_BUCKETS;
  if (blocks > PTRDIFF_MAX / sizeof(SsBlock)) return ss_raise_no_memory("the elements of a container");
  cell->data = ss_buffer_new(blocks * sizeof(SsBlock));
  if (cell->data == NULL) return -1;
  for (uint64_t bucket = 0; bucket < cell->capacity; bucket += SS_BLOCK_BUCKETS)
    memset(ss_map_control(cell, bucket), SS_CONTROL_EMPTY, SS_BLOCK_BUCKETS);
  cell->data_deleter = ss_buffer_free;
  cell->size = 0;
  cell->head = cell->tail = SS_NO_BUCKET;
  return 0;
}

// Copies an entry, without taking references, into a new table that has no such key. MUST_GROW and MUST_ENTER_GO: it
// was not copied.
static PlacementKind copy_entry(SsMapCell* table, const SsEntry* entry) {
  SsPlainKey key;
  Placement p;
  if (!ss_key_make(&entry->key, &key)) return MUST_ENTER_GO;
  PlacementKind kind = find_placement(table, &key, &p);
  if (kind == EXISTING) return MUST_ENTER_GO;  // the bits of a key have changed in the map
  if (kind != MUST_GROW && kind != MUST_ENTER_GO) put(table, kind, &p, entry);
  return kind;
}

static PlacementKind copy_entries(const SsMapCell* from, SsMapCell* table) {
  PlacementKind kind = HEAD;
  if (ss_map_is_small(from)) {
    const SsEntry* entries = from->data;
    for (uint64_t i = 0; i < from->size && kind > MUST_ENTER_GO; i++) kind = copy_entry(table, &entries[i]);
  } else if (from->size != 0) {
    for (uint64_t i = from->head; i != SS_NO_BUCKET && kind > MUST_ENTER_GO;) {
      const SsBucket* bucket = ss_map_bucket(from, i);
      kind = copy_entry(table, &bucket->entry);
      i = bucket->next;
    }
  }
  return kind;
}

// Makes a larger table with a map's entries, whose references the map still owns, and plans where a key goes in it.
// Returns 1 with *kind and *p; 0 when the caller must ask package container, or -1 raised: then there is no table.
static int grow(const SsMapCell* from, const SsPlainKey* key, SsMapCell* table, PlacementKind* kind, Placement* p) {
  if (ss_map_is_small(from)) {
    size_table(table, from->size);
  } else if (from->capacity == 0) {
    size_table(table, SS_MAP_SMALL_MAX);
  } else {
    table->capacity = 2 * from->capacity;
    table->shift = from->shift - 1;
  }
  for (;; table->capacity *= 2, table->shift--) {
    if (make_table(table) != 0) return -1;
    *kind = copy_entries(from, table);
    if (*kind > MUST_ENTER_GO) *kind = find_placement(table, key, p);
    if (*kind > MUST_ENTER_GO) return 1;
    ss_buffer_free(table->data);
    if (*kind == MUST_ENTER_GO) return 0;
  }
}

// ---- storing -----------------------------------------------------------------------------------------------

// Makes an owned entry of two views. Returns 0, or -1 raised.
static int own(SsEntry* owned, const TVMFFIAny* key, const TVMFFIAny* value) {
  if (TVMFFIAnyViewToOwnedAny(key, &owned->key) != 0) return -1;
  if (TVMFFIAnyViewToOwnedAny(value, &owned->value) == 0) return 0;
  ss_any_clear(&owned->key);
  return -1;
}

// Stores into a table that has room. Returns 1, or -1 raised.
static int store(SsMapCell* cell, PlacementKind kind, const Placement* p, const TVMFFIAny* key,
                 const TVMFFIAny* value) {
  SsEntry owned;
  if (kind == EXISTING) {
    if (TVMFFIAnyViewToOwnedAny(value, &owned.value) != 0) return -1;
    owned.value = replace_dense(cell, p->bucket, &owned.value);
    ss_any_clear(&owned.value);
    return 1;
  }
  if (own(&owned, key, value) != 0) return -1;
  put(cell, kind, p, &owned);
  return 1;
}

// Moves a map into a larger table and stores there. Returns 1, 0 or -1 as ss_map_set does.
static int store_grown(SsMapCell* cell, const SsPlainKey* plain, const TVMFFIAny* key, const TVMFFIAny* value) {
  SsMapCell table = {0};
  PlacementKind kind;
  Placement p;
  int rc = grow(cell, plain, &table, &kind, &p);
  if (rc != 1) return rc;
  SsEntry owned;
  if (kind != EXISTING ? own(&owned, key, value) != 0 : TVMFFIAnyViewToOwnedAny(value, &owned.value) != 0) {
    ss_buffer_free(table.data);
    return -1;
  }
  TVMFFIAny replaced = {.type_index = kTVMFFINone};
  if (kind == EXISTING) {
    replaced = replace_dense(&table, p.bucket, &owned.value);
  } else {
    put(&table, kind, &p, &owned);
  }
  void* old_data = cell->data;
  void (*old_deleter)(void*) = cell->data_deleter;
  *cell = table;
  if (old_deleter != NULL && old_data != NULL) old_deleter(old_data);
  ss_any_clear(&replaced);
  return 1;
}

static int store_small(TVMFFIObject* map, const SsPlainKey* plain, const TVMFFIAny* key, const TVMFFIAny* value) {
  SsMapCell* cell = ss_map_cell(map);
  uint64_t room = cell->capacity & ~SS_MAP_SMALL;
  if (room >= SS_MAP_SMALL_MAX && cell->size >= room)
    return store_grown(cell, plain, key, value);  // even if the key is there
  uint64_t i = ss_map_find_small(cell, plain);
  SsEntry* entries = cell->data;
  SsEntry owned;
  if (i != SS_NO_BUCKET) {
    if (TVMFFIAnyViewToOwnedAny(value, &owned.value) != 0) return -1;
    TVMFFIAny old = entries[i].value;
    entries[i].value = owned.value;
    ss_any_clear(&old);
    return 1;
  }
  if (cell->size >= room) {
    // An object made here has room for more; how much one with another deleter has is unknown.
    if (map->deleter != ss_delete_map || cell->data != (char*)map + small_entries) return 0;
    room = room < SS_MAP_SMALL_FIRST ? SS_MAP_SMALL_FIRST : SS_MAP_SMALL_MAX;
  }
  if (own(&owned, key, value) != 0) return -1;
  entries[cell->size++] = owned;
  cell->capacity = SS_MAP_SMALL | room;
  return 1;
}

int ss_map_set(TVMFFIObject* map, const TVMFFIAny* key, const TVMFFIAny* value) {
  SsPlainKey plain;
  if (!ss_key_make(key, &plain)) return 0;
  SsMapCell* cell = ss_map_cell(map);
  if (ss_map_is_small(cell)) return store_small(map, &plain, key, value);
  Placement p;
  PlacementKind kind = find_placement(cell, &plain, &p);
  if (kind == MUST_ENTER_GO) return 0;
  return kind == MUST_GROW ? store_grown(cell, &plain, key, value) : store(cell, kind, &p, key, value);
}

// ---- removing ----------------------------------------------------------------------------------------------

static int erase_small(SsMapCell* cell, const SsPlainKey* key, SsEntry* gone) {
  uint64_t i = ss_map_find_small(cell, key);
  if (i == SS_NO_BUCKET) return 0;
  SsEntry* entries = cell->data;
  *gone = entries[i];
  cell->size--;
  memmove(&entries[i], &entries[i + 1], (cell->size - i) * sizeof(SsEntry));
  return 1;
}

// The last entry of the chain moves into the bucket that became empty.
static int erase_dense(SsMapCell* cell, const SsPlainKey* key, SsEntry* gone) {
  uint64_t last = ss_map_home(cell, ss_key_hash(key)), before = SS_NO_BUCKET;
  uint64_t bucket = ss_map_find_dense(cell, key, last);
  if (bucket == SS_NO_BUCKET) return 0;
  for (uint64_t next; (next = follow(cell, last)) != SS_NO_BUCKET; last = next) before = last;
  SsBucket* at = ss_map_bucket(cell, bucket);
  *gone = at->entry;
  join(cell, at->prev, at->next);
  if (bucket != last) move_entry(cell, last, bucket);
  *ss_map_control(cell, last) = SS_CONTROL_EMPTY;
  if (before != SS_NO_BUCKET) set_jump(cell, before, 0);
  cell->size--;
  return 1;
}

int ss_map_erase(TVMFFIObject* map, const TVMFFIAny* key) {
  SsPlainKey plain;
  if (!ss_key_make(key, &plain)) return 0;
  SsMapCell* cell = ss_map_cell(map);
  if (cell->size == 0) return 1;
  SsEntry gone;
  if (ss_map_is_small(cell) ? erase_small(cell, &plain, &gone) : erase_dense(cell, &plain, &gone)) {
    ss_any_clear(&gone.key);
    ss_any_clear(&gone.value);
  }
  return 1;
}

// ---- building ----------------------------------------------------------------------------------------------

static TVMFFIObject* new_small(int32_t type_index) {
  TVMFFIObject* map = ss_map_new(type_index, small_entries + SS_MAP_SMALL_MAX * sizeof(SsEntry));
  if (map == NULL) return NULL;
  SsMapCell* cell = ss_map_cell(map);
  cell->data = (char*)map + small_entries;
  cell->size = 0;
  cell->capacity = SS_MAP_SMALL | SS_MAP_SMALL_FIRST;
  cell->data_deleter = NULL;
  return map;
}

int ss_map_build(int32_t type_index, const TVMFFIAny* args, int64_t entries, TVMFFIObjectHandle* out) {
  *out = NULL;
  for (int64_t i = 0; i < 2 * entries; i++) {
    if (args[i].type_index == kTVMFFIObjectRValueRef)
      return 0;  // Go may have to read it again, but it can be moved only once
  }
  TVMFFIObject* map = new_small(type_index);
  if (map == NULL) return -1;
  int rc = 1;
  for (int64_t i = 0; i < entries && rc == 1; i++) rc = ss_map_set(map, &args[2 * i], &args[2 * i + 1]);
  if (rc == 1) {
    *out = map;
  } else {
    ss_xdecref(map);
  }
  return rc;
}
