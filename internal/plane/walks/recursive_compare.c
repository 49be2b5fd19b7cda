// Recursive equality and order: see recursive.h and walk_frames.h.
#include <math.h>
#include <stdlib.h>

#include "core/raise.h"
#include "recursive.h"
#include "recursive_inside.h"
#include "recursive_leaf.h"
#include "structural_visitor.h"
#include "walk_frames.h"

static const char operation[] = "RecursiveCompare";

typedef struct {
  SsFrames frames;  // the stack of the walk
  int equality;     // whether the values are equal is asked, not their order: an order other than 0 means "different"
  int asks_equal;   // the hook that runs asks whether its parts are equal, not for their order
  SsInside inside;  // the pairs of shared objects that the walk is inside of
  SsEqualPairs equal;  // pairs that were found equal, so that none is compared again
} Walk;

// ---- results -----------------------------------------------------------------------------------------------

static SsStep ordered(int order, SsPart* part) {
  part->out.order = order;
  return SS_DONE;
}

// The results for values that have no order: "different", or the error when an order is asked for.
static SsStep no_order(const Walk* w, int32_t type_index, SsPart* part) {
  if (w->equality) return ordered(1, part);
  ss_raise("TypeError", "Cannot order values of type %s", ss_walk_key(type_index));
  return SS_RAISED;
}

static SsStep no_map_order(const Walk* w, SsPart* part) {
  if (w->equality) return ordered(1, part);
  ss_raise("TypeError", "Cannot order Map/Dict values");
  return SS_RAISED;
}

static SsStep other_types(const Walk* w, int32_t a, int32_t b, SsPart* part) {
  if (w->equality) return ordered(1, part);
  ss_raise("TypeError", "Cannot compare values of different types: %s vs %s", ss_walk_key(a), ss_walk_key(b));
  return SS_RAISED;
}

static SsStep compare_floats(const Walk* w, double a, double b, SsPart* part) {
  if (!isnan(a) && !isnan(b)) return ordered((a > b) - (a < b), part);
  if (w->equality) return ordered(!isnan(a) || !isnan(b), part);
  ss_raise("TypeError", "Cannot order NaN values");
  return SS_RAISED;
}

// Compares two values of one type that are no objects.
static SsStep compare_plain(const Walk* w, SsPart* part) {
  const TVMFFIAny *a = &part->x, *b = &part->y;
  switch (a->type_index) {
    case kTVMFFIInt:
    case kTVMFFIBool:
      return ordered((a->v_int64 > b->v_int64) - (a->v_int64 < b->v_int64), part);
    case kTVMFFIFloat:
      return compare_floats(w, a->v_float64, b->v_float64, part);
    case kTVMFFIDataType:
      return ordered(ss_recursive_data_types(a->v_dtype, b->v_dtype), part);
    case kTVMFFIDevice:
      return ordered(ss_recursive_devices(a->v_device, b->v_device), part);
    default:
      if (a->zero_padding == b->zero_padding && a->v_uint64 == b->v_uint64) return ordered(0, part);
      return no_order(w, a->type_index, part);
  }
}

// ---- objects -----------------------------------------------------------------------------------------------

// Returns a new frame for the objects of a part, or NULL raised.
static SsFrame* push(Walk* w, SsForm form, const SsPart* part) {
  TVMFFIObject *a = part->x.v_obj, *b = part->y.v_obj;
  SsFrame* f = form == SS_MAP ? ss_frames_push_map(&w->frames, a, b) : ss_frames_push(&w->frames, form, a, b);
  if (f != NULL) f->out.began = w->frames.met;
  // A pair can be met again only if both objects have several references.
  if (f == NULL || ss_strong_count(a) == 1 || ss_strong_count(b) == 1) return f;
  if (ss_inside_enter(&w->inside, a, b, operation) != 0) return NULL;
  f->again = 1;
  return f;
}

static void leave(SsFrames* s, SsFrame* f) {
  if (f->again) ss_inside_leave(&((Walk*)s)->inside);
}

static int serve(SsHooks* hooks, const TVMFFIAny* values, const TVMFFIAny* more, TVMFFIAny* result);

static const SsHookKind compare_hook = {
    .operation = operation,
    .attribute = "__ffi_compare__",
    .result = "result of a comparison hook",
    .callback = "comparison callback",
    .num_values = 2,
    .num_args = 2,
    .serve = serve,
};

static const SsHookKind equal_hook = {.operation = operation, .attribute = "__ffi_eq__"};

// Finds the hook of a class, NULL when it has none. *is_equal: it is __ffi_eq__. Returns 0, or -1 raised.
static int find_hook(const Walk* w, int32_t type_index, TVMFFIObject** hook, int* is_equal) {
  static SsAttributeColumn *equal, *compare;
  *is_equal = w->equality;
  if (w->equality && (ss_hook_of(&equal_hook, &equal, type_index, hook) != 0 || *hook != NULL)) {
    return *hook == NULL ? -1 : 0;
  }
  *is_equal = 0;
  return ss_hook_of(&compare_hook, &compare, type_index, hook);
}

