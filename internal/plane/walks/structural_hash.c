// Structural hash: see structural.h and walk_frames.h.
#include "collections/map_key.h"
#include "core/object_table.h"
#include "structural.h"
#include "structural_enter.h"
#include "structural_leaf.h"

static const char operation[] = "StructuralHash";

typedef struct {
  SsFrames frames;           // the stack of the walk
  int skip_tensor;           // the option that leaves the elements of tensors out
  SsRegion region;           // of the parts of the object whose hook runs
  SsObjectTable known;       // the hashes of objects that may be reached again
  SsObjectTable containers;  // the hashes of containers that may be reached again
  int64_t skipped_met;       // how many parts were met before the last key of unknown hash
  uint64_t variables;        // how many variables were defined
  uint64_t nodes;            // how many shared nodes were hashed
} Walk;

static SsStep hashed(uint64_t hash, SsPart* part) {
  part->out.hash = hash;
  return SS_DONE;
}

// ---- objects -----------------------------------------------------------------------------------------------

// Ends the innermost frame, all parts of which are hashed.
static SsStep finish(Walk* w, SsPart* part) {
  const SsFrame* f = w->frames.top;
  uint64_t hash = f->out.hash;
  if (f->kind == kTVMFFISEqHashKindFreeVar) {
    // A variable that is defined elsewhere equals only itself.
    hash = f->outer == SS_REGION_NONE ? (uint64_t)(uintptr_t)f->a : ss_hash_combine(hash, w->variables++);
  } else if (f->kind == kTVMFFISEqHashKindDAGNode) {
    hash = ss_hash_combine(hash, w->nodes++);
  }
  if (f->kind != 0 && f->again && ss_object_table_set(&w->known, f->a, hash, operation) != 0) return SS_RAISED;
  if (f->again && (f->form == SS_SEQUENCE || f->form == SS_MAP)) {
    int64_t began = f->form == SS_MAP ? f->u.map->began : f->u.sequence.began;
    // A key that did not count may do so the next time.
    if (began > w->skipped_met && ss_frames_keep(&w->frames, began) &&
        ss_object_table_set(&w->containers, f->a, hash, operation) != 0) {
      return SS_RAISED;
    }
  }
  return hashed(hash, part);
}

// Hashes the object of the innermost frame with the hook of its class.
static SsStep call_hook(Walk* w, SsPart* part) {
  const SsFrame* f = w->frames.top;
  TVMFFIAny args[2];
  ss_set_object(&args[0], f->a);
  ss_set_bits(&args[1], kTVMFFIInt, f->out.hash);
  int64_t own = 0;
  if (ss_structural_call_hook(&w->frames, &w->region, args, &own) != 0) return SS_RAISED;
  w->frames.top->out.hash = (uint64_t)own;
  return finish(w, part);
}

static SsStep enter_object(Walk* w, SsPart* part) {
  static SsAttributeColumn* column;
  TVMFFIObject* obj = part->x.v_obj;
  const TVMFFITypeInfo* type = NULL;
  int32_t kind = 0;
  if (ss_structural_kind(obj->type_index, &type, &kind) != 0 || type == NULL) return SS_RAISED;
  const uint64_t* known = part->again ? ss_object_table_get(&w->known, obj) : NULL;
  if (known != NULL) return hashed(*known, part);
  SsFrame* f = ss_structural_push(&w->frames, &column, type, kind, part, NULL);
  if (f == NULL) return SS_RAISED;
  f->out.hash = type->type_key_hash;
  return SS_DEEPER;
}

// ---- containers --------------------------------------------------------------------------------------------

// Whether the hash of a container is known; it is in the part.
static int known_container(const Walk* w, SsPart* part) {
  if (w->containers.used == 0 || !part->again || w->frames.hooks.callback != NULL) return 0;
  const uint64_t* known = ss_object_table_get(&w->containers, part->x.v_obj);
  if (known != NULL) part->out.hash = *known;
  return known != NULL;
}

static SsStep enter_sequence(Walk* w, const SsPart* part) {
  TVMFFIObject* obj = part->x.v_obj;
  SsFrame* f = ss_structural_push_sequence(&w->frames, part, NULL);
  if (f == NULL) return SS_RAISED;
  f->out.hash = ss_hash_combine(ss_type_at(obj->type_index)->info.type_key_hash, (uint64_t)f->u.sequence.left);
  f->u.sequence.began = w->frames.met;
  return SS_DEEPER;
}

// Begins to hash a Map or Dict independently of the order of its entries. An entry counts only if the hash of its key
// is known: the key is a value without parts, or an object that was hashed before. The frame's items are such entries, with the
// hash in place of the key.
static SsStep enter_map(Walk* w, const SsPart* part) {
  TVMFFIObject* obj = part->x.v_obj;
  const SsMapCell* cell = ss_map_cell(obj);
  SsFrame* f = ss_structural_begin(ss_frames_push_map(&w->frames, obj, NULL), part);
  if (f == NULL) return SS_RAISED;
  f->out.hash = ss_hash_combine(ss_type_at(obj->type_index)->info.type_key_hash, cell->size);
  f->again = 1;
  f->u.map->began = w->frames.met;
  if (cell->size == 0) return SS_DEEPER;
  SsEntry* entries = (SsEntry*)ss_frames_items(&w->frames, 2 * cell->size);
  size_t n = 0;
  if (entries == NULL) return SS_RAISED;
  for (uint64_t i = 0; i < ss_map_walk_end(cell); i++) {
    const SsEntry* entry = ss_map_walk(cell, i);
    if (entry == NULL) continue;
    uint64_t key;
    if (!ss_hash_plain(&entry->key, &key)) {
      const uint64_t* known = ss_object_table_get(&w->known, entry->key.v_obj);
      w->skipped_met = known == NULL ? w->frames.met : w->skipped_met;
      if (known == NULL) continue;
      key = *known;
    }
    ss_set_bits(&entries[n].key, kTVMFFIInt, key);
    entries[n].value = entry->value;
    if (entry->value.type_index >= kTVMFFIStaticObjectBegin) ss_incref(entry->value.v_obj);
    n++;
  }
  ss_sort_by_hash(&entries->key, n, 2);
  f->u.map->count = 2 * (int64_t)n;
  return SS_DEEPER;
}

