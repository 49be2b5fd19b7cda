// Storing, removing and building in a Map or Dict without entering Go, as long as no key on the way needs anybody
// else's code. Package container has the same rules, and everything that this file leaves to it.
//
// What is to be done is found first, without changing anything; then the key and the value are taken over; then it is
// done, which cannot fail. So the answer "package container must" always finds the map, and the arguments, untouched.
#include "map_key.h"

enum { LAST_JUMP = 125, MAX_MOVES = 24 };

// The objects made here have room for the largest small layout, whatever `slots` says.
static const size_t small_pairs = sizeof(TVMFFIObject) + offsetof(SsMapCell, shift);

// ---- where an entry goes -----------------------------------------------------------------------------------

typedef enum { MUST_GROW, MUST_ENTER_GO, EXISTING, HEAD, CHAINED, MAKING_ROOM } place_kind;

// An entry on its way out of the way, with the jump that leads to its new slot from the one before it in its chain.
typedef struct {
  uint64_t from, to;
  uint8_t jump;
} move;

typedef struct {
  uint64_t slot;
  uint64_t prior;  // CHAINED: the last of the chain; MAKING_ROOM: the one before the member in the way
  uint8_t jump;    // CHAINED: from prior to slot
  int num_moves;   // MAKING_ROOM: who moves, in order
  move moves[MAX_MOVES];
} place;

static uint64_t target(const SsMapCell* cell, uint64_t slot, uint8_t jump) {
  return (slot + ss_hash_jump(jump)) & (cell->capacity - 1);
}

// The next member of a slot's chain, or SS_NO_BUCKET.
static uint64_t follow(const SsMapCell* cell, uint64_t slot) {
  uint8_t jump = *ss_map_control(cell, slot) & SS_CONTROL_JUMP;
  return ss_hash_jump(jump) == 0 ? SS_NO_BUCKET : target(cell, slot, jump);
}

static void set_jump(const SsMapCell* cell, uint64_t slot, uint8_t jump) {
  uint8_t* state = ss_map_control(cell, slot);
  *state = (uint8_t)((*state & SS_CONTROL_MEMBER) | jump);
}

// The ABI's limit on the load: 99 percent, in floating point.
static int is_full(const SsMapCell* cell) { return (double)(cell->size + 1) > (double)cell->capacity * 0.99; }

static int is_empty(const SsMapCell* cell, const place* p, uint64_t slot) {
  int empty = *ss_map_control(cell, slot) == SS_CONTROL_EMPTY;
  for (int i = 0; i < p->num_moves; i++) {
    if (slot == p->moves[i].to) empty = 0;
    if (slot == p->moves[i].from) empty = i != 0;  // the first vacated slot is kept for the new entry
  }
  return empty;
}

// The shortest jump from a slot to an empty one, as things stand after the moves planned so far; 0 when there is none.
static uint8_t jump_to_empty(const SsMapCell* cell, const place* p, uint64_t slot) {
  for (int jump = 1; jump <= LAST_JUMP; jump++) {
    if (is_empty(cell, p, target(cell, slot, (uint8_t)jump))) return (uint8_t)jump;
  }
  return 0;
}

// The member of another chain that is in the slot, and those after it, make room.
static place_kind plan_moves(const SsMapCell* cell, uint64_t slot, place* p) {
  ss_plain_key stored;
  if (!ss_key_make(&ss_map_bucket(cell, slot)->entry.key, &stored)) return MUST_ENTER_GO;
  uint64_t before = ss_hash_home(cell, ss_key_hash(&stored));
  for (uint64_t next; (next = follow(cell, before)) != slot; before = next) {
    if (next == SS_NO_BUCKET) return MUST_ENTER_GO;  // not where its hash says: Go has the words for that
  }
  p->slot = slot;
  p->prior = before;
  uint64_t last = before;
  for (uint64_t from = slot; from != SS_NO_BUCKET; from = follow(cell, from)) {
    if (p->num_moves == MAX_MOVES) return MUST_ENTER_GO;
    uint8_t jump = jump_to_empty(cell, p, last);
    if (jump == 0) return MUST_GROW;
    last = target(cell, last, jump);
    p->moves[p->num_moves++] = (move){from, last, jump};
  }
  return MAKING_ROOM;
}

