// Structural equality: see structural.h and walk_frames.h.
#include <math.h>

#include "scalars/any.h"
#include "core/object_table.h"
#include "core/raise.h"
#include "core/reflected_object.h"
#include "structural.h"
#include "structural_enter.h"
#include "structural_leaf.h"

static const char operation[] = "StructuralEqual";

typedef struct {
  SsFrames frames;                  // the stack of the walk
  int skip_tensor;                  // the option that leaves the elements of tensors out
  SsRegion region;                  // of the parts of the object whose hook runs
  SsObjectTable to_right, to_left;  // shared nodes and variables: the object on the other side
  SsEqualPairs equal;               // pairs of other objects and of containers that are equal
  int64_t key_met;                  // how many parts were met before the last key of a map that is an object
  SsMismatch* mismatch;             // where to note the way to the difference, or NULL
} Walk;

static SsStep same_if(int same, SsPart* part) {
  part->out.order = !same;
  return SS_DONE;
}

// ---- the way to the difference -----------------------------------------------------------------------------

// Notes a step, if the way is wanted. The keys are borrowed. Returns 0, or -1 raised.
static int note(Walk* w, int32_t left_kind, const TVMFFIAny* left, int32_t right_kind, const TVMFFIAny* right) {
  return w->mismatch == NULL ? 0 : ss_mismatch_note(w->mismatch, left_kind, left, right_kind, right);
}

static int note_index(Walk* w, int32_t left_kind, int32_t right_kind, int64_t i) {
  TVMFFIAny index;
  ss_set_bits(&index, kTVMFFIInt, (uint64_t)i);
  return note(w, left_kind, &index, right_kind, &index);
}

static int note_field(Walk* w, const TVMFFIByteArray* name) {
  if (w->mismatch == NULL) return 0;
  TVMFFIAny key;
  if (TVMFFIStringFromByteArray(name, &key) != 0) return -1;
  int rc = note(w, SS_STEP_ATTR, &key, SS_STEP_ATTR, &key);
  ss_any_clear(&key);
  return rc;
}

// Notes the step of a frame whose current parts differ.
static int note_part(Walk* w, const SsFrame* f) {
  switch (f->form) {
    case SS_SEQUENCE:
      return note_index(w, SS_STEP_ARRAY_ITEM, SS_STEP_ARRAY_ITEM, f->u.sequence.next - 1);
    case SS_FIELDS:
      return note_field(w, &f->u.fields.field->name);
    case SS_MAP:
      return note(w, SS_STEP_MAP_ITEM, &f->u.map->x, SS_STEP_MAP_ITEM, &f->u.map->y);
    default:
      return 0;  // the hook named the part when it asked for it
  }
}

// The result for two objects that differ by what was noted, with the result `rc`.
static SsStep different(int rc, SsPart* part) { return rc == 0 ? same_if(0, part) : SS_RAISED; }

// ---- objects -----------------------------------------------------------------------------------------------

// Ends the innermost pair, all parts of which are equal.
static SsStep finish(Walk* w, SsPart* part) {
  const SsFrame* f = w->frames.top;
  if (f->kind == kTVMFFISEqHashKindFreeVar && f->a != f->b && f->outer == SS_REGION_NONE) return same_if(0, part);
  if ((f->kind == kTVMFFISEqHashKindFreeVar || f->kind == kTVMFFISEqHashKindDAGNode) && f->again) {
    // The two correspond to each other.
    if (ss_object_table_set(&w->to_right, f->a, (uint64_t)(uintptr_t)f->b, operation) != 0) return SS_RAISED;
    if (ss_object_table_set(&w->to_left, f->b, (uint64_t)(uintptr_t)f->a, operation) != 0) return SS_RAISED;
  } else if (f->out.began > w->key_met) {
    // Equal for the rest of the walk: variables in them correspond to each other. A map may become different from
    // another when objects that are its keys do.
    if (ss_equal_pairs_add(&w->frames, &w->equal, f->outer) != 0) return SS_RAISED;
  }
  return same_if(1, part);
}

