// Recursive hash, with an explicit stack instead of recursion: see recursive.h. Only hooks recurse.
#include <stdlib.h>

#include "map_key.h"
#include "map_pairs.h"
#include "object_table.h"
#include "raise.h"
#include "recursive.h"
#include "recursive_leaf.h"
#include "selfsame/internal/values.h"
#include "structural_field.h"
#include "structural_hooks.h"
#include "structural_leaf.h"
#include "structural_stack.h"

static const char operation[] = "RecursiveHash";

typedef enum {
  SEQUENCE,
  FIELDS,
  MAP,
  HOOKED,  // a hook hashes the object
} Form;

// A container or object that is being hashed. It is borrowed from the frame before, unless `pinned`.
typedef struct {
  TVMFFIObject* obj;
  uint64_t hash;  // of the parts so far; MAP: of its class
  uint8_t form;
  uint8_t known;   // the object is in the walk's table
  uint8_t pinned;  // the frame owns a reference to the object
  uint8_t owns_x;  // FIELDS: the frame owns x
  TVMFFIAny x;     // FIELDS: the value that is being hashed
  union {
    int64_t next;  // SEQUENCE: the next index
    SsFieldCursor cursor;
    struct {
      SsMapPairs pairs;
      const SsEntry* entry;  // the one being hashed
      uint64_t key;          // the hash of its key, when has_key
      int has_key;
      uint64_t* hashes;  // owned: of the entries so far
      uint64_t count;
    } map;
  } u;
} Frame;

enum { FIRST_FRAMES = 24 };

typedef struct {
  Frame* frames;  // `first`, or memory from malloc
  int32_t depth, capacity;
  int32_t pinned;  // the first so many frames are pinned
  SsHooks hooks;
  SsObjectTable known;  // the hashes of objects that may be met again; of those that the walk is inside of, a stand-in
  Frame first[FIRST_FRAMES];
} Walk;

typedef enum {
  HASHED,
  DEEPER,  // depends on the contents: a new frame hashes them
  RAISED,
} Verdict;

// ---- the stack of frames -----------------------------------------------------------------------------------

// Returns a new frame, or NULL raised.
static Frame* push(Walk* w, Form form, TVMFFIObject* obj, uint64_t hash, int known) {
  if (w->depth == w->capacity) {
    Frame* more = ss_stack_grow(w->frames, w->first, &w->capacity, sizeof(Frame), operation);
    if (more == NULL) return NULL;
    w->frames = more;
  }
  Frame* f = &w->frames[w->depth++];
  f->obj = obj;
  f->hash = hash;
  f->form = (uint8_t)form;
  f->known = (uint8_t)known;
  f->pinned = f->owns_x = 0;
  return f;
}

static void drop_value(Frame* f) {
  if (f->owns_x) ss_any_clear(&f->x);
  f->owns_x = 0;
}

static void pop(Walk* w) {
  Frame* f = &w->frames[w->depth - 1];
  drop_value(f);
  if (f->form == MAP) {
    ss_map_pairs_end(&f->u.map.pairs);
    free(f->u.map.hashes);
  }
  TVMFFIObject* obj = f->obj;
  int pinned = f->pinned;
  w->depth--;
  if (w->pinned > w->depth) w->pinned = w->depth;
  if (pinned) ss_xdecref(obj);
}

// Takes references to the objects that the walk is inside of, because foreign code may change what they are borrowed
// from. One that a getter returned is owned by the frame before.
static void pin(Walk* w) {
  for (; w->pinned < w->depth; w->pinned++) {
    if (w->pinned > 0 && w->frames[w->pinned - 1].form == FIELDS && w->frames[w->pinned - 1].owns_x) continue;
    ss_incref(w->frames[w->pinned].obj);
    w->frames[w->pinned].pinned = 1;
  }
}

// Ends the innermost frame, the hash of which is known, and removes it.
static Verdict finish(Walk* w, uint64_t hash, uint64_t* out) {
  const Frame* f = &w->frames[w->depth - 1];
  int failed = f->known && ss_object_table_set(&w->known, f->obj, hash, operation) != 0;
  *out = hash;
  pop(w);
  return failed ? RAISED : HASHED;
}

// ---- objects -----------------------------------------------------------------------------------------------

static int serve(SsHooks* hooks, const TVMFFIAny* values, const TVMFFIAny* more, TVMFFIAny* result);

static const SsHookKind hash_hook = {
    .operation = operation,
    .attribute = "__ffi_hash__",
    .result = "result of `__ffi_hash__`",
    .callback = "__ffi_hash__ callback",
    .num_values = 1,
    .num_args = 1,
    .serve = serve,
};

