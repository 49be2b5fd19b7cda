// Recursive equality and order, with an explicit stack instead of recursion: see recursive.h. Only hooks recurse.
#include <math.h>
#include <stdlib.h>

#include "map_pairs.h"
#include "raise.h"
#include "recursive.h"
#include "recursive_inside.h"
#include "recursive_leaf.h"
#include "selfsame/internal/values.h"
#include "structural_field.h"
#include "structural_hooks.h"
#include "structural_stack.h"

static const char operation[] = "RecursiveCompare";

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
  uint8_t pinned;          // the frame owns references to the two
  uint8_t owns_x, owns_y;  // FIELDS: the frame owns these values
  uint8_t inside;          // the pair is in the walk's `inside`
  TVMFFIAny x, y;          // FIELDS: the values being compared
  union {
    int64_t next;  // SEQUENCES: the next index
    SsFieldCursor cursor;
    struct {
      TVMFFIAny* values;  // owned: the values of the left map, each followed by the one of the right map
      uint64_t next, count;
    } maps;
  } u;
} Frame;

enum { FIRST_FRAMES = 24 };

typedef struct {
  Frame* frames;  // `first`, or memory from malloc
  int32_t depth, capacity;
  int32_t pinned;  // the first so many frames are pinned
  int equality;    // whether the values are equal is asked, not their order: an order other than 0 means "different"
  int asks_equal;  // the hook that runs asks whether its parts are equal, not for their order
  SsHooks hooks;
  SsInside inside;  // the pairs of shared objects that the walk is inside of
  Frame first[FIRST_FRAMES];
} Walk;

typedef enum {
  COMPARED,
  DEEPER,  // depends on the contents: a new frame compares them
  RAISED,
} Verdict;

// ---- the stack of frames -----------------------------------------------------------------------------------

// Returns a new frame, or NULL raised.
static Frame* push(Walk* w, Form form, TVMFFIObject* a, TVMFFIObject* b) {
  if (w->depth == w->capacity) {
    Frame* more = ss_stack_grow(w->frames, w->first, &w->capacity, sizeof(Frame), operation);
    if (more == NULL) return NULL;
    w->frames = more;
  }
  Frame* f = &w->frames[w->depth++];
  f->a = a;
  f->b = b;
  f->form = (uint8_t)form;
  f->pinned = f->owns_x = f->owns_y = f->inside = 0;
  // A pair can be met again only if both objects have several references.
  if (ss_strong_count(a) > 1 && ss_strong_count(b) > 1) {
    if (ss_inside_enter(&w->inside, a, b, operation) != 0) {
      w->depth--;
      return NULL;
    }
    f->inside = 1;
  }
  return f;
}

static void drop_values(Frame* f) {
  if (f->owns_x) ss_any_clear(&f->x);
  if (f->owns_y) ss_any_clear(&f->y);
  f->owns_x = f->owns_y = 0;
}

static void drop_entries(Frame* f) {
  for (uint64_t i = 0; i < f->u.maps.count; i++) ss_any_clear(&f->u.maps.values[i]);
  free(f->u.maps.values);
}

