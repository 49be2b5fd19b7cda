// Structural hash on a stack of its own: see structural_plain.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map_key.h"
#include "structural_field.h"
#include "structural_plain.h"
#include "structural_stack.h"

// ---- objects that were hashed ------------------------------------------------------------------------------

// An object with several owners may be met again. It gets a reference, so that no other object comes to its address.
typedef struct {
  TVMFFIObject* obj;
  uint64_t hash;
} known;

typedef struct {
  known* slots;
  size_t size, used;  // size is a power of two, or 0
} table;

static known* slot_of(const table* t, const TVMFFIObject* obj) {
  size_t i = (size_t)(((uint64_t)(uintptr_t)obj >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->size - 1);
  while (t->slots[i].obj != NULL && t->slots[i].obj != obj) i = (i + 1) & (t->size - 1);
  return &t->slots[i];
}

static const known* find(const table* t, const TVMFFIObject* obj) {
  if (t->used == 0) return NULL;
  const known* k = slot_of(t, obj);
  return k->obj == NULL ? NULL : k;
}

// Returns 0 when there is no memory.
static int remember(table* t, TVMFFIObject* obj, uint64_t hash) {
  if (2 * (t->used + 1) > t->size) {
    table bigger = {NULL, t->size == 0 ? 64 : 2 * t->size, t->used};
    bigger.slots = calloc(bigger.size, sizeof(known));
    if (bigger.slots == NULL) return 0;
    for (size_t i = 0; i < t->size; i++) {
      if (t->slots[i].obj != NULL) *slot_of(&bigger, t->slots[i].obj) = t->slots[i];
    }
    free(t->slots);
    *t = bigger;
  }
  known* k = slot_of(t, obj);
  if (k->obj != NULL) return 1;
  ss_inc_ref(obj);
  *k = (known){obj, hash};
  t->used++;
  return 1;
}

static void forget(table* t) {
  for (size_t i = 0; i < t->size; i++) ss_dec_ref(t->slots[i].obj);
  free(t->slots);
}

// ---- the walk ----------------------------------------------------------------------------------------------

// A sequence or object that is being hashed.
typedef struct {
  TVMFFIObject* obj;
  uint64_t hash;           // so far
  int64_t next, size;      // sequences; size is -1 for objects
  ss_field_cursor cursor;  // objects
  TVMFFIAny x;             // the field that is being hashed, while its object is
  int owns_x;
  int shared;
} frame;

enum { FIRST_FRAMES = 24 };

typedef struct {
  frame* frames;
  int32_t depth, capacity;
  table seen;
  frame first[FIRST_FRAMES];
} walk;

typedef enum { HASHED, DEEPER, LEFT, RAISED } verdict;

static frame* push(walk* w, TVMFFIObject* obj, uint64_t hash) {
  if (w->depth == w->capacity) {
    frame* more = ss_stack_grow(w->frames, w->first, &w->capacity, sizeof(frame));
    if (more == NULL) return NULL;
    w->frames = more;
  }
  frame* f = &w->frames[w->depth++];
  f->obj = obj;
  f->hash = hash;
  f->owns_x = f->shared = 0;
  return f;
}

static verdict hash_object(walk* w, TVMFFIObject* obj, int ours, uint64_t* hash) {
  static ss_column* hooks;
  int32_t kind;
  const TVMFFITypeInfo* type = ss_type_of_parts(obj->type_index, "__s_hash__", &hooks, &kind);
  if (type == NULL) return LEFT;
  int shared = ss_strong_count(obj) > (uint32_t)(1 + ours);
  if (shared) {
    const known* k = find(&w->seen, obj);
    if (k != NULL) {
      *hash = k->hash;
      return HASHED;
    }
  }
  frame* f = push(w, obj, type->type_key_hash);
  if (f == NULL) return LEFT;
  f->shared = shared && w->depth > 1;  // nothing holds the root but who asks
  f->size = -1;
  f->cursor = ss_first_field(type);
  return DEEPER;
}

static verdict hash_sequence(walk* w, TVMFFIObject* obj) {
  int64_t n = ((const TVMFFISeqCell*)(obj + 1))->size;
  frame* f = push(w, obj, ss_hash_combine(ss_type_at(obj->type_index)->info.type_key_hash, (uint64_t)n));
  if (f == NULL) return LEFT;
  f->next = 0;
  f->size = n;
  return DEEPER;
}

static uint64_t hash_shape(const TVMFFIObject* obj) {
  const TVMFFIShapeCell* cell = (const TVMFFIShapeCell*)(obj + 1);
  uint64_t hash = ss_hash_combine(ss_type_at(obj->type_index)->info.type_key_hash, cell->size);
  for (size_t i = 0; i < cell->size; i++) hash = ss_hash_combine(hash, (uint64_t)cell->data[i]);
  return hash;
}

// Hashes a value; DEEPER: what it holds has to be, in a new frame. `ours` references to it are the walk's own.
static verdict hash_value(walk* w, const TVMFFIAny* v, int ours, uint64_t* hash) {
  const uint64_t canonical_nan = UINT64_C(0x7ff8000000000000);
  TVMFFIByteArray text;
  uint64_t type = (uint64_t)(int64_t)v->type_index;
  switch (v->type_index) {
    case kTVMFFIFloat:
      *hash = ss_hash_combine(type, isnan(v->v_float64) ? canonical_nan : v->v_uint64);
      return HASHED;
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
    case kTVMFFIStr:
    case kTVMFFIBytes:
      ss_any_bytes(v, &text);
      if (v->type_index == kTVMFFISmallStr) type = kTVMFFIStr;
      if (v->type_index == kTVMFFISmallBytes) type = kTVMFFIBytes;
      *hash = ss_hash_combine(type, ss_text_hash(&text));
      return HASHED;
    case kTVMFFIShape:
      *hash = hash_shape(v->v_obj);
      return HASHED;
    case kTVMFFIArray:
    case kTVMFFIList:
      return hash_sequence(w, v->v_obj);
    default:
      if (v->type_index >= kTVMFFIStaticObjectBegin) return hash_object(w, v->v_obj, ours, hash);
      *hash = ss_hash_combine(type, v->v_uint64);
      return HASHED;
  }
}

static verdict next_part(walk* w, frame* f, int* ended) {
  TVMFFIAny x;
  int ours = 0;
  if (f->size >= 0) {
    if ((*ended = f->next == f->size)) return HASHED;
    const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(f->obj + 1);
    int64_t i = f->next++;
    if (i >= cell->size) return LEFT;  // a List was changed meanwhile
    x = ((const TVMFFIAny*)cell->data)[i];
  } else {
    const TVMFFIFieldInfo* field = ss_next_field(&f->cursor);
    if ((*ended = field == NULL)) return HASHED;
    if (ss_peek_field(field, f->obj, &f->x, &f->owns_x) != 0) return RAISED;
    x = f->x;
    ours = f->owns_x;
  }
  uint64_t hash;
  verdict v = hash_value(w, &x, ours, &hash);
  if (v != HASHED) return v;  // a deeper frame may have moved this one
  f->hash = ss_hash_combine(f->hash, hash);
  if (f->owns_x) ss_any_reset(&f->x);
  f->owns_x = 0;
  return HASHED;
}

// Goes on with the innermost object; *hash is its hash when it is HASHED.
static verdict step(walk* w, uint64_t* hash) {
  frame* f = &w->frames[w->depth - 1];
  for (int ended = 0; !ended;) {
    verdict v = next_part(w, f, &ended);
    if (v != HASHED) return v;
  }
  *hash = f->hash;
  if (f->shared && !remember(&w->seen, f->obj, f->hash)) return LEFT;
  w->depth--;
  if (w->depth == 0) return HASHED;
  f = &w->frames[w->depth - 1];
  f->hash = ss_hash_combine(f->hash, *hash);
  if (f->owns_x) ss_any_reset(&f->x);
  f->owns_x = 0;
  return HASHED;
}

ss_plain_outcome ss_plain_hash(const TVMFFIAny* value, uint64_t* hash) {
  walk w;
  w.frames = w.first;
  w.depth = 0;
  w.capacity = FIRST_FRAMES;
  w.seen = (table){NULL, 0, 0};
  verdict v = hash_value(&w, value, 0, hash);
  while (w.depth > 0 && (v == HASHED || v == DEEPER)) v = step(&w, hash);
  while (w.depth > 0) {
    frame* f = &w.frames[--w.depth];
    if (f->owns_x) ss_any_reset(&f->x);
  }
  if (w.frames != w.first) free(w.frames);
  forget(&w.seen);
  return v == LEFT ? SS_PLAIN_LEFT : v == RAISED ? SS_PLAIN_RAISED : SS_PLAIN_DONE;
}
