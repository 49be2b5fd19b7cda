// Many objects with one call from Go.
#include "batch.h"

#include "core/alloc.h"
#include "collections/map.h"
#include "core/raise.h"
#include "selfsame/internal/refcount.h"
#include "selfsame/selfsame.h"
#include "collections/sequence.h"

typedef struct {
  TVMFFIObject header;    // counts, type index and deleter
  TVMFFIByteArray bytes;  // the text, which lies behind this struct
} StringObject;

static void* new_string(int64_t size) {
  if (size < 0 || size > PTRDIFF_MAX - (int64_t)sizeof(StringObject) - 1) {
    ss_raise_no_memory("a string");
    return NULL;
  }
  StringObject* obj = ss_object_space(sizeof(StringObject) + (size_t)size + 1, _Alignof(StringObject), kTVMFFIStr);
  if (obj == NULL) return NULL;
  char* content = (char*)(obj + 1);
  content[size] = '\0';
  obj->bytes.data = content;
  obj->bytes.size = (size_t)size;
  ss_object_init(obj, kTVMFFIStr, ss_delete_plain);
  return obj;
}

int ss_objects_new(SsNewObject* made, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    switch (made[i].type_index) {
      case kTVMFFIStr:
        made[i].object = new_string(made[i].size);
        break;
      case kTVMFFIArray:
        made[i].object = ss_array_new(made[i].size);
        break;
      default:
        made[i].object = ss_map_new_for((int32_t)made[i].type_index, (uint64_t)made[i].size);
    }
    if (made[i].object == NULL) {
      while (i-- > 0) ss_xdecref(made[i].object);
      return -1;
    }
  }
  return 0;
}

int ss_maps_fill(const SsMapFill* fills, int64_t n, const TVMFFIAny* items) {
  int rc = 0;
  for (int64_t i = 0; i < n; i++) {
    if (fills[i].pairs == 0) continue;  // items may be NULL
    if (ss_map_fill(fills[i].map, items + fills[i].first, fills[i].pairs) != 0) rc = -1;
  }
  return rc;
}
