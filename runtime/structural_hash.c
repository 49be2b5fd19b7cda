// Structural hash of plain trees, with an explicit stack instead of recursion: see structural_plain.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map_key.h"
#include "structural_field.h"
#include "structural_plain.h"
#include "structural_stack.h"

// ---- hashes of shared objects -------------------------------------------------------------------------------

// The hash of an object with several owners, which the walk may reach again. The entry owns a reference, so that the
// object's address is not used for another object during the walk.
typedef struct {
  TVMFFIObject* obj;
  uint64_t hash;
} Hashed;

typedef struct {
  Hashed* buckets;    // linear probing; obj is NULL in an empty bucket
  size_t size, used;  // size is a power of two, or 0
} HashedTable;

// The bucket that holds the object, or the empty one where it belongs.
static Hashed* bucket_of(const HashedTable* t, const TVMFFIObject* obj) {
  size_t i = (size_t)(((uint64_t)(uintptr_t)obj >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->size - 1);
  while (t->buckets[i].obj != NULL && t->buckets[i].obj != obj) i = (i + 1) & (t->size - 1);
  return &t->buckets[i];
}

static const Hashed* find(const HashedTable* t, const TVMFFIObject* obj) {
  if (t->used == 0) return NULL;
  const Hashed* k = bucket_of(t, obj);
  return k->obj == NULL ? NULL : k;
}

// Stores the hash of an object. Returns 0 when there is no memory.
static int remember(HashedTable* t, TVMFFIObject* obj, uint64_t hash) {
  if (2 * (t->used + 1) > t->size) {
    HashedTable bigger = {NULL, t->size == 0 ? 64 : 2 * t->size, t->used};
    bigger.buckets = calloc(bigger.size, sizeof(Hashed));
    if (bigger.buckets == NULL) return 0;
    for (size_t i = 0; i < t->size; i++) {
      if (t->buckets[i].obj != NULL) *bucket_of(&bigger, t->buckets[i].obj) = t->buckets[i];
    }
    free(t->buckets);
    *t = bigger;
  }
  Hashed* k = bucket_of(t, obj);
  if (k->obj != NULL) return 1;
  ss_incref(obj);
  *k = (Hashed){obj, hash};
  t->used++;
  return 1;
}

static void release_all(HashedTable* t) {
  for (size_t i = 0; i < t->size; i++) ss_xdecref(t->buckets[i].obj);
  free(t->buckets);
}

// ---- the walk ----------------------------------------------------------------------------------------------

// A sequence or object that is being hashed.
typedef struct {
  TVMFFIObject* obj;
  uint64_t hash;         // of the parts so far
  int64_t next, size;    // sequences: the next index, the length; size is -1 for objects
  SsFieldCursor cursor;  // objects
  TVMFFIAny x;           // objects: the value of the field that is being hashed
  int owns_x;
  int shared;  // has several owners, so that its hash is worth storing
} Frame;

enum { FIRST_FRAMES = 24 };

typedef struct {
  Frame* frames;  // `first`, or memory from malloc
  int32_t depth, capacity;
  HashedTable seen;
  Frame first[FIRST_FRAMES];
} Walk;

typedef enum {
  HASHED,
  DEEPER,  // depends on the contents: a new frame hashes them
  UNSUPPORTED,
  RAISED,
} Verdict;

// Returns a new frame, or NULL when the walk is too deep or there is no memory.
static Frame* push(Walk* w, TVMFFIObject* obj, uint64_t hash) {
  if (w->depth == w->capacity) {
    Frame* more = ss_stack_grow(w->frames, w->first, &w->capacity, sizeof(Frame));
    if (more == NULL) return NULL;
    w->frames = more;
  }
  Frame* f = &w->frames[w->depth++];
  f->obj = obj;
  f->hash = hash;
  f->owns_x = f->shared = 0;
  return f;
}

static Verdict hash_object(Walk* w, TVMFFIObject* obj, int ours, uint64_t* hash) {
  static SsAttributeColumn* hooks;
  int32_t kind;
  const TVMFFITypeInfo* type = ss_type_compared_by_fields(obj->type_index, "__s_hash__", &hooks, &kind);
  if (type == NULL) return UNSUPPORTED;
  int shared = ss_strong_count(obj) > (uint32_t)(1 + ours);
  if (shared) {
    const Hashed* k = find(&w->seen, obj);
    if (k != NULL) {
      *hash = k->hash;
      return HASHED;
    }
  }
  Frame* f = push(w, obj, type->type_key_hash);
  if (f == NULL) return UNSUPPORTED;
  f->shared = shared && w->depth > 1;  // the walk does not reach the root again
  f->size = -1;
  f->cursor = ss_first_field(type);
  return DEEPER;
}

static Verdict hash_sequence(Walk* w, TVMFFIObject* obj) {
  int64_t n = ((const TVMFFISeqCell*)(obj + 1))->size;
  Frame* f = push(w, obj, ss_hash_combine(ss_type_at(obj->type_index)->info.type_key_hash, (uint64_t)n));
  if (f == NULL) return UNSUPPORTED;
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

// Hashes a value, without its contents. The walk itself owns `ours` references to it.
static Verdict hash_value(Walk* w, const TVMFFIAny* v, int ours, uint64_t* hash) {
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

// Hashes the next element or field of the innermost object into its frame. Sets *ended when there is none left.
static Verdict next_part(Walk* w, Frame* f, int* ended) {
  TVMFFIAny x;
  int ours = 0;
  if (f->size >= 0) {
    if ((*ended = f->next == f->size)) return HASHED;
    const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(f->obj + 1);
    int64_t i = f->next++;
    if (i >= cell->size) return UNSUPPORTED;  // the List became shorter during the walk
    x = ((const TVMFFIAny*)cell->data)[i];
  } else {
    const TVMFFIFieldInfo* field = ss_next_field(&f->cursor);
    if ((*ended = field == NULL)) return HASHED;
    if (ss_peek_field(field, f->obj, &f->x, &f->owns_x) != 0) return RAISED;
    x = f->x;
    ours = f->owns_x;
  }
  uint64_t hash;
  Verdict v = hash_value(w, &x, ours, &hash);
  if (v != HASHED) return v;  // hash_value may have moved `f` to larger memory
  f->hash = ss_hash_combine(f->hash, hash);
  if (f->owns_x) ss_any_clear(&f->x);
  f->owns_x = 0;
  return HASHED;
}

// Continues with the innermost object. On HASHED, *hash is its hash and its frame is removed.
static Verdict step(Walk* w, uint64_t* hash) {
  Frame* f = &w->frames[w->depth - 1];
  for (int ended = 0; !ended;) {
    Verdict v = next_part(w, f, &ended);
    if (v != HASHED) return v;
  }
  *hash = f->hash;
  if (f->shared && !remember(&w->seen, f->obj, f->hash)) return UNSUPPORTED;
  w->depth--;
  if (w->depth == 0) return HASHED;
  f = &w->frames[w->depth - 1];
  f->hash = ss_hash_combine(f->hash, *hash);
  if (f->owns_x) ss_any_clear(&f->x);
  f->owns_x = 0;
  return HASHED;
}

SsPlainOutcome ss_plain_hash(const TVMFFIAny* value, uint64_t* hash) {
  Walk w;
  w.frames = w.first;
  w.depth = 0;
  w.capacity = FIRST_FRAMES;
  w.seen = (HashedTable){NULL, 0, 0};
  Verdict v = hash_value(&w, value, 0, hash);
  while (w.depth > 0 && (v == HASHED || v == DEEPER)) v = step(&w, hash);
  while (w.depth > 0) {
    Frame* f = &w.frames[--w.depth];
    if (f->owns_x) ss_any_clear(&f->x);
  }
  if (w.frames != w.first) free(w.frames);
  release_all(&w.seen);
  return v == UNSUPPORTED ? SS_PLAIN_UNSUPPORTED : v == RAISED ? SS_PLAIN_RAISED : SS_PLAIN_DONE;
}