// ---- the rules ---------------------------------------------------------------------------------------------

static SsStep enter(SsFrames* s, SsPart* part) {
  Walk* w = (Walk*)s;
  if (ss_hash_plain(&part->x, &part->out.hash)) return SS_DONE;
  TVMFFIObject* obj = part->x.v_obj;
  if (part->x.type_index == kTVMFFIShape) return hashed(ss_hash_shape(obj), part);
  if (part->x.type_index == kTVMFFITensor) {
    return ss_hash_tensor(obj, w->skip_tensor, &part->out.hash) == 0 ? SS_DONE : SS_RAISED;
  }
  if (!part->again && s->depth > 0) part->again = ss_strong_count(obj) != 1 + ss_frames_own(s);
  switch (part->x.type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      return known_container(w, part) ? SS_DONE : enter_sequence(w, part);
    case kTVMFFIMap:
    case kTVMFFIDict:
      return known_container(w, part) ? SS_DONE : enter_map(w, part);
    default:
      return enter_object(w, part);
  }
}

static SsStep next_element(Walk* w, SsFrame* f, SsPart* part) {
  while (f->u.sequence.next != f->u.sequence.left) {
    part->again = f->again;
    if (ss_frame_next_element(f, part) != SS_NEXT) {
      ss_raise("RuntimeError", "StructuralHash: a List was changed while it was hashed");
      return SS_RAISED;
    }
    uint64_t hash;
    if (!ss_hash_plain(&part->x, &hash)) return SS_NEXT;
    f->out.hash = ss_hash_combine(f->out.hash, hash);  // as add does; a step for each number costs twice as much
  }
  return finish(w, part);
}

static SsStep next_field(Walk* w, SsFrame* f, SsPart* part) {
  SsStep step = ss_structural_next_field(f, 0, part);  // an object that the walk reaches again is not hashed again
  return step == SS_DONE ? finish(w, part) : step;
}

static SsStep next_entry(Walk* w, SsFrame* f, SsPart* part) {
  const SsEntry* entries = (const SsEntry*)f->u.map->items;
  int64_t i = f->u.map->next, n = f->u.map->count / 2;
  part->again = 1;
  while (i < n) {
    uint64_t key = entries[i].key.v_uint64;
    part->x = entries[i++].value;
    f->u.map->next = i;
    f->out.hash = ss_hash_combine(f->out.hash, key);
    if (i == n || entries[i].key.v_uint64 != key) return SS_NEXT;
    // The order of values with equal key hashes is not determined, so none of them counts.
    while (i < n && entries[i].key.v_uint64 == key) i++;
  }
  return finish(w, part);
}

static SsStep next(SsFrames* s, SsPart* part) {
  SsFrame* f = s->top;
  part->region = f->inner;
  switch (f->form) {
    case SS_SEQUENCE:
      return next_element((Walk*)s, f, part);
    case SS_FIELDS:
      return next_field((Walk*)s, f, part);
    case SS_MAP:
      return next_entry((Walk*)s, f, part);
    default:
      return call_hook((Walk*)s, part);
  }
}

static SsStep add(SsFrames* s, SsPart* part) {
  s->top->out.hash = ss_hash_combine(s->top->out.hash, part->out.hash);
  return SS_NEXT;
}

// ---- walks -------------------------------------------------------------------------------------------------

// Hashes a value with all its contents, inside of the frames that there are. Returns 0 with *hash, or -1 raised.
static int run(Walk* w, const TVMFFIAny* value, SsRegion region, int again, uint64_t* hash) {
  SsPart part = {.x = *value, .region = (int32_t)region, .again = again};
  int rc = ss_frames_run(&w->frames, enter, next, add, NULL, &part);
  *hash = part.out.hash;
  return rc;
}

// Hashes a part for a hook; more are the hash so far and the region.
static int serve(SsHooks* hooks, const TVMFFIAny* values, const TVMFFIAny* more, TVMFFIAny* result) {
  Walk* w = hooks->walk;
  int64_t initial, asked;
  uint64_t part = 0;
  if (ss_hook_int(&more[0], "argument #1 of a hook's callback", &initial) != 0) return -1;
  if (ss_hook_int(&more[1], "argument #2 of a hook's callback", &asked) != 0) return -1;
  SsRegion region = w->region;
  int rc = run(w, &values[0], ss_region_entering(region, asked), 1, &part);
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
  ss_frames_begin(&w.frames, &hook_kind);
  w.skip_tensor = (options & SS_SKIP_TENSOR_CONTENT) != 0;
  w.region = ss_root_region(options);
  w.known = w.containers = (SsObjectTable){NULL, 0, 0};
  w.skipped_met = 0;
  w.variables = w.nodes = 0;
  int rc = run(&w, value, w.region, 0, hash);
  ss_frames_end(&w.frames);
  ss_object_table_clear(&w.known);
  ss_object_table_clear(&w.containers);
  return rc;
}
