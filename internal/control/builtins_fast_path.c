// Fast paths of the methods of AccessPath. Go implementation: builtins_path.go, which also reports what is wrong with a
// path whose fields were set through reflection.
#include <string.h>

#include "walks/access_path.h"
#include "builtin_classes.h"
#include "builtins_fast_call.h"
#include "collections/sequence.h"

enum { ATTR, ARRAY_ITEM, MAP_ITEM, ATTR_MISSING, ARRAY_ITEM_MISSING, MAP_ITEM_MISSING };
enum { MOST_STEPS = 64 };  // that are looked at here

static int is_path(const TVMFFIAny* args, int32_t num_args, int32_t n, const TVMFFIAny* result) {
  return ss_is_call_of(ss_builtin_class_index(SS_ACCESS_PATH), args, num_args, n, result);
}

SS_FAST(root) {
  if (!ss_is_call(args, num_args, 0, result)) SS_FALL_BACK_TO_GO();
  SsAccessPath* made = ss_access_path_root();
  return made == NULL ? -1 : ss_return_object(result, made);
}

// ---- longer paths ------------------------------------------------------------------------------------------

static int extended(int32_t kind, const TVMFFIAny* args, TVMFFIAny* result) {
  TVMFFIAny key;
  if (TVMFFIAnyViewToOwnedAny(&args[1], &key) != 0) return -1;
  SsAccessPath* made = ss_access_path_extend((SsAccessPath*)args->v_obj, kind, &key);
  ss_any_clear(&key);
  return made == NULL ? -1 : ss_return_object(result, made);
}

static int is_extension(const TVMFFIAny* args, int32_t num_args, const TVMFFIAny* result) {
  if (!is_path(args, num_args, 2, result)) return 0;
  int32_t depth = ((SsAccessPath*)args->v_obj)->depth;
  return depth >= 0 && depth < INT32_MAX;
}

#define EXTENDS(name, kind, accepts)                                               \
  SS_FAST(name) {                                                                  \
    if (!is_extension(args, num_args, result) || !(accepts)) SS_FALL_BACK_TO_GO(); \
    return extended(kind, args, result);                                           \
  }
EXTENDS(attr, ATTR, ss_is_text(&args[1]))
EXTENDS(attr_missing, ATTR_MISSING, ss_is_text(&args[1]))
EXTENDS(array_item, ARRAY_ITEM, args[1].type_index == kTVMFFIInt)
EXTENDS(array_item_missing, ARRAY_ITEM_MISSING, args[1].type_index == kTVMFFIInt)
EXTENDS(map_item, MAP_ITEM, ss_is_value(&args[1]) || ss_is_text(&args[1]))
EXTENDS(map_item_missing, MAP_ITEM_MISSING, ss_is_value(&args[1]) || ss_is_text(&args[1]))

// ---- steps -------------------------------------------------------------------------------------------------

// The steps of a path from the root on, borrowed. Returns how many, or -1 for a path that Go must look at.
static int steps_of(const TVMFFIAny* path, SsAccessStep* steps[MOST_STEPS]) {
  int32_t class_index = path->type_index;
  int n = 0;
  for (SsAccessPath* at = (SsAccessPath*)path->v_obj; at->parent != NULL; at = (SsAccessPath*)at->parent) {
    if (n == MOST_STEPS || at->step == NULL || at->parent->type_index != class_index) return -1;
    steps[n++] = (SsAccessStep*)at->step;
  }
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    SsAccessStep* later = steps[i];
    steps[i] = steps[j];
    steps[j] = later;
  }
  return n;
}

// Whether two steps are equal: 1 or 0, or -1 for keys that Go must compare.
static int step_equal(const SsAccessStep* a, const SsAccessStep* b) {
  TVMFFIByteArray x, y;
  if (a == b) return 1;
  if (a->kind != b->kind) return 0;
  if (a->key.type_index != b->key.type_index) return -1;
  switch (a->key.type_index) {
    case kTVMFFIInt:
      return a->key.v_int64 == b->key.v_int64;
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      if (!ss_any_bytes(&a->key, &x) || !ss_any_bytes(&b->key, &y)) return -1;
      return x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
    default:
      return -1;
  }
}

// Whether the steps of args[0] are the first ones of args[1], and with `whole` all of them. -1: Go must say it.
static int is_prefix(const TVMFFIAny* args, int whole) {
  SsAccessStep *a[MOST_STEPS], *b[MOST_STEPS];
  if (args[0].v_obj == args[1].v_obj) return 1;
  int m = steps_of(&args[0], a), n = steps_of(&args[1], b);
  if (m < 0 || n < 0) return -1;
  if (m > n || (whole && m != n)) return 0;
  for (int i = 0; i < m; i++) {
    int equal = step_equal(a[i], b[i]);
    if (equal != 1) return equal;
  }
  return 1;
}

static int is_pair(const TVMFFIAny* args, int32_t num_args, const TVMFFIAny* result) {
  return is_path(args, num_args, 2, result) && ss_is_object(&args[1], args[0].type_index);
}

SS_FAST(is_prefix_of) {
  int is = is_pair(args, num_args, result) ? is_prefix(args, 0) : -1;
  if (is < 0) SS_FALL_BACK_TO_GO();
  return ss_return_bool(result, is);
}

SS_FAST(path_equal) {
  int is = is_pair(args, num_args, result) ? is_prefix(args, 1) : -1;
  if (is < 0) SS_FALL_BACK_TO_GO();
  return ss_return_bool(result, is);
}

SS_FAST(to_steps) {
  SsAccessStep* steps[MOST_STEPS];
  int n = is_path(args, num_args, 1, result) ? steps_of(args, steps) : -1;
  if (n < 0) SS_FALL_BACK_TO_GO();
  TVMFFIObject* array = ss_array_new(n);
  if (array == NULL) return -1;
  for (int i = 0; i < n; i++) {
    TVMFFIAny value;
    ss_set_object(&value, &steps[i]->header);
    ss_incref(&steps[i]->header);
    ss_array_push(array, &value);
  }
  return ss_return_object(result, array);
}

const SsFastEntry ss_fast_paths[] = {
    {"ffi.reflection.AccessPath._root", root},
    {"ffi.reflection.AccessPath._attr", attr},
    {"ffi.reflection.AccessPath._attr_missing", attr_missing},
    {"ffi.reflection.AccessPath._array_item", array_item},
    {"ffi.reflection.AccessPath._array_item_missing", array_item_missing},
    {"ffi.reflection.AccessPath._map_item", map_item},
    {"ffi.reflection.AccessPath._map_item_missing", map_item_missing},
    {"ffi.reflection.AccessPath._is_prefix_of", is_prefix_of},
    {"ffi.reflection.AccessPath._path_equal", path_equal},
    {"ffi.reflection.AccessPath._to_steps", to_steps},
    {NULL, NULL},
};