static void pop(Walk* w) {
  Frame* f = &w->frames[w->depth - 1];
  drop_values(f);
  if (f->form == MAPS) drop_entries(f);
  TVMFFIObject *a = f->a, *b = f->b;
  int pinned = f->pinned;
  if (f->inside) ss_inside_leave(&w->inside);
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

// ---- verdicts ----------------------------------------------------------------------------------------------

static Verdict ordered(int value, int* order) {
  *order = value;
  return COMPARED;
}

static const char* key_of(int32_t type_index) {
  const SsType* type = ss_type_at(type_index);
  return type == NULL ? "unregistered type" : type->info.type_key.data;
}

// The results for values that have no order: "different", or the error when an order is asked for.
static Verdict no_order(const Walk* w, int32_t type_index, int* order) {
  if (w->equality) return ordered(1, order);
  ss_raise("TypeError", "Cannot order values of type %s", key_of(type_index));
  return RAISED;
}

static Verdict no_map_order(const Walk* w, int* order) {
  if (w->equality) return ordered(1, order);
  ss_raise("TypeError", "Cannot order Map/Dict values");
  return RAISED;
}

static Verdict other_types(const Walk* w, int32_t a, int32_t b, int* order) {
  if (w->equality) return ordered(1, order);
  ss_raise("TypeError", "Cannot compare values of different types: %s vs %s", key_of(a), key_of(b));
  return RAISED;
}

static Verdict compare_floats(const Walk* w, double a, double b, int* order) {
  if (!isnan(a) && !isnan(b)) return ordered((a > b) - (a < b), order);
  if (w->equality) return ordered(!isnan(a) || !isnan(b), order);
  ss_raise("TypeError", "Cannot order NaN values");
  return RAISED;
}

// Compares two values of one type that are no objects.
static Verdict compare_plain(const Walk* w, const TVMFFIAny* a, const TVMFFIAny* b, int* order) {
  switch (a->type_index) {
    case kTVMFFIInt:
    case kTVMFFIBool:
      return ordered((a->v_int64 > b->v_int64) - (a->v_int64 < b->v_int64), order);
    case kTVMFFIFloat:
      return compare_floats(w, a->v_float64, b->v_float64, order);
    case kTVMFFIDataType:
      return ordered(ss_recursive_data_types(a->v_dtype, b->v_dtype), order);
    case kTVMFFIDevice:
      return ordered(ss_recursive_devices(a->v_device, b->v_device), order);
    default:
      if (a->zero_padding == b->zero_padding && a->v_uint64 == b->v_uint64) return ordered(0, order);
      return no_order(w, a->type_index, order);
  }
}

// ---- objects -----------------------------------------------------------------------------------------------

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

// Compares the pair of the innermost frame with a hook and removes the frame.
static Verdict call_hook(Walk* w, TVMFFIObject* hook, int is_equal, int* order) {
  const Frame* f = &w->frames[w->depth - 1];
  TVMFFIAny args[2];
  ss_set_object(&args[0], f->a);
  ss_set_object(&args[1], f->b);
  int asked = w->asks_equal;
  int64_t result = 0;
  w->asks_equal = is_equal;
  pin(w);
  int rc = ss_hook_call(&w->hooks, hook, args, 2, &result);
  w->asks_equal = asked;
  pop(w);
  if (rc != 0) return RAISED;
  return ordered(is_equal ? result == 0 : (result > 0) - (result < 0), order);
}

// Begins to compare two objects of a class with its hook, or field by field when it has none.
static Verdict compare_instances(Walk* w, TVMFFIObject* a, TVMFFIObject* b, int* order) {
  TVMFFIObject* hook = NULL;
  int is_equal = 0;
  const SsType* type = ss_type_at(a->type_index);
  if (type == NULL) return no_order(w, a->type_index, order);
  if (a->type_index >= kTVMFFIStaticObjectEnd && find_hook(w, a->type_index, &hook, &is_equal) != 0) return RAISED;
  Frame* f = push(w, hook == NULL ? FIELDS : HOOKED, a, b);
  if (f == NULL) return RAISED;
  if (hook != NULL) return call_hook(w, hook, is_equal, order);
  f->u.cursor = ss_first_field(&type->info);
  return DEEPER;
}

// Stores the values of two maps in the innermost frame. *differ: a key of the left one is not in the right one. Returns
// 0, or -1 raised.
static int collect_entries(Walk* w, SsMapPairs* pairs, int* differ) {
  Frame* f = &w->frames[w->depth - 1];
  const SsEntry* entry;
  while ((entry = ss_map_pairs_next(pairs)) != NULL) {
    const SsEntry* other = NULL;
    TVMFFIAny value = entry->value;
    if (!ss_map_find(f->b, &entry->key, &other)) {
      pin(w);  // the key's class has hooks
      if (ss_map_find_hooked(f->b, &entry->key, &other) != 0) return -1;
    }
    *differ = other == NULL;
    if (*differ) return 0;
    TVMFFIAny* two = &f->u.maps.values[f->u.maps.count];
    two[0] = value;
    two[1] = other->value;
    for (int i = 0; i < 2; i++) {
      if (two[i].type_index >= kTVMFFIStaticObjectBegin) ss_incref(two[i].v_obj);
    }
    f->u.maps.count += 2;
  }
  return 0;
}

// Begins to compare two maps. All keys are looked up before any value is compared.
static Verdict compare_maps(Walk* w, TVMFFIObject* a, TVMFFIObject* b, int* order) {
  uint64_t size = ss_map_cell(a)->size;
  if (size != ss_map_cell(b)->size) return no_map_order(w, order);
  Frame* f = push(w, MAPS, a, b);
  if (f == NULL) return RAISED;
  f->u.maps.values = NULL;
  f->u.maps.next = f->u.maps.count = 0;
  if (size == 0) return DEEPER;
  f->u.maps.values = malloc(2 * size * sizeof(TVMFFIAny));
  if (f->u.maps.values == NULL) {
    ss_raise_no_memory(operation);
    return RAISED;
  }
  SsMapPairs pairs;
  int differ = 0, rc = ss_map_pairs_begin(&pairs, a, operation);
  if (rc == 0) rc = collect_entries(w, &pairs, &differ);
  ss_map_pairs_end(&pairs);
  if (rc != 0) return RAISED;
  if (!differ) return DEEPER;
  pop(w);
  return no_map_order(w, order);
}

static Verdict compare_objects(Walk* w, TVMFFIObject* a, TVMFFIObject* b, int* order) {
  if (ss_inside_has(&w->inside, a, b)) {
    if (w->equality) return ordered(0, order);
    ss_raise("ValueError", "RecursiveCompare: cyclic reference detected in ordering");
    return RAISED;
  }
  Frame* f;
  switch (a->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      f = push(w, SEQUENCES, a, b);
      if (f == NULL) return RAISED;
      f->u.next = 0;
      return DEEPER;
    case kTVMFFIMap:
    case kTVMFFIDict:
      return compare_maps(w, a, b, order);
    default:
      return compare_instances(w, a, b, order);
  }
}

// ---- the walk ----------------------------------------------------------------------------------------------

// Compares two values, without their contents.
static Verdict compare(Walk* w, const TVMFFIAny* a, const TVMFFIAny* b, int* order) {
  int32_t x = a->type_index, y = b->type_index;
  if (x == kTVMFFINone || y == kTVMFFINone) return ordered((x != kTVMFFINone) - (y != kTVMFFINone), order);
  if (ss_recursive_is_string(x) ? ss_recursive_is_string(y) : ss_recursive_is_bytes(x) && ss_recursive_is_bytes(y)) {
    return ordered(ss_recursive_text(a, b), order);
  }
  if (ss_recursive_is_integer(x) && ss_recursive_is_integer(y) && (x == kTVMFFIBigInt || y == kTVMFFIBigInt)) {
    return ordered(x != y && w->equality ? 1 : ss_recursive_integers(a, b), order);
  }
  if (x != y) return other_types(w, x, y, order);
  if (x < kTVMFFIStaticObjectBegin) return compare_plain(w, a, b, order);
  if (a->v_obj == b->v_obj) return ordered(0, order);
  if (x == kTVMFFIShape) return ordered(ss_recursive_shapes(a->v_obj, b->v_obj), order);
  return compare_objects(w, a->v_obj, b->v_obj, order);
}

static Verdict next_element(Walk* w, int* order, int* ended) {
  Frame* f = &w->frames[w->depth - 1];
  // Read again for each element: a hook may have changed a List.
  const TVMFFISeqCell *a = (const TVMFFISeqCell*)(f->a + 1), *b = (const TVMFFISeqCell*)(f->b + 1);
  int64_t i = f->u.next++;
  if (i >= a->size || i >= b->size) {
    *ended = 1;
    return ordered((a->size > b->size) - (a->size < b->size), order);
  }
  TVMFFIAny x = ((const TVMFFIAny*)a->data)[i], y = ((const TVMFFIAny*)b->data)[i];
  return compare(w, &x, &y, order);
}

static Verdict next_field(Walk* w, int* order, int* ended) {
  Frame* f = &w->frames[w->depth - 1];
  drop_values(f);
  const TVMFFIFieldInfo* field = ss_next_field_without(&f->u.cursor, kTVMFFIFieldFlagBitMaskCompareOff);
  *ended = field == NULL;
  if (field == NULL) return ordered(0, order);
  int plain = ss_field_is_plain(field);
  if (ss_peek_field(field, plain, f->a, &f->x, &f->owns_x) != 0) return RAISED;
  if (ss_peek_field(field, plain, f->b, &f->y, &f->owns_y) != 0) return RAISED;
  TVMFFIAny x = f->x, y = f->y;  // copies, because compare may move this frame to larger memory
  return compare(w, &x, &y, order);
}

static Verdict next_entry(Walk* w, int* order, int* ended) {
  Frame* f = &w->frames[w->depth - 1];
  uint64_t i = f->u.maps.next;
  *ended = i == f->u.maps.count;
  if (*ended) return ordered(0, order);
  f->u.maps.next += 2;
  TVMFFIAny x = f->u.maps.values[i], y = f->u.maps.values[i + 1];
  return compare(w, &x, &y, order);
}

// Continues with the innermost pair until it ends, another is inside of it, or a part decides the order. *ended: the
// pair itself decided it.
static Verdict step(Walk* w, int* order, int* ended) {
  Verdict v = COMPARED;
  *order = *ended = 0;
  while (v == COMPARED && *order == 0 && !*ended) {
    switch (w->frames[w->depth - 1].form) {
      case SEQUENCES:
        v = next_element(w, order, ended);
        break;
      case FIELDS:
        v = next_field(w, order, ended);
        break;
      default:
        v = next_entry(w, order, ended);
    }
  }
  return v;
}

// Compares two values with all their contents, inside of the frames that there are. Returns 0 with *order, or -1
// raised.
static int run(Walk* w, const TVMFFIAny* a, const TVMFFIAny* b, int* order) {
  int32_t base = w->depth;
  Verdict v = compare(w, a, b, order);
  while (w->depth > base && v != RAISED) {
    int ended = 0;
    if (v == DEEPER || *order == 0) v = step(w, order, &ended);
    if (v != COMPARED) continue;
    // The pair is compared: all its parts are equal, or one of them decides.
    if (!ended && w->frames[w->depth - 1].form == MAPS) v = no_map_order(w, order);
    pop(w);
  }
  while (w->depth > base) pop(w);
  return v == RAISED ? -1 : 0;
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
  w.frames = w.first;
  w.depth = w.pinned = 0;
  w.capacity = FIRST_FRAMES;
  w.equality = equality;
  w.asks_equal = 0;
  w.hooks = (SsHooks){.kind = &compare_hook, .walk = &w};
  ss_inside_begin(&w.inside);
  int rc = run(&w, a, b, order);
  if (w.frames != w.first) free(w.frames);
  ss_hooks_end(&w.hooks);
  ss_inside_end(&w.inside);
  return rc;
}

int ss_recursive_equal(const TVMFFIAny* a, const TVMFFIAny* b, int* equal) {
  int order = 0;
  int rc = begin(a, b, 1, &order);
  *equal = rc == 0 && order == 0;
  return rc;
}

int ss_recursive_compare(const TVMFFIAny* a, const TVMFFIAny* b, int* order) { return begin(a, b, 0, order); }