// Compares the pair of the innermost frame with the hook of its class.
static SsStep call_hook(Walk* w, SsPart* part) {
  const SsFrame* f = w->frames.top;
  TVMFFIAny args[2];
  ss_set_object(&args[0], f->a);
  ss_set_object(&args[1], f->b);
  int64_t same = 0;
  if (ss_structural_call_hook(&w->frames, &w->region, args, &same) != 0) return SS_RAISED;
  return same != 0 ? finish(w, part) : same_if(0, part);
}

static SsStep enter_objects(Walk* w, const TVMFFITypeInfo* type, int32_t kind, const SsPart* part) {
  static SsAttributeColumn* column;
  SsFrame* f = ss_structural_push(&w->frames, &column, type, kind, part, part->y.v_obj);
  if (f == NULL) return SS_RAISED;
  f->out.began = w->frames.met;
  return SS_DEEPER;
}

static SsStep compare_objects(Walk* w, SsPart* part) {
  TVMFFIObject *a = part->x.v_obj, *b = part->y.v_obj;
  const TVMFFITypeInfo* type = NULL;
  int32_t kind = 0;
  const uint64_t* other;
  if (ss_structural_kind(a->type_index, &type, &kind) != 0) return SS_RAISED;
  switch (kind) {
    case kTVMFFISEqHashKindUniqueInstance:
      return same_if(a == b, part);
    case kTVMFFISEqHashKindConstTreeNode:
      if (a == b) return same_if(1, part);
      break;
    case kTVMFFISEqHashKindTreeNode:
      break;
    default:  // shared nodes and variables: each on the left corresponds to one on the right, everywhere
      other = ss_object_table_get(&w->to_right, a);
      if (other != NULL) return same_if(*other == (uint64_t)(uintptr_t)b, part);
      if (ss_object_table_get(&w->to_left, b) != NULL) return same_if(0, part);
  }
  return enter_objects(w, type, kind, part);
}

// ---- containers --------------------------------------------------------------------------------------------

static SsStep enter_sequences(Walk* w, SsPart* part) {
  int64_t n = ss_sequence(part->x.v_obj)->size, m = ss_sequence(part->y.v_obj)->size;
  if (n != m && w->mismatch == NULL) return same_if(0, part);
  SsFrame* f = ss_structural_push_sequence(&w->frames, part, part->y.v_obj);
  if (f == NULL) return SS_RAISED;
  f->out.began = w->frames.met;
  f->u.sequence.right = m;
  return SS_DEEPER;
}

static SsStep enter_maps(Walk* w, SsPart* part) {
  TVMFFIObject *a = part->x.v_obj, *b = part->y.v_obj;
  if (ss_map_cell(a)->size != ss_map_cell(b)->size && w->mismatch == NULL) return same_if(0, part);
  SsFrame* f = ss_structural_begin(ss_frames_push_map(&w->frames, a, b), part);
  if (f == NULL) return SS_RAISED;
  f->again = 1;
  f->out.began = w->frames.met;
  return ss_map_pairs_begin(&f->u.map->pairs, a, operation) != 0 ? SS_RAISED : SS_DEEPER;
}

// The key on the other side that a key corresponds to.
static TVMFFIAny translate(const SsObjectTable* table, const TVMFFIAny* key) {
  if (key->type_index < kTVMFFIStaticObjectBegin) return *key;
  const uint64_t* other = ss_object_table_get(table, key->v_obj);
  if (other == NULL) return *key;
  TVMFFIAny translated;
  ss_set_object(&translated, (TVMFFIObject*)(uintptr_t)*other);
  return translated;
}

