// The first difference of two values, as AccessPaths: see structural.h.
#include <stdlib.h>
#include <string.h>

#include "any.h"
#include "raise.h"
#include "reflected_object.h"
#include "selfsame/internal/values.h"
#include "sequence.h"
#include "structural.h"
#include "type_table.h"

// The layouts of ffi.reflection.AccessStep and ffi.reflection.AccessPath; package accesspath has them in Go.
typedef struct {
  TVMFFIObject header;  // counts, type index and deleter
  int32_t kind;         // of the step, such as a field or an index
  TVMFFIAny key;        // owned
} AccessStep;

typedef struct {
  TVMFFIObject header;   // counts, type index and deleter
  TVMFFIObject* parent;  // owned AccessPath, NULL at the root
  TVMFFIObject* step;    // owned AccessStep, NULL at the root
  int32_t depth;         // how many steps there are
} AccessPath;

int ss_mismatch_note(SsMismatch* mismatch, int32_t left_kind, const TVMFFIAny* left, int32_t right_kind,
                     const TVMFFIAny* right) {
  if (mismatch->count == mismatch->capacity) {
    int64_t wanted = mismatch->capacity == 0 ? 16 : 2 * mismatch->capacity;
    SsMismatchStep* more = realloc(mismatch->steps, (size_t)wanted * sizeof(SsMismatchStep));
    if (more == NULL) return ss_raise_no_memory("StructuralEqual");
    mismatch->steps = more;
    mismatch->capacity = wanted;
  }
  mismatch->steps[mismatch->count++] = (SsMismatchStep){left_kind, right_kind, *left, *right};
  if (left->type_index >= kTVMFFIStaticObjectBegin) ss_incref(left->v_obj);
  if (right->type_index >= kTVMFFIStaticObjectBegin) ss_incref(right->v_obj);
  return 0;
}

void ss_mismatch_clear(SsMismatch* mismatch) {
  for (int64_t i = 0; i < mismatch->count; i++) {
    ss_any_clear(&mismatch->steps[i].left_key);
    ss_any_clear(&mismatch->steps[i].right_key);
  }
  free(mismatch->steps);
  *mismatch = (SsMismatch){NULL, 0, 0};
}

// Makes an object of zeros. New reference; NULL raised.
static void* new_object(const char* type_key, size_t size) {
  TVMFFIByteArray key = {type_key, strlen(type_key)};
  return ss_reflected_new(&ss_type_at(ss_type_by_key(&key))->info, (int64_t)size);
}

static TVMFFIObject* new_step(int32_t kind, const TVMFFIAny* key) {
  AccessStep* step = new_object("ffi.reflection.AccessStep", sizeof(AccessStep));
  if (step == NULL) return NULL;
  step->kind = kind;
  step->key = *key;
  if (key->type_index >= kTVMFFIStaticObjectBegin) ss_incref(key->v_obj);
  return &step->header;
}

// Makes the path of a parent, which it takes over, and one more step. NULL raised, with the parent released.
static AccessPath* extend(AccessPath* parent, int32_t kind, const TVMFFIAny* key) {
  AccessPath* path = new_object("ffi.reflection.AccessPath", sizeof(AccessPath));
  TVMFFIObject* step = path == NULL ? NULL : new_step(kind, key);
  if (step == NULL) {
    ss_xdecref(&parent->header);
    if (path != NULL) ss_xdecref(&path->header);
    return NULL;
  }
  path->parent = &parent->header;
  path->step = step;
  path->depth = parent->depth + 1;
  return path;
}

// The path on the left or on the right. New reference; NULL raised.
static AccessPath* path_of(const SsMismatch* way, int right) {
  AccessPath* path = new_object("ffi.reflection.AccessPath", sizeof(AccessPath));
  for (int64_t i = way->count; path != NULL && i-- > 0;) {
    const SsMismatchStep* step = &way->steps[i];
    path = right ? extend(path, step->right_kind, &step->right_key) : extend(path, step->left_kind, &step->left_key);
  }
  return path;
}

// Moves a path to the end of an Array. Returns 0, or -1 when there is none.
static int push(TVMFFIObject* pair, AccessPath* path) {
  TVMFFIAny value;
  if (path == NULL) return -1;
  ss_set_object(&value, path);
  ss_array_push(pair, &value);
  return 0;
}

int ss_structural_mismatch(const TVMFFIAny* a, const TVMFFIAny* b, int options, TVMFFIAny* result) {
  SsMismatch way = {NULL, 0, 0};
  int same = 0;
  int rc = ss_structural_equal(a, b, options, &way, &same);
  ss_set_none(result);
  if (rc == 0 && !same) {
    TVMFFIObject* pair = ss_array_new(2);
    if (pair == NULL || push(pair, path_of(&way, 0)) != 0 || push(pair, path_of(&way, 1)) != 0) {
      ss_xdecref(pair);
      rc = -1;
    } else {
      ss_set_object(result, pair);
    }
  }
  ss_mismatch_clear(&way);
  return rc;
}