static place_kind find_place(const SsMapCell* cell, const ss_plain_key* key, place* p) {
  p->num_moves = 0;
  p->prior = SS_NO_BUCKET;
  if (cell->capacity == 0) return MUST_GROW;
  uint64_t slot = ss_hash_home(cell, ss_key_hash(key));
  p->slot = slot;
  uint8_t state = *ss_map_control(cell, slot);
  if (state == SS_CONTROL_EMPTY) return HEAD;
  if (state & SS_CONTROL_MEMBER) return is_full(cell) ? MUST_GROW : plan_moves(cell, slot, p);
  for (uint64_t next;; slot = next) {
    if (ss_key_equal(key, &ss_map_bucket(cell, slot)->entry.key)) {
      p->slot = slot;
      return EXISTING;
    }
    next = follow(cell, slot);
    if (next == SS_NO_BUCKET) break;
  }
  if (is_full(cell)) return MUST_GROW;
  p->prior = slot;
  p->jump = jump_to_empty(cell, p, slot);
  if (p->jump == 0) return MUST_GROW;
  p->slot = target(cell, slot, p->jump);
  return CHAINED;
}

// ---- changing ----------------------------------------------------------------------------------------------

// Makes two slots neighbours in the order of insertion; SS_NO_BUCKET is either end.
static void join(SsMapCell* cell, uint64_t before, uint64_t after) {
  *(before == SS_NO_BUCKET ? &cell->head : &ss_map_bucket(cell, before)->next) = after;
  *(after == SS_NO_BUCKET ? &cell->tail : &ss_map_bucket(cell, after)->prev) = before;
}

static void append_to_order(SsMapCell* cell, uint64_t slot) {
  SsBucket* item = ss_map_bucket(cell, slot);
  item->prev = cell->tail;
  item->next = SS_NO_BUCKET;
  *(cell->tail == SS_NO_BUCKET ? &cell->head : &ss_map_bucket(cell, cell->tail)->next) = slot;
  cell->tail = slot;
}

// Takes an entry to a free slot, where it keeps its place in the order.
static void move_entry(SsMapCell* cell, uint64_t from, uint64_t to) {
  SsBucket* item = ss_map_bucket(cell, to);
  *item = *ss_map_bucket(cell, from);
  join(cell, item->prev, to);
  join(cell, to, item->next);
}

// Stores an entry, which the table takes over, at its place.
static void put(SsMapCell* cell, place_kind kind, const place* p, const SsEntry* owned) {
  uint8_t state = 0;
  if (kind == CHAINED) {
    state = SS_CONTROL_MEMBER;
    set_jump(cell, p->prior, p->jump);
  }
  uint64_t last = p->prior;
  for (int i = 0; i < p->num_moves; i++) {
    const move* m = &p->moves[i];
    *ss_map_control(cell, m->to) = SS_CONTROL_MEMBER;
    move_entry(cell, m->from, m->to);
    *ss_map_control(cell, m->from) = SS_CONTROL_EMPTY;  // the first of them is p->slot, which is taken below
    set_jump(cell, last, m->jump);
    last = m->to;
  }
  *ss_map_control(cell, p->slot) = state;
  ss_map_bucket(cell, p->slot)->entry = *owned;
  append_to_order(cell, p->slot);
  cell->size++;
}

// Puts a value into the place of another, whose entry becomes the newest. The old value is the caller's then.
static TVMFFIAny replace_dense(SsMapCell* cell, uint64_t slot, const TVMFFIAny* owned) {
  SsBucket* item = ss_map_bucket(cell, slot);
  TVMFFIAny old = item->entry.value;
  item->entry.value = *owned;
  join(cell, item->prev, item->next);
  append_to_order(cell, slot);
  return old;
}

// ---- tables ------------------------------------------------------------------------------------------------

// The slots and shift of a table for a number of entries.
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

// Gives a cell whose slots and shift are set an empty table. Returns 0, or -1 raised.
static int make_table(SsMapCell* cell) {
  uint64_t blocks = (cell->capacity + SS_BLOCK_BUCKETS - 1) / SS_BLOCK_BUCKETS;
  if (blocks > PTRDIFF_MAX / sizeof(SsBlock)) return ss_raise_no_memory("the elements of a container");
  cell->data = ss_buffer_new(blocks * sizeof(SsBlock));
  if (cell->data == NULL) return -1;
  for (uint64_t slot = 0; slot < cell->capacity; slot += SS_BLOCK_BUCKETS)
    memset(ss_map_control(cell, slot), SS_CONTROL_EMPTY, SS_BLOCK_BUCKETS);
  cell->data_deleter = ss_buffer_free;
  cell->size = 0;
  cell->head = cell->tail = SS_NO_BUCKET;
  return 0;
}