// Hashes the object of the innermost frame with a hook and removes the frame.
static Verdict call_hook(Walk* w, TVMFFIObject* hook, uint64_t* hash) {
  TVMFFIAny arg;
  ss_set_object(&arg, w->frames[w->depth - 1].obj);
  pin(w);
  int64_t own = 0;
  if (ss_hook_call(&w->hooks, hook, &arg, 1, &own) == 0) return finish(w, (uint64_t)own, hash);
  pop(w);
  return RAISED;
}

// Whether equality of a class is decided by a hook.
static int has_comparison(int32_t type_index) {
  static SsAttributeColumn *equal, *compare;
  return type_index >= kTVMFFIStaticObjectEnd &&
         (ss_column_has(&equal, "__ffi_eq__", type_index) || ss_column_has(&compare, "__ffi_compare__", type_index));
}

static Verdict hash_map(Walk* w, TVMFFIObject* obj, uint64_t key_hash, int known) {
  uint64_t size = ss_map_cell(obj)->size;
  Frame* f = push(w, MAP, obj, key_hash, known);
  if (f == NULL) return RAISED;
  f->u.map.has_key = 0;
  f->u.map.hashes = NULL;
  f->u.map.count = 0;
  if (ss_map_pairs_begin(&f->u.map.pairs, obj, operation) != 0) return RAISED;
  if (size == 0) return DEEPER;
  f->u.map.hashes = malloc(size * sizeof(uint64_t));
  if (f->u.map.hashes != NULL) return DEEPER;
  ss_raise_no_memory(operation);
  return RAISED;
}

// Hashes an object that the walk has not met before, without its contents.
static Verdict hash_new(Walk* w, TVMFFIObject* obj, const TVMFFITypeInfo* type, int known, uint64_t* hash) {
  static SsAttributeColumn* column;
  TVMFFIObject* hook = NULL;
  if (ss_hook_of(&hash_hook, &column, obj->type_index, &hook) != 0) return RAISED;
  uint64_t initial = type->type_key_hash;
  Form form = hook != NULL ? HOOKED : FIELDS;
  if (hook == NULL) {
    switch (obj->type_index) {
      case kTVMFFIArray:
      case kTVMFFIList:
        form = SEQUENCE;
        initial = ss_hash_combine(initial, (uint64_t)((const TVMFFISeqCell*)(obj + 1))->size);
        break;
      case kTVMFFIMap:
      case kTVMFFIDict:
        return hash_map(w, obj, initial, known);
      default:
        if (!has_comparison(obj->type_index)) break;
        ss_raise("ValueError",
                 "RecursiveHash: type '%s' defines __ffi_eq__ or __ffi_compare__ but not __ffi_hash__. Add a "
                 "__ffi_hash__ hook to maintain the invariant RecursiveEq(a,b) => "
                 "RecursiveHash(a)==RecursiveHash(b).",
                 type->type_key.data);
        return RAISED;
    }
  }
  Frame* f = push(w, form, obj, initial, known);
  if (f == NULL) return RAISED;
  if (form == HOOKED) return call_hook(w, hook, hash);
  if (form == SEQUENCE) {
    f->u.next = 0;
  } else {
    f->u.cursor = ss_first_field(type);
  }
  return DEEPER;
}

static Verdict hash_object(Walk* w, TVMFFIObject* obj, uint64_t* hash) {
  const SsType* type = ss_type_at(obj->type_index);
  if (type == NULL) {
    ss_raise("TypeError", "%s: type index %d is not registered", operation, obj->type_index);
    return RAISED;
  }
  // An object with a single reference cannot be met again.
  uint32_t own = w->depth > 0 ? w->frames[w->depth - 1].owns_x : 0;
  if (ss_strong_count(obj) == 1 + own) return hash_new(w, obj, &type->info, 0, hash);
  const uint64_t* known = ss_object_table_get(&w->known, obj);
  if (known != NULL) {
    *hash = *known;
    return HASHED;
  }
  // Where a cycle leads back to the object, the hash of its class stands for it.
  if (ss_object_table_set(&w->known, obj, type->info.type_key_hash, operation) != 0) return RAISED;
  return hash_new(w, obj, &type->info, 1, hash);
}

// ---- the walk ----------------------------------------------------------------------------------------------

// Hashes a value, without its contents.
static Verdict hash_value(Walk* w, const TVMFFIAny* v, uint64_t* hash) {
  int32_t type = v->type_index;
  if (type < kTVMFFIStaticObjectBegin || type == kTVMFFIStr || type == kTVMFFIBytes) {
    *hash = ss_recursive_hash_leaf(v);
    return HASHED;
  }
  if (type != kTVMFFIShape) return hash_object(w, v->v_obj, hash);
  *hash = ss_hash_shape(v->v_obj);
  return HASHED;
}

