// Structural hash, with an explicit stack instead of recursion: see structural.h. Only hooks recurse.
#include <stdlib.h>
#include <string.h>

#include "map_key.h"
#include "map_pairs.h"
#include "object_table.h"
#include "selfsame/internal/values.h"
#include "structural.h"
#include "structural_field.h"
#include "structural_hooks.h"
#include "structural_leaf.h"
#include "structural_region.h"
#include "structural_stack.h"

static const char operation[] = "StructuralHash";

typedef enum {
  SEQUENCE,
  FIELDS,
  MAP,
  HOOKED,  // a hook hashes the object
} Form;

// An entry of a map, the key of which has a known hash.
typedef struct {
  uint64_t key;     // its hash
  TVMFFIAny value;  // owned
} KnownEntry;

// A container or object that is being hashed. It is borrowed from the frame before, unless `pinned`.
typedef struct {
  TVMFFIObject* obj;
  uint64_t hash;  // of the parts so far
  uint8_t form;
  uint8_t kind;          // structural kind; 0 for containers
  uint8_t outer, inner;  // regions of the object and of its parts
  uint8_t once;          // the walk does not reach the object again
  uint8_t pinned;        // the frame owns a reference to the object
  uint8_t owns_x;        // FIELDS: the frame owns x
  TVMFFIAny x;           // FIELDS: the value that is being hashed
  union {
    struct {
      int64_t next, size;  // the next index, the length
    } sequence;
    SsFieldCursor cursor;
    struct {
      KnownEntry* entries;
      uint64_t next, count;
    } map;
  } u;
} Frame;

enum { FIRST_FRAMES = 24 };

typedef struct {
  Frame* frames;  // `first`, or memory from malloc
  int32_t depth, capacity;
  int32_t pinned;  // the first so many frames are pinned
  int skip_tensor;
  SsRegion region;  // of the parts of the object whose hook runs
  SsHooks hooks;
  SsObjectTable known;  // the hashes of objects that may be reached again
  uint64_t variables;   // how many variables were defined
  uint64_t nodes;       // how many shared nodes were hashed
  Frame first[FIRST_FRAMES];
} Walk;

typedef enum {
  HASHED,
  DEEPER,  // depends on the contents: a new frame hashes them
  RAISED,
} Verdict;

// ---- the stack of frames -----------------------------------------------------------------------------------

// Returns a new frame, or NULL raised.
static Frame* push(Walk* w, Form form, TVMFFIObject* obj, uint64_t hash, SsRegion region, int once) {
  if (w->depth == w->capacity) {
    Frame* more = ss_stack_grow(w->frames, w->first, &w->capacity, sizeof(Frame), operation);
    if (more == NULL) return NULL;
    w->frames = more;
  }
  Frame* f = &w->frames[w->depth++];
  f->obj = obj;
  f->hash = hash;
  f->form = (uint8_t)form;
  f->kind = 0;
  f->outer = f->inner = (uint8_t)region;
  f->once = (uint8_t)once;
  f->pinned = f->owns_x = 0;
  return f;
}

static void drop_value(Frame* f) {
  if (f->owns_x) ss_any_clear(&f->x);
  f->owns_x = 0;
}

static void drop_entries(Frame* f) {
  for (uint64_t i = 0; i < f->u.map.count; i++) ss_any_clear(&f->u.map.entries[i].value);
  free(f->u.map.entries);
}