// Compares the pair of the innermost frame with a hook.
static SsStep call_hook(Walk* w, const SsFrame* f, SsPart* part) {
  TVMFFIAny args[2];
  ss_set_object(&args[0], f->a);
  ss_set_object(&args[1], f->b);
  int asked = w->asks_equal, is_equal = f->kind;
  int64_t result = 0;
  w->asks_equal = is_equal;
  int rc = ss_frames_call_hook(&w->frames, args, 2, &result);
  w->asks_equal = asked;
  if (rc != 0) return SS_RAISED;
  return ordered(is_equal ? result == 0 : (result > 0) - (result < 0), part);
}

// Begins to compare two objects of a class with its hook, or field by field when it has none.
static SsStep enter_objects(Walk* w, SsPart* part) {
  TVMFFIObject* hook = NULL;
  int is_equal = 0;
  int32_t type_index = part->x.type_index;
  const SsType* type = ss_type_at(type_index);
  if (type == NULL) return no_order(w, type_index, part);
  if (type_index >= kTVMFFIStaticObjectEnd && find_hook(w, type_index, &hook, &is_equal) != 0) return SS_RAISED;
  SsFrame* f = push(w, hook == NULL ? SS_FIELDS : SS_HOOKED, part);
  if (f == NULL) return SS_RAISED;
  if (hook == NULL) {
    f->u.fields.cursor = ss_first_field(&type->info);
  } else {
    f->u.hook = hook;
    f->kind = is_equal != 0;
  }
  return SS_DEEPER;
}

// ---- containers --------------------------------------------------------------------------------------------

static SsStep enter_sequences(Walk* w, const SsPart* part) {
  SsFrame* f = push(w, SS_SEQUENCE, part);
  if (f == NULL) return SS_RAISED;
  f->u.sequence.next = 0;
  return SS_DEEPER;
}

// Stores the values of two maps, those of the left one each followed by that of the right one, as the items of the
// innermost frame. *differ: a key of the left one is not in the right one. Returns 0, or -1 raised.
static int collect_entries(Walk* w, int* differ) {
  const SsFrame* f = w->frames.top;
  SsMapParts* parts = f->u.map;
  const SsEntry* entry;
  while ((entry = ss_map_pairs_next(&parts->pairs)) != NULL) {
    const SsEntry* other = NULL;
    TVMFFIAny value = entry->value;
    if (ss_frames_find(&w->frames, f->b, &entry->key, &other) != 0) return -1;
    *differ = other == NULL;
    if (*differ) return 0;
    TVMFFIAny* two = &parts->items[parts->count];
    two[0] = value;
    two[1] = other->value;
    ss_retain(two[0]);
    ss_retain(two[1]);
    parts->count += 2;
  }
  return 0;
}

// Begins to compare two maps. All keys are looked up before any value is compared.
static SsStep enter_maps(Walk* w, SsPart* part) {
  uint64_t size = ss_map_cell(part->x.v_obj)->size;
  if (size != ss_map_cell(part->y.v_obj)->size) return no_map_order(w, part);
  SsFrame* f = push(w, SS_MAP, part);
  if (f == NULL) return SS_RAISED;
  if (size == 0) return SS_DEEPER;
  if (ss_frames_items(&w->frames, 2 * size) == NULL) return SS_RAISED;
  int differ = 0;
  if (ss_map_pairs_begin(&f->u.map->pairs, f->a, operation) != 0 || collect_entries(w, &differ) != 0) return SS_RAISED;
  f->u.map->word = (uint64_t)differ;  // the next step says so
  return SS_DEEPER;
}

// ---- the rules ---------------------------------------------------------------------------------------------

static SsStep compare_objects(Walk* w, SsPart* part) {
  if (ss_inside_has(&w->inside, part->x.v_obj, part->y.v_obj)) {
    if (w->equality) return ordered(0, part);
    ss_raise("ValueError", "RecursiveCompare: cyclic reference detected in ordering");
    return SS_RAISED;
  }
  if (ss_equal_pairs_have(&w->frames, &w->equal, part, 0)) return ordered(0, part);
  switch (part->x.type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      return enter_sequences(w, part);
    case kTVMFFIMap:
    case kTVMFFIDict:
      return enter_maps(w, part);
    default:
      return enter_objects(w, part);
  }
}