// Looks for the first entry of the right map that the left one does not have.
static SsStep compare_reverse(Walk* w, SsPart* part) {
  TVMFFIObject *a = w->frames.top->a, *b = w->frames.top->b;
  SsMapPairs pairs;
  if (ss_map_pairs_begin(&pairs, b, operation) != 0) return SS_RAISED;
  const SsEntry* entry;
  int rc = 0, found = 0;
  while (rc == 0 && !found && (entry = ss_map_pairs_next(&pairs)) != NULL) {
    TVMFFIAny key = entry->key, mine = translate(&w->to_left, &key);
    const SsEntry* other;
    rc = ss_frames_find(&w->frames, a, &mine, &other);
    found = rc == 0 && other == NULL;
    if (found) rc = note(w, SS_STEP_MAP_ITEM_MISSING, &mine, SS_STEP_MAP_ITEM, &key);
  }
  ss_map_pairs_end(&pairs);
  return different(rc, part);
}

// ---- the rules ---------------------------------------------------------------------------------------------

// Whether the walk may reach one of two objects again.
static int reached_again(const SsFrames* s, const SsPart* part) {
  const SsFrame* f = s->top;
  return ss_strong_count(part->x.v_obj) != 1u + f->owns_x || ss_strong_count(part->y.v_obj) != 1u + f->owns_y;
}

// Compares two values of one class that are objects.
static SsStep compare_contents(Walk* w, SsPart* part) {
  const TVMFFIAny *a = &part->x, *b = &part->y;
  int same;
  switch (a->type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes:
      return same_if(a->v_obj == b->v_obj || ss_same_text(a, b), part);
    case kTVMFFIShape:
      return same_if(ss_same_shape(a->v_obj, b->v_obj), part);
    case kTVMFFIBigInt:
      return same_if(ss_same_bigint(a->v_obj, b->v_obj), part);
    case kTVMFFITensor:
      if (ss_same_tensor(a->v_obj, b->v_obj, w->skip_tensor, &same) != 0) return SS_RAISED;
      return same_if(same, part);
    default:
      break;
  }
  if (!part->again && w->frames.depth > 0) part->again = reached_again(&w->frames, part);
  if (part->again && ss_equal_pairs_have(&w->frames, &w->equal, part, part->region)) return same_if(1, part);
  switch (a->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      return enter_sequences(w, part);
    case kTVMFFIMap:
    case kTVMFFIDict:
      return enter_maps(w, part);
    default:
      return compare_objects(w, part);
  }
}

static SsStep enter(SsFrames* s, SsPart* part) {
  const TVMFFIAny *a = &part->x, *b = &part->y;
  if (a->type_index != b->type_index) return same_if(ss_same_text(a, b), part);
  if (a->type_index >= kTVMFFIStaticObjectBegin) return compare_contents((Walk*)s, part);
  if (a->type_index == kTVMFFIFloat && isnan(a->v_float64)) return same_if(isnan(b->v_float64), part);
  return same_if(a->zero_padding == b->zero_padding && a->v_uint64 == b->v_uint64, part);
}

static SsStep next_element(Walk* w, SsFrame* f, SsPart* part) {
  int64_t n = f->u.sequence.left, m = f->u.sequence.right;
  if (f->u.sequence.next == (n < m ? n : m)) {
    if (n == m) return finish(w, part);
    return different(n > m ? note_index(w, SS_STEP_ARRAY_ITEM, SS_STEP_ARRAY_ITEM_MISSING, m)
                           : note_index(w, SS_STEP_ARRAY_ITEM_MISSING, SS_STEP_ARRAY_ITEM, n),
                     part);
  }
  part->again = f->again;
  if (ss_frame_next_element(f, part) == SS_NEXT) return SS_NEXT;
  ss_raise("RuntimeError", "StructuralEqual: a List was changed while it was compared");
  return SS_RAISED;
}

static SsStep next_field(Walk* w, SsFrame* f, SsPart* part) {
  SsStep step = ss_structural_next_field(f, f->again, part);
  return step == SS_DONE ? finish(w, part) : step;
}

