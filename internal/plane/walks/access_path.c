// Making AccessPaths: see access_path.h.
#include "access_path.h"

#include <string.h>

#include "core/reflected_object.h"
#include "selfsame/internal/refcount.h"
#include "core/type_table.h"

// Makes an object of zeros. New reference; NULL raised.
static void* new_object(const char* type_key, size_t size) {
  TVMFFIByteArray key = {type_key, strlen(type_key)};
  return ss_reflected_new(&ss_type_at(ss_type_by_key(&key))->info, (int64_t)size);
}

SsAccessPath* ss_access_path_root(void) { return new_object("ffi.reflection.AccessPath", sizeof(SsAccessPath)); }

SsAccessPath* ss_access_path_extend(SsAccessPath* parent, int32_t kind, const TVMFFIAny* key) {
  SsAccessPath* path = ss_access_path_root();
  SsAccessStep* step = path == NULL ? NULL : new_object("ffi.reflection.AccessStep", sizeof(SsAccessStep));
  if (step == NULL) {
    if (path != NULL) ss_decref(&path->header);
    return NULL;
  }
  step->kind = kind;
  step->key = *key;
  if (key->type_index >= kTVMFFIStaticObjectBegin) ss_incref(key->v_obj);
  ss_incref(&parent->header);
  path->parent = &parent->header;
  path->step = &step->header;
  path->depth = parent->depth + 1;
  return path;
}