// Reads the next part of the innermost frame. Returns 1, 0 at the end, or -1 raised.
static int next_part(Walk* w, TVMFFIAny* x) {
  Frame* f = &w->frames[w->depth - 1];
  switch (f->form) {
    case SEQUENCE: {
      const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(f->obj + 1);  // read again: a hook may have changed a List
      if (f->u.next >= cell->size) return 0;
      *x = ((const TVMFFIAny*)cell->data)[f->u.next++];
      return 1;
    }
    case FIELDS: {
      drop_value(f);
      const TVMFFIFieldInfo* field =
          ss_next_field_without(&f->u.cursor, kTVMFFIFieldFlagBitMaskHashOff | kTVMFFIFieldFlagBitMaskCompareOff);
      if (field == NULL) return 0;
      if (ss_peek_field(field, ss_field_is_plain(field), f->obj, &f->x, &f->owns_x) != 0) return -1;
      *x = f->x;
      return 1;
    }
    default:
      if (f->u.map.has_key) {
        *x = f->u.map.entry->value;
        return 1;
      }
      f->u.map.entry = ss_map_pairs_next(&f->u.map.pairs);
      if (f->u.map.entry == NULL) return 0;
      *x = f->u.map.entry->key;
      return 1;
  }
}

// Adds the hash of the innermost frame's current part.
static void add_part(Frame* f, uint64_t part) {
  switch (f->form) {
    case SEQUENCE:
      f->hash = ss_hash_combine(f->hash, ss_hash_combine(part, (uint64_t)f->u.next - 1));
      return;
    case FIELDS:
      f->hash = ss_hash_combine(f->hash, part);
      return;
    default:
      if (f->u.map.has_key) {
        f->u.map.hashes[f->u.map.count++] = ss_hash_combine(f->u.map.key, part);
      } else {
        f->u.map.key = part;
      }
      f->u.map.has_key = !f->u.map.has_key;
  }
}

static int ascending(const void* a, const void* b) {
  uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
  return (x > y) - (x < y);
}

// The hash of a frame all parts of which are hashed. The order of a map's entries does not count.
static uint64_t total(Frame* f) {
  if (f->form != MAP) return f->hash;
  uint64_t n = f->u.map.count, hash = ss_hash_combine(f->hash, n);
  if (n > 1) qsort(f->u.map.hashes, n, sizeof(uint64_t), ascending);
  for (uint64_t i = 0; i < n; i++) hash = ss_hash_combine(hash, f->u.map.hashes[i]);
  return hash;
}

// Continues with the innermost frame until it ends, when *hash is its hash, or another is inside of it.
static Verdict step(Walk* w, uint64_t* hash) {
  for (;;) {
    TVMFFIAny x;
    int more = next_part(w, &x);
    if (more < 0) return RAISED;
    if (more == 0) return finish(w, total(&w->frames[w->depth - 1]), hash);
    uint64_t part;
    Verdict v = hash_value(w, &x, &part);
    if (v != HASHED) return v;
    add_part(&w->frames[w->depth - 1], part);
  }
}

// Hashes a value with all its contents, inside of the frames that there are. Returns 0 with *hash, or -1 raised.
static int run(Walk* w, const TVMFFIAny* value, uint64_t* hash) {
  int32_t base = w->depth;
  Verdict v = hash_value(w, value, hash);
  while (w->depth > base && v != RAISED) {
    v = step(w, hash);
    if (v == HASHED && w->depth > base) add_part(&w->frames[w->depth - 1], *hash);
  }
  while (w->depth > base) pop(w);
  return v == RAISED ? -1 : 0;
}

// Hashes a part for a hook.
static int serve(SsHooks* hooks, const TVMFFIAny* values, const TVMFFIAny* more, TVMFFIAny* result) {
  (void)more;
  uint64_t part = 0;
  if (run(hooks->walk, &values[0], &part) != 0) return -1;
  ss_set_bits(result, kTVMFFIInt, part);
  return 0;
}

int ss_recursive_hash(const TVMFFIAny* value, uint64_t* hash) {
  Walk w;
  w.frames = w.first;
  w.depth = w.pinned = 0;
  w.capacity = FIRST_FRAMES;
  w.hooks = (SsHooks){.kind = &hash_hook, .walk = &w};
  w.known = (SsObjectTable){NULL, 0, 0};
  int rc = run(&w, value, hash);
  if (w.frames != w.first) free(w.frames);
  ss_hooks_end(&w.hooks);
  ss_object_table_clear(&w.known);
  return rc;
}