static SsStep enter(SsFrames* s, SsPart* part) {
  Walk* w = (Walk*)s;
  const TVMFFIAny *a = &part->x, *b = &part->y;
  int32_t x = a->type_index, y = b->type_index;
  if (x == kTVMFFINone || y == kTVMFFINone) return ordered((x != kTVMFFINone) - (y != kTVMFFINone), part);
  if (ss_recursive_is_string(x) ? ss_recursive_is_string(y) : ss_recursive_is_bytes(x) && ss_recursive_is_bytes(y)) {
    return ordered(ss_recursive_text(a, b), part);
  }
  if (ss_recursive_is_integer(x) && ss_recursive_is_integer(y) && (x == kTVMFFIBigInt || y == kTVMFFIBigInt)) {
    return ordered(x != y && w->equality ? 1 : ss_recursive_integers(a, b), part);
  }
  if (x != y) return other_types(w, x, y, part);
  if (x < kTVMFFIStaticObjectBegin) return compare_plain(w, part);
  if (a->v_obj == b->v_obj) return ordered(0, part);
  if (x == kTVMFFIShape) return ordered(ss_recursive_shapes(a->v_obj, b->v_obj), part);
  return compare_objects(w, part);
}

// Ends the innermost pair, which has no more parts, with an order.
static SsStep finish(Walk* w, int order, SsPart* part) {
  // A pair that counts as equal because of another one, which the walk is inside of, is equal if that is: the walk ends
  // at the first difference.
  return order == 0 && ss_equal_pairs_add(&w->frames, &w->equal, 0) != 0 ? SS_RAISED : ordered(order, part);
}

static SsStep next_values(Walk* w, SsMapParts* parts, SsPart* part) {
  if (parts->word) return no_map_order(w, part);
  if (parts->next == parts->count) return finish(w, 0, part);
  part->x = parts->items[parts->next];
  part->y = parts->items[parts->next + 1];
  parts->next += 2;
  return SS_NEXT;
}

static SsStep next(SsFrames* s, SsPart* part) {
  SsFrame* f = s->top;
  SsStep step;
  switch (f->form) {
    case SS_SEQUENCE: {
      step = ss_frame_next_element(f, part);
      if (step == SS_NEXT) return step;
      int64_t n = ss_sequence(f->a)->size, m = ss_sequence(f->b)->size;
      return finish((Walk*)s, (n > m) - (n < m), part);
    }
    case SS_FIELDS:
      step = ss_frame_next_field(f, kTVMFFIFieldFlagBitMaskCompareOff, part);
      return step == SS_DONE ? finish((Walk*)s, 0, part) : step;
    case SS_MAP:
      return next_values((Walk*)s, f->u.map, part);
    default:
      return call_hook((Walk*)s, f, part);
  }
}

// The first part that is not equal decides.
static SsStep add(SsFrames* s, SsPart* part) {
  if (part->out.order == 0) return SS_NEXT;
  return s->top->form == SS_MAP ? no_map_order((Walk*)s, part) : SS_DONE;
}

// ---- walks -------------------------------------------------------------------------------------------------

// Compares two values with all their contents, inside of the frames that there are. Returns 0 with *order, or -1
// raised.
static int run(Walk* w, const TVMFFIAny* a, const TVMFFIAny* b, int* order) {
  SsPart part = {.x = *a, .y = *b};
  int rc = ss_frames_run(&w->frames, enter, next, add, leave, &part);
  *order = part.out.order;
  return rc;
}

// Compares two parts for a hook: whether they are equal, or their order.
static int serve(SsHooks* hooks, const TVMFFIAny* values, const TVMFFIAny* more, TVMFFIAny* result) {
  (void)more;
  Walk* w = hooks->walk;
  int asked = w->asks_equal, order = 0;
  int rc = run(w, &values[0], &values[1], &order);
  w->asks_equal = asked;
  if (rc != 0) return -1;
  if (asked) {
    ss_set_bits(result, kTVMFFIBool, order == 0);
  } else {
    ss_set_bits(result, kTVMFFIInt, (uint64_t)(int64_t)order);
  }
  return 0;
}

static int begin(const TVMFFIAny* a, const TVMFFIAny* b, int equality, int* order) {
  Walk w;
  ss_frames_begin(&w.frames, &compare_hook);
  w.equality = equality;
  w.asks_equal = 0;
  ss_inside_begin(&w.inside);
  w.equal = (SsEqualPairs){{NULL, 0, 0}, {NULL, 0, 0}};
  int rc = run(&w, a, b, order);
  ss_frames_end(&w.frames);
  ss_inside_end(&w.inside);
  ss_equal_pairs_end(&w.equal);
  return rc;
}

int ss_recursive_equal(const TVMFFIAny* a, const TVMFFIAny* b, int* equal) {
  int order = 0;
  int rc = begin(a, b, 1, &order);
  *equal = rc == 0 && order == 0;
  return rc;
}

int ss_recursive_compare(const TVMFFIAny* a, const TVMFFIAny* b, int* order) { return begin(a, b, 0, order); }