// Copies an entry, bit by bit, into a table that nobody else sees and that has no such key. Returns whether it went.
static place_kind copy_entry(SsMapCell* table, const SsEntry* pair) {
  ss_plain_key key;
  place p;
  if (!ss_key_make(&pair->key, &key)) return MUST_ENTER_GO;
  place_kind kind = find_place(table, &key, &p);
  if (kind == EXISTING) return MUST_ENTER_GO;  // the bits of a key have changed in the map
  if (kind != MUST_GROW && kind != MUST_ENTER_GO) put(table, kind, &p, pair);
  return kind;
}

static place_kind copy_entries(const SsMapCell* from, SsMapCell* table) {
  place_kind kind = HEAD;
  if (ss_map_is_small(from)) {
    const SsEntry* pairs = from->data;
    for (uint64_t i = 0; i < from->size && kind > MUST_ENTER_GO; i++) kind = copy_entry(table, &pairs[i]);
  } else if (from->size != 0) {
    for (uint64_t slot = from->head; slot != SS_NO_BUCKET && kind > MUST_ENTER_GO;) {
      const SsBucket* item = ss_map_bucket(from, slot);
      kind = copy_entry(table, &item->entry);
      slot = item->next;
    }
  }
  return kind;
}

// Makes a larger table with a map's entries, which still belong to the map, and finds a key's place in it. Returns 1
// with *kind and *p, 0 when package container must, or -1 raised; then there is no table.
static int grow(const SsMapCell* from, const ss_plain_key* key, SsMapCell* table, place_kind* kind, place* p) {
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
    if (*kind > MUST_ENTER_GO) *kind = find_place(table, key, p);
    if (*kind > MUST_ENTER_GO) return 1;
    ss_buffer_free(table->data);
    if (*kind == MUST_ENTER_GO) return 0;
  }
}

// ---- storing -----------------------------------------------------------------------------------------------

// Takes an entry over. Returns 0, or -1 raised.
static int own(SsEntry* owned, const TVMFFIAny* key, const TVMFFIAny* value) {
  if (TVMFFIAnyViewToOwnedAny(key, &owned->key) != 0) return -1;
  if (TVMFFIAnyViewToOwnedAny(value, &owned->value) == 0) return 0;
  ss_any_clear(&owned->key);
  return -1;
}

// Stores into a table that has room. Returns 1, or -1 raised.
static int store(SsMapCell* cell, place_kind kind, const place* p, const TVMFFIAny* key, const TVMFFIAny* value) {
  SsEntry owned;
  if (kind == EXISTING) {
    if (TVMFFIAnyViewToOwnedAny(value, &owned.value) != 0) return -1;
    owned.value = replace_dense(cell, p->slot, &owned.value);
    ss_any_clear(&owned.value);
    return 1;
  }
  if (own(&owned, key, value) != 0) return -1;
  put(cell, kind, p, &owned);
  return 1;
}