static void pop(Walk* w) {
  Frame* f = &w->frames[w->depth - 1];
  drop_value(f);
  if (f->form == MAP) drop_entries(f);
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

// ---- objects -----------------------------------------------------------------------------------------------

// Ends the innermost frame, all parts of which are hashed, and removes it. *hash is the hash of its object.
static Verdict finish(Walk* w, uint64_t* hash) {
  const Frame* f = &w->frames[w->depth - 1];
  *hash = f->hash;
  if (f->kind == kTVMFFISEqHashKindFreeVar) {
    // A variable that is defined elsewhere equals only itself.
    *hash = f->outer == SS_REGION_NONE ? (uint64_t)(uintptr_t)f->obj : ss_hash_combine(*hash, w->variables++);
  } else if (f->kind == kTVMFFISEqHashKindDAGNode) {
    *hash = ss_hash_combine(*hash, w->nodes++);
  }
  Verdict v = HASHED;
  if (f->kind != 0 && !f->once && ss_object_table_set(&w->known, f->obj, *hash, operation) != 0) v = RAISED;
  pop(w);
  return v;
}

// Hashes the object of the innermost frame with a hook and removes the frame.
static Verdict call_hook(Walk* w, TVMFFIObject* hook, uint64_t* hash) {
  Frame* f = &w->frames[w->depth - 1];
  SsRegion region = w->region;
  TVMFFIAny args[2];
  ss_set_object(&args[0], f->obj);
  ss_set_bits(&args[1], kTVMFFIInt, f->hash);
  w->region = (SsRegion)f->inner;
  pin(w);
  int64_t own = 0;
  int rc = ss_hook_call(&w->hooks, hook, args, 2, &own);
  w->region = region;
  if (rc == 0) {
    w->frames[w->depth - 1].hash = (uint64_t)own;
    return finish(w, hash);
  }
  pop(w);
  return RAISED;
}

static Verdict hash_object(Walk* w, TVMFFIObject* obj, SsRegion region, int once, uint64_t* hash) {
  static SsAttributeColumn* column;
  const TVMFFITypeInfo* type = NULL;
  TVMFFIObject* hook;
  int32_t kind = 0;
  if (ss_structural_kind(obj->type_index, &type, &kind) != 0 || type == NULL) return RAISED;
  if (!once) {
    const uint64_t* known = ss_object_table_get(&w->known, obj);
    if (known != NULL) {
      *hash = *known;
      return HASHED;
    }
  }
  if (ss_hook_of(w->hooks.kind, &column, type->type_index, &hook) != 0) return RAISED;
  Frame* f = push(w, hook == NULL ? FIELDS : HOOKED, obj, type->type_key_hash, region, once);
  if (f == NULL) return RAISED;
  f->kind = (uint8_t)kind;
  if (kind == kTVMFFISEqHashKindFreeVar) f->inner = (uint8_t)ss_region_in_variable(region);
  if (hook != NULL) return call_hook(w, hook, hash);
  f->u.cursor = ss_first_field(type);
  return DEEPER;
}

// ---- containers --------------------------------------------------------------------------------------------

static Verdict hash_sequence(Walk* w, TVMFFIObject* obj, SsRegion region, int once) {
  int64_t n = ((const TVMFFISeqCell*)(obj + 1))->size;
  uint64_t hash = ss_hash_combine(ss_type_at(obj->type_index)->info.type_key_hash, (uint64_t)n);
  Frame* f = push(w, SEQUENCE, obj, hash, region, once);
  if (f == NULL) return RAISED;
  f->u.sequence.next = 0;
  f->u.sequence.size = n;
  return DEEPER;
}

static int by_key(const void* a, const void* b) {
  uint64_t x = ((const KnownEntry*)a)->key, y = ((const KnownEntry*)b)->key;
  return (x > y) - (x < y);
}

// Begins to hash a Map or Dict independently of the order of its entries. An entry counts only if the hash of its key
// is known: the key is a value without parts, or an object that was hashed before.
static Verdict hash_map(Walk* w, TVMFFIObject* obj, SsRegion region) {
  const SsMapCell* cell = ss_map_cell(obj);
  uint64_t hash = ss_hash_combine(ss_type_at(obj->type_index)->info.type_key_hash, cell->size);
  Frame* f = push(w, MAP, obj, hash, region, 0);
  if (f == NULL) return RAISED;
  f->u.map.entries = NULL;
  f->u.map.next = f->u.map.count = 0;
  if (cell->size == 0) return DEEPER;
  f->u.map.entries = malloc(cell->size * sizeof(KnownEntry));
  if (f->u.map.entries == NULL) {
    ss_raise_no_memory(operation);
    return RAISED;
  }
  for (uint64_t i = 0; i < ss_map_walk_end(cell); i++) {
    const SsEntry* entry = ss_map_walk(cell, i);
    if (entry == NULL) continue;
    uint64_t key;
    if (!ss_hash_plain(&entry->key, &key)) {
      const uint64_t* known = ss_object_table_get(&w->known, entry->key.v_obj);
      if (known == NULL) continue;
      key = *known;
    }
    f->u.map.entries[f->u.map.count++] = (KnownEntry){key, entry->value};
    if (entry->value.type_index >= kTVMFFIStaticObjectBegin) ss_incref(entry->value.v_obj);
  }
  qsort(f->u.map.entries, f->u.map.count, sizeof(KnownEntry), by_key);
  return DEEPER;
}

// ---- the walk ----------------------------------------------------------------------------------------------

// Hashes a value, without its contents. `once`: the walk does not reach the value's parent again.
static Verdict hash_value(Walk* w, const TVMFFIAny* v, SsRegion region, int once, uint64_t* hash) {
  if (ss_hash_plain(v, hash)) return HASHED;
  TVMFFIObject* obj = v->v_obj;
  if (v->type_index == kTVMFFIShape) {
    *hash = ss_hash_shape(obj);
    return HASHED;
  }
  if (v->type_index == kTVMFFITensor) return ss_hash_tensor(obj, w->skip_tensor, hash) == 0 ? HASHED : RAISED;
  if (once && w->depth > 0) once = ss_strong_count(obj) == 1u + w->frames[w->depth - 1].owns_x;
  switch (v->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      return hash_sequence(w, obj, region, once);
    case kTVMFFIMap:
    case kTVMFFIDict:
      return hash_map(w, obj, region);
    default:
      return hash_object(w, obj, region, once, hash);
  }
}

// Reads the next part of the innermost frame. Returns 1, 0 at the end, or -1 raised.
static int next_part(Walk* w, TVMFFIAny* x, SsRegion* region, int* once) {
  Frame* f = &w->frames[w->depth - 1];
  *region = (SsRegion)f->inner;
  if (f->form == SEQUENCE) {
    if (f->u.sequence.next == f->u.sequence.size) return 0;
    const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(f->obj + 1);  // read again: a hook may have changed a List
    int64_t i = f->u.sequence.next++;
    if (i >= cell->size) {
      ss_raise("RuntimeError", "StructuralHash: a List was changed while it was hashed");
      return -1;
    }
    *x = ((const TVMFFIAny*)cell->data)[i];
    *once = f->once;
    return 1;
  }
  if (f->form == FIELDS) {
    drop_value(f);
    const TVMFFIFieldInfo* field = ss_next_field(&f->u.cursor);
    if (field == NULL) return 0;
    if (ss_peek_field(field, ss_field_is_plain(field), f->obj, &f->x, &f->owns_x) != 0) return -1;
    *x = f->x;
    *region = ss_region_in_field(*region, field->flags);
    *once = 1;  // an object that the walk reaches again is not hashed again
    return 1;
  }
  while (f->u.map.next < f->u.map.count) {
    const KnownEntry* entries = f->u.map.entries;
    uint64_t i = f->u.map.next++, key = entries[i].key;
    f->hash = ss_hash_combine(f->hash, key);
    if (f->u.map.next == f->u.map.count || entries[f->u.map.next].key != key) {
      *x = entries[i].value;
      *once = 0;
      return 1;
    }
    // The order of values with equal key hashes is not determined, so none of them counts.
    while (f->u.map.next < f->u.map.count && entries[f->u.map.next].key == key) f->u.map.next++;
  }
  return 0;
}

// Continues with the innermost frame until it ends, when *hash is its hash, or another is inside of it.
static Verdict step(Walk* w, uint64_t* hash) {
  for (;;) {
    TVMFFIAny x;
    SsRegion region;
    int once = 0;
    int more = next_part(w, &x, &region, &once);
    if (more <= 0) return more == 0 ? finish(w, hash) : RAISED;
    uint64_t part;
    Verdict v = hash_value(w, &x, region, once, &part);
    if (v != HASHED) return v;
    Frame* f = &w->frames[w->depth - 1];
    f->hash = ss_hash_combine(f->hash, part);
  }
}

// Hashes a value with all its contents, inside of the frames that there are. Returns 0 with *hash, or -1 raised.
static int run(Walk* w, const TVMFFIAny* value, SsRegion region, int once, uint64_t* hash) {
  int32_t base = w->depth;
  Verdict v = hash_value(w, value, region, once, hash);
  while (w->depth > base && v != RAISED) {
    v = step(w, hash);
    if (v != HASHED || w->depth == base) continue;
    Frame* f = &w->frames[w->depth - 1];
    f->hash = ss_hash_combine(f->hash, *hash);
  }
  while (w->depth > base) pop(w);
  return v == RAISED ? -1 : 0;
}

// Hashes a part for a hook; more are the hash so far and the region.
static int serve(SsHooks* hooks, const TVMFFIAny* values, const TVMFFIAny* more, TVMFFIAny* result) {
  Walk* w = hooks->walk;
  int64_t initial, asked;
  uint64_t part = 0;
  if (ss_hook_int(&more[0], "argument #1 of a hook's callback", &initial) != 0) return -1;
  if (ss_hook_int(&more[1], "argument #2 of a hook's callback", &asked) != 0) return -1;
  SsRegion region = w->region;
  int rc = run(w, &values[0], ss_region_entering(region, asked), 0, &part);
  w->region = region;
  if (rc != 0) return -1;
  ss_set_bits(result, kTVMFFIInt, ss_hash_combine((uint64_t)initial, part));
  return 0;
}

static const SsHookKind hook_kind = {
    .operation = operation,
    .attribute = "__s_hash__",
    .result = "result of `__s_hash__`",
    .callback = "__s_hash__ callback",
    .num_values = 1,
    .num_args = 3,
    .serve = serve,
};

int ss_structural_hash(const TVMFFIAny* value, int options, uint64_t* hash) {
  if (ss_hash_plain(value, hash)) return 0;
  Walk w;
  w.frames = w.first;
  w.depth = w.pinned = 0;
  w.capacity = FIRST_FRAMES;
  w.skip_tensor = (options & SS_SKIP_TENSOR_CONTENT) != 0;
  w.region = ss_root_region(options);
  w.hooks = (SsHooks){.kind = &hook_kind, .walk = &w};
  w.known = (SsObjectTable){NULL, 0, 0};
  w.variables = w.nodes = 0;
  int rc = run(&w, value, w.region, 1, hash);
  if (w.frames != w.first) free(w.frames);
  ss_hooks_end(&w.hooks);
  ss_object_table_clear(&w.known);
  return rc;
}
