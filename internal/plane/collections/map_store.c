// Storing in, removing from and building a Map or Dict.
//
// Each operation first plans the change without changing anything, because hooks of keys may fail or look at the map;
// then it makes owned values of the key and the value, then it carries out the plan, which cannot fail. It releases
// values last, because a release may run any code.
#include <stdlib.h>

#include "scalars/buffer.h"
#include "core/chains.h"
#include "map.h"
#include "map_key.h"
#include "map_placement.h"
#include "core/raise.h"
#include "selfsame/internal/map_cursor.h"
#include "selfsame/internal/values.h"

static const char elements[] = "the elements of a container";

// Where the entries of a small map begin. An object made here has room for SS_MAP_SMALL_MAX of them, whatever its
// `capacity` says.
static const size_t small_entries = sizeof(TVMFFIObject) + offsetof(SsMapCell, shift);

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
static void put(SsMapCell* cell, const SsPlacement* p, const SsEntry* owned) {
  uint8_t control = 0;
  if (p->kind == SS_PLACE_CHAINED) {
    control = SS_CONTROL_MEMBER;
    ss_map_set_jump(cell, p->before, p->jump);
  }
  uint64_t last = p->before;
  for (int i = 0; i < p->num_moves; i++) {
    const SsMove* m = &p->moves[i];
    *ss_map_control(cell, m->to) = SS_CONTROL_MEMBER;
    move_entry(cell, m->from, m->to);
    *ss_map_control(cell, m->from) = SS_CONTROL_EMPTY;  // the first of them is p->bucket, which is filled below
    ss_map_set_jump(cell, last, m->jump);
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

static void empty_table(SsMapCell* cell) {
  for (uint64_t bucket = 0; bucket < cell->capacity; bucket += SS_BLOCK_BUCKETS)
    memset(ss_map_control(cell, bucket), SS_CONTROL_EMPTY, SS_BLOCK_BUCKETS);
  cell->head = cell->tail = SS_NO_BUCKET;
}

// Makes an empty table for a cell whose capacity and shift are set. Returns 0, or -1 raised.
static int make_table(SsMapCell* cell) {
  uint64_t blocks = (cell->capacity + SS_BLOCK_BUCKETS - 1) / SS_BLOCK_BUCKETS;
  if (blocks > PTRDIFF_MAX / sizeof(SsBlock)) return ss_raise_too_many();
  cell->data = ss_buffer_new(blocks * sizeof(SsBlock));
  if (cell->data == NULL) return -1;
  cell->data_deleter = ss_buffer_free;
  cell->size = 0;
  empty_table(cell);
  return 0;
}

// Copies an entry, without taking references, into a new table that has no such key. Returns the kind of its placement;
// after SS_PLACE_FAILED and SS_PLACE_MUST_GROW it was not copied.
static int copy_entry(SsMapCell* table, const SsEntry* entry, const SsMapCell* map) {
  SsKey key;
  SsPlacement p;
  ss_key_make(&entry->key, map, &key);
  ss_map_place(table, &key, 1, &p);
  if (p.kind > SS_PLACE_MUST_GROW) put(table, &p, entry);
  ss_placement_end(&p);
  return p.kind;
}

// Copies all entries of a map, until one has no placement; returns the kind of the last one's placement.
static int copy_entries(const SsMapCell* from, SsMapCell* table) {
  uint64_t i = from->size == 0 ? SS_NO_BUCKET : ss_map_is_small(from) ? 0 : from->head;
  while (i != SS_NO_BUCKET) {
    int kind = copy_entry(table, ss_map_entry_at(from, i), from);
    if (kind <= SS_PLACE_MUST_GROW) return kind;
    i = ss_map_index_after(from, i);
  }
  return SS_PLACE_HEAD;
}

// Makes a larger table with a map's entries, whose references the map still owns, and plans where a key goes in it.
// Returns 0, or -1 raised: then there is no table. The caller ends *p in both cases.
static int grow(const SsMapCell* from, const SsKey* key, int is_new, SsMapCell* table, SsPlacement* p) {
  p->moves = p->usual;
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
    int kind = copy_entries(from, table);
    if (kind > SS_PLACE_MUST_GROW) {
      ss_map_place(table, key, is_new, p);
      kind = p->kind;
    }
    if (kind > SS_PLACE_MUST_GROW) return 0;
    ss_buffer_free(table->data);
    if (kind == SS_PLACE_FAILED) return -1;
    ss_placement_end(p);
    p->moves = p->usual;
  }
}

// ---- storing -----------------------------------------------------------------------------------------------

// A key and a value on their way into a map: views, or owned values that the map takes over.
typedef struct {
  const TVMFFIAny *key, *value;  // borrowed from the caller, who gives them up if is_owned
  int is_owned;                  // whether the map takes over both
} Source;

// Makes an owned value. Returns 0, or -1 raised.
static int own(const Source* from, const TVMFFIAny* value, TVMFFIAny* owned) {
  if (!from->is_owned) return TVMFFIAnyViewToOwnedAny(value, owned);
  *owned = *value;
  return 0;
}

// Makes the owned values of a new entry. Returns 0, or -1 raised.
static inline int own_new(const Source* from, SsEntry* owned) {
  if (own(from, from->key, &owned->key) != 0) return -1;
  if (own(from, from->value, &owned->value) == 0) return 0;
  ss_any_clear(&owned->key);
  return -1;
}

// Makes the owned values that a new entry needs (is_new), or a value alone. *unused is what the caller releases when it
// has stored them. Returns 0, or -1 raised.
static int own_entry(const Source* from, int is_new, SsEntry* owned, SsEntry* unused) {
  ss_set_none(&unused->key);
  ss_set_none(&unused->value);
  if (is_new) return own_new(from, owned);
  if (from->is_owned) unused->key = *from->key;
  return own(from, from->value, &owned->value);
}

static void release_entry(SsEntry* gone) {
  ss_release_any(&gone->key);
  ss_release_any(&gone->value);
}

// Moves a map into a larger table and stores there.
static int set_grown(SsMapCell* cell, const SsKey* key, int is_new, const Source* from) {
  SsMapCell table = {0};
  SsPlacement p;
  SsEntry owned, unused;
  int rc = grow(cell, key, is_new, &table, &p);
  if (rc == 0 && own_entry(from, p.kind != SS_PLACE_EXISTING, &owned, &unused) != 0) {
    ss_buffer_free(table.data);
    rc = -1;
  }
  if (rc == 0) {
    if (p.kind == SS_PLACE_EXISTING) {
      unused.value = replace_dense(&table, p.bucket, &owned.value);
    } else {
      put(&table, &p, &owned);
    }
    void* old_data = cell->data;
    void (*old_deleter)(void*) = cell->data_deleter;
    *cell = table;
    if (old_deleter != NULL && old_data != NULL) old_deleter(old_data);
    release_entry(&unused);
  }
  ss_placement_end(&p);
  return rc;
}

static int set_dense(SsMapCell* cell, const SsKey* key, const Source* from) {
  SsPlacement p;
  SsEntry owned, unused;
  int rc = -1;
  ss_map_place(cell, key, 0, &p);
  if (p.kind == SS_PLACE_MUST_GROW) {
    rc = set_grown(cell, key, 1, from);
  } else if (p.kind > SS_PLACE_EXISTING) {
    if ((rc = own_new(from, &owned)) == 0) put(cell, &p, &owned);
  } else if (p.kind == SS_PLACE_EXISTING && (rc = own_entry(from, 0, &owned, &unused)) == 0) {
    unused.value = replace_dense(cell, p.bucket, &owned.value);
    release_entry(&unused);
  }
  ss_placement_end(&p);
  return rc;
}

// Gives a small map whose room is used up more. Returns 0, or -1 raised.
static int grow_small(TVMFFIObject* map) {
  SsMapCell* cell = ss_map_cell(map);
  uint64_t room = (cell->capacity & ~SS_MAP_SMALL) < SS_MAP_SMALL_FIRST ? SS_MAP_SMALL_FIRST : SS_MAP_SMALL_MAX;
  // An object made here has the room; how much one with another deleter has is unknown.
  if (map->deleter != ss_delete_map || cell->data != (char*)map + small_entries) {
    void* data = ss_buffer_new(room * sizeof(SsEntry));
    if (data == NULL) return -1;
    if (cell->size != 0) memcpy(data, cell->data, cell->size * sizeof(SsEntry));
    void* old_data = cell->data;
    void (*old_deleter)(void*) = cell->data_deleter;
    cell->data = data;
    cell->data_deleter = ss_buffer_free;
    if (old_deleter != NULL && old_data != NULL) old_deleter(old_data);
  }
  cell->capacity = SS_MAP_SMALL | room;
  return 0;
}

static int set_small(TVMFFIObject* map, const SsKey* key, const Source* from) {
  SsMapCell* cell = ss_map_cell(map);
  uint64_t room = cell->capacity & ~SS_MAP_SMALL;
  if (room >= SS_MAP_SMALL_MAX && cell->size >= room) return set_grown(cell, key, 0, from);  // even if the key is there
  uint64_t i = ss_map_find_small(cell, key);
  if (i == SS_FIND_RAISED) return -1;
  SsEntry owned, unused;
  if (i == SS_NO_BUCKET) {
    if (own_new(from, &owned) != 0) return -1;
    if (cell->size >= room && grow_small(map) != 0) {
      if (!from->is_owned) release_entry(&owned);
      return -1;
    }
    ((SsEntry*)cell->data)[cell->size++] = owned;
    return 0;
  }
  if (own_entry(from, 0, &owned, &unused) != 0) return -1;
  SsEntry* entry = (SsEntry*)cell->data + i;
  unused.value = entry->value;
  entry->value = owned.value;
  release_entry(&unused);
  return 0;
}

static int set(TVMFFIObject* map, const SsKey* key, const Source* from) {
  SsMapCell* cell = ss_map_cell(map);
  return ss_map_is_small(cell) ? set_small(map, key, from) : set_dense(cell, key, from);
}

int ss_map_set(TVMFFIObject* map, const TVMFFIAny* key, const TVMFFIAny* value) {
  SsKey made;
  TVMFFIAny owned;
  if (ss_key_begin(key, ss_map_cell(map), &made, &owned) != 0) return -1;
  const Source from = {owned.type_index == kTVMFFINone ? key : &owned, value, 0};
  int rc = set(map, &made, &from);
  ss_any_clear(&owned);
  return rc;
}

// ---- removing ----------------------------------------------------------------------------------------------

static void erase_small(SsMapCell* cell, uint64_t i) {
  SsEntry* entries = cell->data;
  cell->size--;
  memmove(&entries[i], &entries[i + 1], (cell->size - i) * sizeof(SsEntry));
}

// The last entry of the chain, which begins at `home`, moves into the bucket that became empty.
static void erase_dense(SsMapCell* cell, uint64_t home, uint64_t bucket) {
  uint64_t last = home, before = SS_NO_BUCKET;
  for (uint64_t next; (next = ss_map_follow(cell, last)) != SS_NO_BUCKET; last = next) before = last;
  const SsBucket* at = ss_map_bucket(cell, bucket);
  join(cell, at->prev, at->next);
  if (bucket != last) move_entry(cell, last, bucket);
  *ss_map_control(cell, last) = SS_CONTROL_EMPTY;
  if (before != SS_NO_BUCKET) ss_map_set_jump(cell, before, 0);
  cell->size--;
}

static int erase(SsMapCell* cell, const SsKey* key, int* found) {
  uint64_t i, home = 0;
  int is_small = ss_map_is_small(cell);
  *found = 0;
  if (cell->size == 0) return 0;
  if (is_small) {
    i = ss_map_find_small(cell, key);
  } else {
    uint64_t hash;
    if (ss_key_hash(key, &hash) != 0) return -1;
    home = ss_map_home(cell, hash);
    i = ss_map_find_dense(cell, key, home);
  }
  if (i == SS_FIND_RAISED) return -1;
  if (i == SS_NO_BUCKET) return 0;
  SsEntry gone = *ss_map_entry_at(cell, i);
  if (is_small) {
    erase_small(cell, i);
  } else {
    erase_dense(cell, home, i);
  }
  release_entry(&gone);
  *found = 1;
  return 0;
}

int ss_map_erase(TVMFFIObject* map, const TVMFFIAny* key, int* found) {
  SsKey made;
  TVMFFIAny owned;
  int ignored;
  if (ss_key_begin(key, ss_map_cell(map), &made, &owned) != 0) return -1;
  int rc = erase(ss_map_cell(map), &made, found == NULL ? &ignored : found);
  ss_any_clear(&owned);
  return rc;
}

int ss_map_clear(TVMFFIObject* map) {
  SsMapCell* cell = ss_map_cell(map);
  uint64_t n = 0;
  if (cell->size == 0) return 0;
  SsEntry* gone = malloc(cell->size * sizeof(SsEntry));
  if (gone == NULL) return ss_raise_no_memory(elements);
  for (uint64_t i = ss_map_is_small(cell) ? 0 : cell->head; i != SS_NO_BUCKET; i = ss_map_index_after(cell, i))
    gone[n++] = *ss_map_entry_at(cell, i);
  cell->size = 0;
  if (!ss_map_is_small(cell)) empty_table(cell);
  for (uint64_t i = 0; i < n; i++) release_entry(&gone[i]);
  free(gone);
  return 0;
}

// ---- building ----------------------------------------------------------------------------------------------

static TVMFFIObject* new_small(int32_t type_index, uint64_t room) {
  TVMFFIObject* map = ss_map_new(type_index, small_entries + SS_MAP_SMALL_MAX * sizeof(SsEntry));
  if (map == NULL) return NULL;
  SsMapCell* cell = ss_map_cell(map);
  cell->data = (char*)map + small_entries;
  cell->size = 0;
  cell->capacity = SS_MAP_SMALL | room;
  cell->data_deleter = NULL;
  return map;
}

// A map with an empty table of a capacity and a shift that are set.
static TVMFFIObject* new_dense(int32_t type_index, SsMapCell* table) {
  if (make_table(table) != 0) return NULL;
  TVMFFIObject* map = ss_map_new(type_index, sizeof(TVMFFIObject) + sizeof(SsMapCell));
  if (map == NULL) {
    ss_buffer_free(table->data);
    return NULL;
  }
  *ss_map_cell(map) = *table;
  return map;
}

TVMFFIObject* ss_map_new_for(int32_t type_index, uint64_t entries) {
  if (entries < SS_MAP_SMALL_MAX)
    return new_small(type_index, entries < SS_MAP_SMALL_FIRST ? SS_MAP_SMALL_FIRST : entries);
  SsMapCell table = {0};
  size_table(&table, entries);
  return new_dense(type_index, &table);
}

// An empty map for a number of entries. Storing these one after the other in a new small map, as C++ code does, makes it grow
// to this size at least: so both have the same buckets in the end.
static TVMFFIObject* new_grown(int32_t type_index, uint64_t entries) {
  if (entries <= SS_MAP_SMALL_MAX) return new_small(type_index, SS_MAP_SMALL_FIRST);
  SsMapCell table = {0};
  size_table(&table, SS_MAP_SMALL_MAX);
  for (; table.capacity < entries; table.capacity *= 2) table.shift--;
  return new_dense(type_index, &table);
}

static int set_all(TVMFFIObject* map, const TVMFFIAny* args, int64_t pairs) {
  int rc = map == NULL ? -1 : 0;
  for (int64_t i = 0; rc == 0 && i < pairs; i++) rc = ss_map_set(map, &args[2 * i], &args[2 * i + 1]);
  return rc;
}

int ss_map_build(int32_t type_index, const TVMFFIAny* args, int64_t pairs, TVMFFIObjectHandle* out) {
  *out = NULL;
  TVMFFIObject* map = new_grown(type_index, (uint64_t)pairs);
  int rc = set_all(map, args, pairs);
  if (rc == 0 && ss_map_cell(map)->size < (uint64_t)pairs && !ss_map_is_small(ss_map_cell(map))) {
    ss_xdecref(map);  // some keys are equal, so it is too large
    map = new_small(type_index, SS_MAP_SMALL_FIRST);
    rc = set_all(map, args, pairs);
  }
  if (rc == 0) {
    *out = map;
  } else {
    ss_xdecref(map);
  }
  return rc;
}

int ss_map_fill(TVMFFIObject* map, const TVMFFIAny* items, int64_t pairs) {
  int rc = 0;
  for (int64_t i = 0; i < pairs; i++) {
    SsKey key;
    const Source from = {&items[2 * i], &items[2 * i + 1], 1};
    ss_key_make(from.key, ss_map_cell(map), &key);
    if (rc == 0) rc = set(map, &key, &from);
    if (rc == 0) continue;
    SsEntry unused = {*from.key, *from.value};
    release_entry(&unused);
  }
  return rc;
}
