// Recursive hash: see recursive.h and walk_frames.h.
#include "collections/map_key.h"
#include "core/object_table.h"
#include "core/raise.h"
#include "recursive.h"
#include "recursive_leaf.h"
#include "structural_leaf.h"
#include "walk_frames.h"

static const char operation[] = "RecursiveHash";

typedef struct {
  SsFrames frames;      // the stack of the walk
  SsObjectTable known;  // the hashes of objects that may be met again; of those that the walk is inside of, a stand-in
} Walk;

static SsStep hashed(uint64_t hash, SsPart* part) {
  part->out.hash = hash;
  return SS_DONE;
}

// Ends the innermost frame, the hash of which is known.
static SsStep finish(Walk* w, uint64_t hash, SsPart* part) {
  const SsFrame* f = w->frames.top;
  if (f->again && ss_object_table_set(&w->known, f->a, hash, operation) != 0) return SS_RAISED;
  return hashed(hash, part);
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

// Hashes the object of the innermost frame with a hook.
static SsStep call_hook(Walk* w, SsPart* part) {
  TVMFFIAny arg;
  int64_t own = 0;
  ss_set_object(&arg, w->frames.top->a);
  if (ss_frames_call_hook(&w->frames, &arg, 1, &own) != 0) return SS_RAISED;
  return finish(w, (uint64_t)own, part);
}

// Whether equality of a class is decided by a hook.
static int has_comparison(int32_t type_index) {
  static SsAttributeColumn *equal, *compare;
  return type_index >= kTVMFFIStaticObjectEnd &&
         (ss_column_has(&equal, "__ffi_eq__", type_index) || ss_column_has(&compare, "__ffi_compare__", type_index));
}

// The form of an object without hook.
static SsForm form_of(int32_t type_index) {
  switch (type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      return SS_SEQUENCE;
    case kTVMFFIMap:
    case kTVMFFIDict:
      return SS_MAP;
    default:
      return SS_FIELDS;
  }
}

// Begins with an object that the walk has not met before; it may meet it `again`.
static SsStep enter_new(Walk* w, TVMFFIObject* obj, const TVMFFITypeInfo* type, int again) {
  static SsAttributeColumn* column;
  TVMFFIObject* hook = NULL;
  if (ss_hook_of(&hash_hook, &column, obj->type_index, &hook) != 0) return SS_RAISED;
  SsForm form = hook != NULL ? SS_HOOKED : form_of(obj->type_index);
  if (form == SS_FIELDS && has_comparison(obj->type_index)) {
    ss_raise("ValueError",
             "RecursiveHash: type '%s' defines __ffi_eq__ or __ffi_compare__ but not __ffi_hash__. Add a "
             "__ffi_hash__ hook to maintain the invariant RecursiveEq(a,b) => "
             "RecursiveHash(a)==RecursiveHash(b).",
             type->type_key.data);
    return SS_RAISED;
  }
  SsFrame* f = form == SS_MAP ? ss_frames_push_map(&w->frames, obj, NULL) : ss_frames_push(&w->frames, form, obj, NULL);
  if (f == NULL) return SS_RAISED;
  f->again = again != 0;
  f->out.hash = type->type_key_hash;
  switch (form) {
    case SS_SEQUENCE:
      f->out.hash = ss_hash_combine(f->out.hash, (uint64_t)ss_sequence(obj)->size);
      f->u.sequence.next = 0;
      return SS_DEEPER;
    case SS_FIELDS:
      f->u.fields.cursor = ss_first_field(type);
      return SS_DEEPER;
    case SS_MAP:
      if (ss_map_pairs_begin(&f->u.map->pairs, obj, operation) != 0) return SS_RAISED;
      return f->u.map->pairs.count == 0 || ss_frames_items(&w->frames, f->u.map->pairs.count) != NULL ? SS_DEEPER
                                                                                                      : SS_RAISED;
    default:
      f->u.hook = hook;
      return SS_DEEPER;
  }
}

static SsStep hash_object(Walk* w, SsPart* part) {
  TVMFFIObject* obj = part->x.v_obj;
  const SsType* type = ss_type_at(obj->type_index);
  if (type == NULL) {
    ss_raise("TypeError", "%s: type index %d is not registered", operation, obj->type_index);
    return SS_RAISED;
  }
  // An object with a single reference cannot be met again.
  if (ss_strong_count(obj) == 1 + ss_frames_own(&w->frames)) return enter_new(w, obj, &type->info, 0);
  const uint64_t* known = ss_object_table_get(&w->known, obj);
  if (known != NULL) return hashed(*known, part);
  // Where a cycle leads back to the object, the hash of its class stands for it.
  if (ss_object_table_set(&w->known, obj, type->info.type_key_hash, operation) != 0) return SS_RAISED;
  return enter_new(w, obj, &type->info, 1);
}

// The hash of a value that has no parts: 1; 0 for other values.
static int hash_leaf(const TVMFFIAny* value, uint64_t* hash) {
  int32_t type = value->type_index;
  if (type >= kTVMFFIStaticObjectBegin && type != kTVMFFIStr && type != kTVMFFIBytes) return 0;
  *hash = ss_recursive_hash_leaf(value);
  return 1;
}

// ---- maps --------------------------------------------------------------------------------------------------

static void add_pair(SsMapParts* map, uint64_t key, uint64_t value) {
  ss_set_bits(&map->items[map->count++], kTVMFFIInt, ss_hash_combine(key, value));
}

// Reads the next key of a map, or the value of the one before; x is that value, `word` the key's hash and
// `next` how many of both were read. Pairs without parts of their own are added here.
static SsStep next_of_map(SsFrame* f, SsPart* part) {
  SsMapParts* map = f->u.map;
  if (map->next % 2 != 0) {
    map->next++;
    part->x = map->x;
    return SS_NEXT;
  }
  for (;;) {
    const SsEntry* entry = ss_map_pairs_next(&map->pairs);
    uint64_t key, value;
    if (entry == NULL) return SS_DONE;
    if (!hash_leaf(&entry->value, &value) || !hash_leaf(&entry->key, &key)) {
      map->next++;
      part->x = entry->key;
      map->x = entry->value;
      return SS_NEXT;
    }
    add_pair(map, key, value);
  }
}

static void add_to_map(SsFrame* f, uint64_t hash) {
  SsMapParts* map = f->u.map;
  if (map->next % 2 != 0) {
    map->word = hash;
  } else {
    add_pair(map, map->word, hash);
  }
}

// The hash of a map all entries of which are hashed. Their order does not count.
static uint64_t total(SsFrame* f) {
  size_t n = (size_t)f->u.map->count;
  uint64_t hash = ss_hash_combine(f->out.hash, n);
  ss_sort_by_hash(f->u.map->items, n, 1);
  for (size_t i = 0; i < n; i++) hash = ss_hash_combine(hash, f->u.map->items[i].v_uint64);
  return hash;
}

// ---- the rules ---------------------------------------------------------------------------------------------

static SsStep enter(SsFrames* s, SsPart* part) {
  if (hash_leaf(&part->x, &part->out.hash)) return SS_DONE;
  return part->x.type_index == kTVMFFIShape ? hashed(ss_hash_shape(part->x.v_obj), part) : hash_object((Walk*)s, part);
}

static SsStep next(SsFrames* s, SsPart* part) {
  const int64_t skip = kTVMFFIFieldFlagBitMaskHashOff | kTVMFFIFieldFlagBitMaskCompareOff;
  SsFrame* f = s->top;
  SsStep step;
  switch (f->form) {
    case SS_SEQUENCE:
      step = ss_frame_next_element(f, part);
      break;
    case SS_FIELDS:
      step = ss_frame_next_field(f, skip, part);
      break;
    case SS_MAP:
      step = next_of_map(f, part);
      break;
    default:
      return call_hook((Walk*)s, part);
  }
  return step == SS_DONE ? finish((Walk*)s, f->form == SS_MAP ? total(f) : f->out.hash, part) : step;
}

static SsStep add(SsFrames* s, SsPart* part) {
  SsFrame* f = s->top;
  uint64_t hash = part->out.hash;
  if (f->form == SS_MAP) {
    add_to_map(f, hash);
  } else {
    if (f->form == SS_SEQUENCE) hash = ss_hash_combine(hash, (uint64_t)f->u.sequence.next - 1);
    f->out.hash = ss_hash_combine(f->out.hash, hash);
  }
  return SS_NEXT;
}

// ---- walks -------------------------------------------------------------------------------------------------

// Hashes a value with all its contents, inside of the frames that there are. Returns 0 with *hash, or -1 raised.
static int run(Walk* w, const TVMFFIAny* value, uint64_t* hash) {
  SsPart part = {.x = *value};
  int rc = ss_frames_run(&w->frames, enter, next, add, NULL, &part);
  *hash = part.out.hash;
  return rc;
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
  ss_frames_begin(&w.frames, &hash_hook);
  w.known = (SsObjectTable){NULL, 0, 0};
  int rc = run(&w, value, hash);
  ss_frames_end(&w.frames);
  ss_object_table_clear(&w.known);
  return rc;
}
