// Structural equality, with an explicit stack instead of recursion: see structural.h. Only hooks recurse.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "any.h"
#include "map_pairs.h"
#include "object_table.h"
#include "reflected_object.h"
#include "selfsame/internal/values.h"
#include "structural.h"
#include "structural_field.h"
#include "structural_hooks.h"
#include "structural_leaf.h"
#include "structural_region.h"
#include "structural_stack.h"

static const char operation[] = "StructuralEqual";

typedef enum {
  SEQUENCES,
  FIELDS,
  MAPS,
  HOOKED,  // a hook compares the objects
} Form;

// A pair of containers or objects that is being compared. The pair is borrowed from the frame before, unless `pinned`.
typedef struct {
  TVMFFIObject *a, *b;
  uint8_t form;
  uint8_t kind;            // structural kind; 0 for containers
  uint8_t outer, inner;    // regions of the pair and of its parts
  uint8_t once;            // the walk reaches neither of the two again
  uint8_t pinned;          // the frame owns references to the two
  uint8_t owns_x, owns_y;  // the frame owns these values
  TVMFFIAny x, y;          // FIELDS: the values being compared; MAPS: the keys of the entries being compared
  union {
    struct {
      int64_t next, left, right;  // the next index, the lengths
    } sequence;
    struct {
      SsFieldCursor cursor;
      const TVMFFIFieldInfo* field;  // the one being compared
    } fields;
    SsMapPairs pairs;  // the entries of `a`
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
  SsObjectTable to_right, to_left;  // shared nodes and variables: the object on the other side
  SsMismatch* mismatch;             // where to note the way to the difference, or NULL
  Frame first[FIRST_FRAMES];
} Walk;

typedef enum {
  SAME,
  DIFFERENT,
  DEEPER,  // depends on the contents: a new frame compares them
  RAISED,
} Verdict;

// ---- the stack of frames -----------------------------------------------------------------------------------

// Returns a new frame, or NULL raised.
static Frame* push(Walk* w, Form form, TVMFFIObject* a, TVMFFIObject* b, SsRegion region, int once) {
  if (w->depth == w->capacity) {
    Frame* more = ss_stack_grow(w->frames, w->first, &w->capacity, sizeof(Frame), operation);
    if (more == NULL) return NULL;
    w->frames = more;
  }
  Frame* f = &w->frames[w->depth++];
  f->a = a;
  f->b = b;
  f->form = (uint8_t)form;
  f->kind = 0;
  f->outer = f->inner = (uint8_t)region;
  f->once = (uint8_t)once;
  f->pinned = f->owns_x = f->owns_y = 0;
  return f;
}

static void drop_values(Frame* f) {
  if (f->owns_x) ss_any_clear(&f->x);
  if (f->owns_y) ss_any_clear(&f->y);
  f->owns_x = f->owns_y = 0;
}

static void pop(Walk* w) {
  Frame* f = &w->frames[w->depth - 1];
  drop_values(f);
  if (f->form == MAPS) ss_map_pairs_end(&f->u.pairs);
  TVMFFIObject *a = f->a, *b = f->b;
  int pinned = f->pinned;
  w->depth--;
  if (w->pinned > w->depth) w->pinned = w->depth;
  if (pinned) {
    ss_xdecref(a);
    ss_xdecref(b);
  }
}

// Takes references to the objects that the walk is inside of, because foreign code may change what they are borrowed
// from. Two that a getter returned are owned by the frame before.
static void pin(Walk* w) {
  for (; w->pinned < w->depth; w->pinned++) {
    Frame* f = &w->frames[w->pinned];
    if (w->pinned > 0 && f[-1].form == FIELDS && f[-1].owns_x && f[-1].owns_y) continue;
    ss_incref(f->a);
    ss_incref(f->b);
    f->pinned = 1;
  }
}

// ---- the way to the difference -----------------------------------------------------------------------------

// Notes a step, if the way is wanted. The keys are borrowed. Returns DIFFERENT or RAISED.
static Verdict note(Walk* w, int32_t left_kind, const TVMFFIAny* left, int32_t right_kind, const TVMFFIAny* right) {
  SsMismatch* m = w->mismatch;
  if (m == NULL) return DIFFERENT;
  return ss_mismatch_note(m, left_kind, left, right_kind, right) != 0 ? RAISED : DIFFERENT;
}

static Verdict note_index(Walk* w, int32_t left_kind, int32_t right_kind, int64_t i) {
  TVMFFIAny index;
  ss_set_bits(&index, kTVMFFIInt, (uint64_t)i);
  return note(w, left_kind, &index, right_kind, &index);
}

static Verdict note_field(Walk* w, const TVMFFIByteArray* name) {
  if (w->mismatch == NULL) return DIFFERENT;
  TVMFFIAny key;
  if (TVMFFIStringFromByteArray(name, &key) != 0) return RAISED;
  Verdict v = note(w, SS_STEP_ATTR, &key, SS_STEP_ATTR, &key);
  ss_any_clear(&key);
  return v;
}

// Notes the step of a frame whose current parts differ.
static Verdict note_part(Walk* w, const Frame* f) {
  switch (f->form) {
    case SEQUENCES:
      return note_index(w, SS_STEP_ARRAY_ITEM, SS_STEP_ARRAY_ITEM, f->u.sequence.next - 1);
    case FIELDS:
      return note_field(w, &f->u.fields.field->name);
    case MAPS:
      return note(w, SS_STEP_MAP_ITEM, &f->x, SS_STEP_MAP_ITEM, &f->y);
    default:
      return DIFFERENT;  // the hook named the part when it asked for it
  }
}

// ---- objects -----------------------------------------------------------------------------------------------

// Notes that two objects correspond to each other. Returns SAME or RAISED.
static Verdict bind(Walk* w, const Frame* f) {
  if (f->once) return SAME;
  if (ss_object_table_set(&w->to_right, f->a, (uint64_t)(uintptr_t)f->b, operation) != 0) return RAISED;
  return ss_object_table_set(&w->to_left, f->b, (uint64_t)(uintptr_t)f->a, operation) != 0 ? RAISED : SAME;
}

// Ends the innermost pair, all parts of which are equal, and removes its frame.
static Verdict finish(Walk* w) {
  const Frame* f = &w->frames[w->depth - 1];
  Verdict v = SAME;
  if (f->kind == kTVMFFISEqHashKindFreeVar && f->a != f->b && f->outer == SS_REGION_NONE) {
    v = DIFFERENT;
  } else if (f->kind == kTVMFFISEqHashKindFreeVar || f->kind == kTVMFFISEqHashKindDAGNode) {
    v = bind(w, f);
  }
  pop(w);
  return v;
}

// Compares the pair of the innermost frame with a hook and removes the frame.
static Verdict call_hook(Walk* w, TVMFFIObject* hook) {
  const Frame* f = &w->frames[w->depth - 1];
  SsRegion region = w->region;
  TVMFFIAny args[2];
  ss_set_object(&args[0], f->a);
  ss_set_object(&args[1], f->b);
  w->region = (SsRegion)f->inner;
  pin(w);
  int64_t same = 0;
  int rc = ss_hook_call(&w->hooks, hook, args, 2, &same);
  w->region = region;
  if (rc == 0 && same != 0) return finish(w);
  pop(w);
  return rc != 0 ? RAISED : DIFFERENT;
}

static Verdict compare_parts(Walk* w, const TVMFFITypeInfo* type, TVMFFIObject* a, TVMFFIObject* b, int32_t kind,
                             SsRegion region, int once) {
  static SsAttributeColumn* column;
  TVMFFIObject* hook;
  if (ss_hook_of(w->hooks.kind, &column, type->type_index, &hook) != 0) return RAISED;
  Frame* f = push(w, hook == NULL ? FIELDS : HOOKED, a, b, region, once);
  if (f == NULL) return RAISED;
  f->kind = (uint8_t)kind;
  if (kind == kTVMFFISEqHashKindFreeVar) f->inner = (uint8_t)ss_region_in_variable(region);
  if (hook != NULL) return call_hook(w, hook);
  f->u.fields.cursor = ss_first_field(type);
  return DEEPER;
}

static Verdict compare_objects(Walk* w, TVMFFIObject* a, TVMFFIObject* b, SsRegion region, int once) {
  const TVMFFITypeInfo* type = NULL;
  int32_t kind = 0;
  const uint64_t* other;
  if (ss_structural_kind(a->type_index, &type, &kind) != 0) return RAISED;
  switch (kind) {
    case kTVMFFISEqHashKindUniqueInstance:
      return a == b ? SAME : DIFFERENT;
    case kTVMFFISEqHashKindConstTreeNode:
      if (a == b) return SAME;
      break;
    case kTVMFFISEqHashKindTreeNode:
      break;
    default:  // shared nodes and variables: each on the left corresponds to one on the right, everywhere
      other = ss_object_table_get(&w->to_right, a);
      if (other != NULL) return *other == (uint64_t)(uintptr_t)b ? SAME : DIFFERENT;
      if (ss_object_table_get(&w->to_left, b) != NULL) return DIFFERENT;
  }
  return compare_parts(w, type, a, b, kind, region, once);
}

// ---- containers --------------------------------------------------------------------------------------------

static const TVMFFISeqCell* sequence_of(const TVMFFIObject* obj) { return (const TVMFFISeqCell*)(obj + 1); }

static Verdict compare_sequences(Walk* w, TVMFFIObject* a, TVMFFIObject* b, SsRegion region, int once) {
  int64_t n = sequence_of(a)->size, m = sequence_of(b)->size;
  if (n != m && w->mismatch == NULL) return DIFFERENT;
  Frame* f = push(w, SEQUENCES, a, b, region, once);
  if (f == NULL) return RAISED;
  f->u.sequence.next = 0;
  f->u.sequence.left = n;
  f->u.sequence.right = m;
  return DEEPER;
}

static Verdict compare_maps(Walk* w, TVMFFIObject* a, TVMFFIObject* b, SsRegion region) {
  if (ss_map_cell(a)->size != ss_map_cell(b)->size && w->mismatch == NULL) return DIFFERENT;
  Frame* f = push(w, MAPS, a, b, region, 0);
  if (f == NULL) return RAISED;
  return ss_map_pairs_begin(&f->u.pairs, a, operation) != 0 ? RAISED : DEEPER;
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

// Finds the entry of a key in a map: *out is NULL when there is none. Returns 0, or -1 raised.
static int find(Walk* w, TVMFFIObject* map, const TVMFFIAny* key, const SsEntry** out) {
  if (ss_map_find(map, key, out)) return 0;
  pin(w);  // the key's class has hooks
  return ss_map_find_hooked(map, key, out);
}

// Looks for the first entry of the right map that the left one does not have.
static Verdict compare_reverse(Walk* w) {
  Frame* f = &w->frames[w->depth - 1];
  TVMFFIObject *a = f->a, *b = f->b;
  SsMapPairs pairs;
  if (ss_map_pairs_begin(&pairs, b, operation) != 0) return RAISED;
  Verdict v = DIFFERENT;
  const SsEntry* entry;
  while (v == DIFFERENT && (entry = ss_map_pairs_next(&pairs)) != NULL) {
    TVMFFIAny key = entry->key, mine = translate(&w->to_left, &key);
    const SsEntry* other;
    if (find(w, a, &mine, &other) != 0) {
      v = RAISED;
    } else if (other == NULL) {
      v = note(w, SS_STEP_MAP_ITEM_MISSING, &mine, SS_STEP_MAP_ITEM, &key);
      break;
    }
  }
  ss_map_pairs_end(&pairs);
  return v;
}

static Verdict compare(Walk* w, const TVMFFIAny* a, const TVMFFIAny* b, SsRegion region, int once);

// Compares the next entry of the left map with that of the right one. Sets *ended, and removes the frame, when the maps
// are compared.
static Verdict next_entry(Walk* w, int* ended) {
  Frame* f = &w->frames[w->depth - 1];
  const SsEntry* entry = ss_map_pairs_next(&f->u.pairs);
  const SsEntry* other;
  Verdict v;
  *ended = 1;
  if (entry == NULL) {
    if (f->u.pairs.count == ss_map_cell(f->b)->size) return finish(w);
    v = compare_reverse(w);
    pop(w);
    return v;
  }
  TVMFFIAny value = entry->value;
  f->x = entry->key;
  f->y = translate(&w->to_right, &f->x);
  if (find(w, f->b, &f->y, &other) != 0) {
    pop(w);
    return RAISED;
  }
  if (other == NULL) {
    v = note(w, SS_STEP_MAP_ITEM, &f->x, SS_STEP_MAP_ITEM_MISSING, &f->y);
    pop(w);
    return v;
  }
  *ended = 0;
  TVMFFIAny found = other->value;
  return compare(w, &value, &found, (SsRegion)f->inner, 0);
}

// ---- the walk ----------------------------------------------------------------------------------------------

// Whether the walk reaches neither of two objects again. `owns_x` and `owns_y` say that the frame has a reference to
// them.
static int reached_once(const Frame* parent, const TVMFFIAny* a, const TVMFFIAny* b) {
  return parent->once && ss_strong_count(a->v_obj) == 1u + parent->owns_x &&
         ss_strong_count(b->v_obj) == 1u + parent->owns_y;
}

// Compares two values of one class that are objects. `once`: the walk does not reach the parent of the two again.
static Verdict compare_contents(Walk* w, const TVMFFIAny* a, const TVMFFIAny* b, SsRegion region, int once) {
  int same;
  switch (a->type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes:
      return a->v_obj == b->v_obj || ss_same_text(a, b) ? SAME : DIFFERENT;
    case kTVMFFIShape:
      return ss_same_shape(a->v_obj, b->v_obj) ? SAME : DIFFERENT;
    case kTVMFFIBigInt:
      return ss_same_bigint(a->v_obj, b->v_obj) ? SAME : DIFFERENT;
    case kTVMFFITensor:
      if (ss_same_tensor(a->v_obj, b->v_obj, w->skip_tensor, &same) != 0) return RAISED;
      return same ? SAME : DIFFERENT;
    default:
      break;
  }
  if (once && w->depth > 0) once = reached_once(&w->frames[w->depth - 1], a, b);
  switch (a->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      return compare_sequences(w, a->v_obj, b->v_obj, region, once);
    case kTVMFFIMap:
    case kTVMFFIDict:
      return compare_maps(w, a->v_obj, b->v_obj, region);
    default:
      return compare_objects(w, a->v_obj, b->v_obj, region, once);
  }
}

// Compares two values, without their contents.
static Verdict compare(Walk* w, const TVMFFIAny* a, const TVMFFIAny* b, SsRegion region, int once) {
  if (a->type_index != b->type_index) return ss_same_text(a, b) ? SAME : DIFFERENT;
  if (a->type_index >= kTVMFFIStaticObjectBegin) return compare_contents(w, a, b, region, once);
  if (a->type_index == kTVMFFIFloat && isnan(a->v_float64)) return isnan(b->v_float64) ? SAME : DIFFERENT;
  return a->zero_padding == b->zero_padding && a->v_uint64 == b->v_uint64 ? SAME : DIFFERENT;
}

static Verdict next_element(Walk* w, int* ended) {
  Frame* f = &w->frames[w->depth - 1];
  int64_t n = f->u.sequence.left, m = f->u.sequence.right;
  if (f->u.sequence.next == (n < m ? n : m)) {
    *ended = 1;
    if (n == m) return finish(w);
    Verdict v = n > m ? note_index(w, SS_STEP_ARRAY_ITEM, SS_STEP_ARRAY_ITEM_MISSING, m)
                      : note_index(w, SS_STEP_ARRAY_ITEM_MISSING, SS_STEP_ARRAY_ITEM, n);
    pop(w);
    return v;
  }
  // Read again for each element: a hook may have changed a List.
  const TVMFFISeqCell *a = sequence_of(f->a), *b = sequence_of(f->b);
  int64_t i = f->u.sequence.next++;
  if (i >= a->size || i >= b->size) {
    ss_raise("RuntimeError", "StructuralEqual: a List was changed while it was compared");
    return RAISED;
  }
  TVMFFIAny x = ((const TVMFFIAny*)a->data)[i], y = ((const TVMFFIAny*)b->data)[i];
  return compare(w, &x, &y, (SsRegion)f->inner, f->once);
}

static Verdict next_field(Walk* w, int* ended) {
  Frame* f = &w->frames[w->depth - 1];
  drop_values(f);
  const TVMFFIFieldInfo* field = ss_next_field(&f->u.fields.cursor);
  if (field == NULL) {
    *ended = 1;
    return finish(w);
  }
  f->u.fields.field = field;
  int plain = ss_field_is_plain(field);
  if (ss_peek_field(field, plain, f->a, &f->x, &f->owns_x) != 0) return RAISED;
  if (ss_peek_field(field, plain, f->b, &f->y, &f->owns_y) != 0) return RAISED;
  TVMFFIAny x = f->x, y = f->y;  // copies, because compare may move this frame to larger memory
  return compare(w, &x, &y, ss_region_in_field((SsRegion)f->inner, field->flags), f->once);
}

// Continues with the innermost pair until it ends, or another is inside of it.
static Verdict step(Walk* w) {
  Verdict v = SAME;
  for (int ended = 0; v == SAME && !ended;) {
    switch (w->frames[w->depth - 1].form) {
      case SEQUENCES:
        v = next_element(w, &ended);
        break;
      case FIELDS:
        v = next_field(w, &ended);
        break;
      default:
        v = next_entry(w, &ended);
    }
  }
  return v;
}

// Compares two values with all their contents, inside of the frames that there are.
static Verdict run(Walk* w, const TVMFFIAny* a, const TVMFFIAny* b, SsRegion region, int once) {
  int32_t base = w->depth;
  Verdict v = compare(w, a, b, region, once);
  while (w->depth > base && (v == SAME || v == DEEPER)) v = step(w);
  while (w->depth > base) {
    if (v == DIFFERENT) v = note_part(w, &w->frames[w->depth - 1]);
    pop(w);
  }
  return v;
}

// Compares two parts for a hook; more are the region and the name of the field.
static int serve(SsHooks* hooks, const TVMFFIAny* values, const TVMFFIAny* more, TVMFFIAny* result) {
  Walk* w = hooks->walk;
  int64_t asked;
  if (ss_hook_int(&more[0], "argument #2 of a hook's callback", &asked) != 0) return -1;
  SsRegion region = w->region;
  Verdict v = run(w, &values[0], &values[1], ss_region_entering(region, asked), 0);
  w->region = region;
  if (v == DIFFERENT && w->mismatch != NULL) {
    TVMFFIAny name;
    TVMFFIByteArray text;
    if (TVMFFIAnyViewToOwnedAny(&more[1], &name) != 0) return -1;
    if ((name.type_index == kTVMFFIStr || name.type_index == kTVMFFISmallStr) && ss_any_bytes(&name, &text)) {
      v = note_field(w, &text);
    } else {
      ss_raise_cannot_convert(&name, "str");
      v = RAISED;
    }
    ss_any_clear(&name);
  }
  if (v == RAISED) return -1;
  ss_set_bits(result, kTVMFFIBool, v == SAME);
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
  w.frames = w.first;
  w.depth = w.pinned = 0;
  w.capacity = FIRST_FRAMES;
  w.skip_tensor = (options & SS_SKIP_TENSOR_CONTENT) != 0;
  w.region = ss_root_region(options);
  w.hooks = (SsHooks){.kind = &hook_kind, .walk = &w};
  w.to_right = w.to_left = (SsObjectTable){NULL, 0, 0};
  w.mismatch = mismatch;
  Verdict v = run(&w, a, b, w.region, 1);
  if (w.frames != w.first) free(w.frames);
  ss_hooks_end(&w.hooks);
  ss_object_table_clear(&w.to_right);
  ss_object_table_clear(&w.to_left);
  *equal = v == SAME;
  return v == RAISED ? -1 : 0;
}