// Reads the next entry of the left map, and the value of its key in the right one.
static SsStep next_entry(Walk* w, SsFrame* f, SsPart* part) {
  SsMapParts* parts = f->u.map;
  const SsEntry *entry = ss_map_pairs_next(&parts->pairs), *other;
  if (entry == NULL) {
    return parts->pairs.count == ss_map_cell(f->b)->size ? finish(w, part) : compare_reverse(w, part);
  }
  part->x = entry->value;
  part->again = 1;
  parts->x = entry->key;
  if (parts->x.type_index >= kTVMFFIStaticObjectBegin) w->key_met = w->frames.met;
  parts->y = translate(&w->to_right, &parts->x);
  if (ss_frames_find(&w->frames, f->b, &parts->y, &other) != 0) return SS_RAISED;
  if (other == NULL) return different(note(w, SS_STEP_MAP_ITEM, &parts->x, SS_STEP_MAP_ITEM_MISSING, &parts->y), part);
  part->y = other->value;
  return SS_NEXT;
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
  if (part->out.order == 0) return SS_NEXT;
  return different(note_part((Walk*)s, s->top), part);
}

// ---- walks -------------------------------------------------------------------------------------------------

// Compares two values with all their contents, inside of the frames that there are.
static int run(Walk* w, const TVMFFIAny* a, const TVMFFIAny* b, SsRegion region, int again, int* same) {
  SsPart part = {.x = *a, .y = *b, .region = (int32_t)region, .again = again};
  int rc = ss_frames_run(&w->frames, enter, next, add, NULL, &part);
  *same = rc == 0 && part.out.order == 0;
  return rc;
}

// Compares two parts for a hook; more are the region and the name of the field.
static int serve(SsHooks* hooks, const TVMFFIAny* values, const TVMFFIAny* more, TVMFFIAny* result) {
  Walk* w = hooks->walk;
  int64_t asked;
  int same;
  if (ss_hook_int(&more[0], "argument #2 of a hook's callback", &asked) != 0) return -1;
  SsRegion region = w->region;
  int rc = run(w, &values[0], &values[1], ss_region_entering(region, asked), 1, &same);
  w->region = region;
  if (rc == 0 && !same && w->mismatch != NULL) {
    TVMFFIAny name;
    TVMFFIByteArray text;
    if (TVMFFIAnyViewToOwnedAny(&more[1], &name) != 0) return -1;
    if ((name.type_index == kTVMFFIStr || name.type_index == kTVMFFISmallStr) && ss_any_bytes(&name, &text)) {
      rc = note_field(w, &text);
    } else {
      rc = ss_raise_cannot_convert(&name, "str");
    }
    ss_any_clear(&name);
  }
  if (rc != 0) return -1;
  ss_set_bits(result, kTVMFFIBool, same != 0);
  return 0;
}

static const SsHookKind hook_kind = {
    .operation = operation,
    .attribute = "__s_equal__",
    .result = "result of `__s_equal__`",
    .callback = "__s_equal__ callback",
    .num_values = 2,
    .num_args = 4,
    .serve = serve,
};

int ss_structural_equal(const TVMFFIAny* a, const TVMFFIAny* b, int options, SsMismatch* mismatch, int* equal) {
  Walk w;
  ss_frames_begin(&w.frames, &hook_kind);
  w.skip_tensor = (options & SS_SKIP_TENSOR_CONTENT) != 0;
  w.region = ss_root_region(options);
  w.to_right = w.to_left = (SsObjectTable){NULL, 0, 0};
  w.equal = (SsEqualPairs){{NULL, 0, 0}, {NULL, 0, 0}};
  w.key_met = 0;
  w.mismatch = mismatch;
  int rc = run(&w, a, b, w.region, 0, equal);
  ss_frames_end(&w.frames);
  ss_object_table_clear(&w.to_right);
  ss_object_table_clear(&w.to_left);
  ss_equal_pairs_end(&w.equal);
  return rc;
}