// Moves a map into a larger table and stores there. Returns 1, 0 or -1 as ss_hash_set does.
static int store_grown(SsMapCell* cell, const ss_plain_key* plain, const TVMFFIAny* key, const TVMFFIAny* value) {
  SsMapCell table = {0};
  place_kind kind;
  place p;
  int rc = grow(cell, plain, &table, &kind, &p);
  if (rc != 1) return rc;
  SsEntry owned;
  if (kind != EXISTING ? own(&owned, key, value) != 0 : TVMFFIAnyViewToOwnedAny(value, &owned.value) != 0) {
    ss_buffer_free(table.data);
    return -1;
  }
  TVMFFIAny replaced = {.type_index = kTVMFFINone};
  if (kind == EXISTING) {
    replaced = replace_dense(&table, p.slot, &owned.value);
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

static int store_small(TVMFFIObject* map, const ss_plain_key* plain, const TVMFFIAny* key, const TVMFFIAny* value) {
  SsMapCell* cell = ss_map_cell(map);
  uint64_t slots = cell->capacity & ~SS_MAP_SMALL;
  if (slots >= SS_MAP_SMALL_MAX && cell->size >= slots)
    return store_grown(cell, plain, key, value);  // even if the key is there
  uint64_t i = ss_hash_find_small(cell, plain);
  SsEntry* pairs = cell->data;
  SsEntry owned;
  if (i != SS_NO_BUCKET) {
    if (TVMFFIAnyViewToOwnedAny(value, &owned.value) != 0) return -1;
    TVMFFIAny old = pairs[i].value;
    pairs[i].value = owned.value;
    ss_any_clear(&old);
    return 1;
  }
  if (cell->size >= slots) {
    // An object of ours has the room; of one with another deleter nobody knows.
    if (map->deleter != ss_delete_hash || cell->data != (char*)map + small_pairs) return 0;
    slots = slots < SS_MAP_SMALL_FIRST ? SS_MAP_SMALL_FIRST : SS_MAP_SMALL_MAX;
  }
  if (own(&owned, key, value) != 0) return -1;
  pairs[cell->size++] = owned;
  cell->capacity = SS_MAP_SMALL | slots;
  return 1;
}

int ss_hash_set(TVMFFIObject* map, const TVMFFIAny* key, const TVMFFIAny* value) {
  ss_plain_key plain;
  if (!ss_key_make(key, &plain)) return 0;
  SsMapCell* cell = ss_map_cell(map);
  if (ss_map_is_small(cell)) return store_small(map, &plain, key, value);
  place p;
  place_kind kind = find_place(cell, &plain, &p);
  if (kind == MUST_ENTER_GO) return 0;
  return kind == MUST_GROW ? store_grown(cell, &plain, key, value) : store(cell, kind, &p, key, value);
}

// ---- removing ----------------------------------------------------------------------------------------------

static int erase_small(SsMapCell* cell, const ss_plain_key* key, SsEntry* gone) {
  uint64_t i = ss_hash_find_small(cell, key);
  if (i == SS_NO_BUCKET) return 0;
  SsEntry* pairs = cell->data;
  *gone = pairs[i];
  cell->size--;
  memmove(&pairs[i], &pairs[i + 1], (cell->size - i) * sizeof(SsEntry));
  return 1;
}

// The last of the chain fills the gap.
static int erase_dense(SsMapCell* cell, const ss_plain_key* key, SsEntry* gone) {
  uint64_t last = ss_hash_home(cell, ss_key_hash(key)), prior = SS_NO_BUCKET;
  uint64_t slot = ss_hash_find_dense(cell, key, last);
  if (slot == SS_NO_BUCKET) return 0;
  for (uint64_t next; (next = follow(cell, last)) != SS_NO_BUCKET; last = next) prior = last;
  SsBucket* item = ss_map_bucket(cell, slot);
  *gone = item->entry;
  join(cell, item->prev, item->next);
  if (slot != last) move_entry(cell, last, slot);
  *ss_map_control(cell, last) = SS_CONTROL_EMPTY;
  if (prior != SS_NO_BUCKET) set_jump(cell, prior, 0);
  cell->size--;
  return 1;
}

int ss_hash_erase(TVMFFIObject* map, const TVMFFIAny* key) {
  ss_plain_key plain;
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
  TVMFFIObject* map = ss_hash_new(type_index, small_pairs + SS_MAP_SMALL_MAX * sizeof(SsEntry));
  if (map == NULL) return NULL;
  SsMapCell* cell = ss_map_cell(map);
  cell->data = (char*)map + small_pairs;
  cell->size = 0;
  cell->capacity = SS_MAP_SMALL | SS_MAP_SMALL_FIRST;
  cell->data_deleter = NULL;
  return map;
}

int ss_hash_build(int32_t type_index, const TVMFFIAny* args, int64_t pairs, TVMFFIObjectHandle* out) {
  *out = NULL;
  for (int64_t i = 0; i < 2 * pairs; i++) {
    if (args[i].type_index == kTVMFFIObjectRValueRef) return 0;  // can be taken over only once
  }
  TVMFFIObject* map = new_small(type_index);
  if (map == NULL) return -1;
  int rc = 1;
  for (int64_t i = 0; i < pairs && rc == 1; i++) rc = ss_hash_set(map, &args[2 * i], &args[2 * i + 1]);
  if (rc == 1) {
    *out = map;
  } else {
    ss_xdecref(map);
  }
  return rc;
}
