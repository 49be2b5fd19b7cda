// The first difference of two values, as AccessPaths: see structural.h.
#include <stdlib.h>

#include "access_path.h"
#include "scalars/any.h"
#include "core/raise.h"
#include "selfsame/internal/values.h"
#include "collections/sequence.h"
#include "structural.h"

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

// The path on the left or on the right. New reference; NULL raised.
static SsAccessPath* path_of(const SsMismatch* way, int right) {
  SsAccessPath* path = ss_access_path_root();
  for (int64_t i = way->count; path != NULL && i-- > 0;) {
    const SsMismatchStep* step = &way->steps[i];
    SsAccessPath* longer = right ? ss_access_path_extend(path, step->right_kind, &step->right_key)
                                 : ss_access_path_extend(path, step->left_kind, &step->left_key);
    ss_decref(&path->header);
    path = longer;
  }
  return path;
}

// Moves a path to the end of an Array. Returns 0, or -1 when there is none.
static int push(TVMFFIObject* pair, SsAccessPath* path) {
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
