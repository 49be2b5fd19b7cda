// A cursor over the entries of a Map or Dict in order of insertion, for an iterator that lets other code run between
// two steps. Values may be replaced between them. When entries were added or removed, the next step fails; it never
// reads memory that the map has given up, however the map was changed.
//
// A cursor owns nothing. Nothing here takes a lock or a reference: in each call the caller makes sure that the map
// lives and that no other thread changes it.
//
// Why an iterator over a map is in C. It must find its entry again after C++ header code has changed the map without a
// trace, and release the map when it dies, on any thread. It stores bucket and key bits of the present and the next
// entry (SsMapCursor), nothing that has to be released. Python's iterator has such a cursor of its own and owns only
// the wrapper: the runtime's iterator function would own the map, and the cycle collector cannot look into a function.
#ifndef SELFSAME_INTERNAL_MAP_CURSOR_H_
#define SELFSAME_INTERNAL_MAP_CURSOR_H_

#include "selfsame/internal/containers.h"

typedef struct {
  uint64_t index;  // of the entry (small) or the bucket (dense); SS_NO_BUCKET: the end
  TVMFFIAny key;   // its bits alone, borrowed, to recognise the entry
} SsMapPlace;

typedef struct {
  uint64_t size;       // of the map when the iteration began
  uint64_t remaining;  // entries to come, the current one included
  SsMapPlace current;
  SsMapPlace next;
} SsMapCursor;

static inline SsEntry* ss_map_entry_at(const SsMapCell* cell, uint64_t index) {
  if (ss_map_is_small(cell)) return index < cell->size ? (SsEntry*)cell->data + index : NULL;
  if (index >= cell->capacity || *ss_map_control(cell, index) >= SS_CONTROL_NO_ENTRY) return NULL;
  return &ss_map_bucket(cell, index)->entry;
}

static inline SsEntry* ss_map_cursor_find(const SsMapCursor* cursor, const SsMapCell* cell, const SsMapPlace* place) {
  if (cell->size != cursor->size) return NULL;
  SsEntry* entry = ss_map_entry_at(cell, place->index);
  if (entry == NULL || entry->key.type_index != place->key.type_index || entry->key.v_uint64 != place->key.v_uint64)
    return NULL;
  return entry;
}

static inline uint64_t ss_map_index_after(const SsMapCell* cell, uint64_t index) {
  if (ss_map_is_small(cell)) return index + 1 < cell->size ? index + 1 : SS_NO_BUCKET;
  return index < cell->capacity ? ss_map_bucket(cell, index)->next : SS_NO_BUCKET;
}

static inline SsMapPlace ss_map_place_of(const SsMapCell* cell, uint64_t index) {
  const SsEntry* entry = index == SS_NO_BUCKET ? NULL : ss_map_entry_at(cell, index);
  if (entry == NULL) return (SsMapPlace){SS_NO_BUCKET, {.type_index = kTVMFFINone}};
  return (SsMapPlace){index, {.type_index = entry->key.type_index, .v_uint64 = entry->key.v_uint64}};
}

// Chooses the next entry as soon as the current one is reached: replacing a value in a dense map moves its entry to the
// end of the order, and each entry must be given once.
static inline void ss_map_cursor_settle_next(SsMapCursor* cursor, const SsMapCell* cell) {
  uint64_t after = SS_NO_BUCKET, now = cursor->current.index;
  if (now != SS_NO_BUCKET && cursor->remaining > 1) after = ss_map_index_after(cell, now);
  cursor->next = ss_map_place_of(cell, after);
}

// Puts the cursor on the first entry, if there is one.
static inline void ss_map_cursor_begin(SsMapCursor* cursor, const SsMapCell* cell) {
  cursor->size = cursor->remaining = cell->size;
  uint64_t first = cell->size == 0 ? SS_NO_BUCKET : ss_map_is_small(cell) ? 0 : cell->head;
  cursor->current = ss_map_place_of(cell, first);
  ss_map_cursor_settle_next(cursor, cell);
}

// Whether the cursor is behind the last entry.
static inline int ss_map_cursor_at_end(const SsMapCursor* cursor) { return cursor->current.index == SS_NO_BUCKET; }

// The current entry, borrowed until the map changes. NULL when the map has changed, and at the end.
static inline SsEntry* ss_map_cursor_entry(const SsMapCursor* cursor, const SsMapCell* cell) {
  return ss_map_cursor_at_end(cursor) ? NULL : ss_map_cursor_find(cursor, cell, &cursor->current);
}

// Moves to the next entry, or to the end. *entry is the current entry then, borrowed until the map changes, and NULL at the
// end. 0; -1 with nothing moved when the map has changed.
static inline int ss_map_cursor_step(SsMapCursor* cursor, const SsMapCell* cell, SsEntry** entry) {
  *entry = NULL;
  if (ss_map_cursor_at_end(cursor)) return 0;
  if (cell->size != cursor->size) return -1;
  if (cursor->next.index != SS_NO_BUCKET) {
    *entry = ss_map_cursor_find(cursor, cell, &cursor->next);
    if (*entry == NULL) return -1;
  }
  cursor->remaining--;
  cursor->current = cursor->next;
  ss_map_cursor_settle_next(cursor, cell);
  return 0;
}

// The same for callers that look at the entry later.
static inline int ss_map_cursor_advance(SsMapCursor* cursor, const SsMapCell* cell) {
  SsEntry* entry;
  return ss_map_cursor_step(cursor, cell, &entry);
}

#endif  // SELFSAME_INTERNAL_MAP_CURSOR_H_
