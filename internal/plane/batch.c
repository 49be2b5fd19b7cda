// Many objects with one call from Go.
#include "batch.h"

#include "alloc.h"
#include "buffer.h"
#include "map.h"
#include "raise.h"
#include "selfsame/internal/refcount.h"
#include "selfsame/selfsame.h"
#include "sequence.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIByteArray bytes;
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

// A Map or Dict, whose cell is not filled in.
static void* new_map(SsNewObject* made) {
  made->buffer = NULL;
  if (made->buffer_size != 0) {
    made->buffer = ss_buffer_new((size_t)made->buffer_size);
    if (made->buffer == NULL) return NULL;
  }
  void* obj = ss_map_new((int32_t)made->type_index, (size_t)made->size);
  if (obj == NULL) ss_buffer_free(made->buffer);
  return obj;
}

static void release(SsNewObject* made) {
  switch (made->type_index) {
    case kTVMFFIStr:
    case kTVMFFIArray:
      ss_xdecref(made->object);
      break;
    default:
      ss_buffer_free(made->buffer);
      SelfsameObjectFree(made->object);  // not its deleter, which would read the cell
  }
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
        made[i].object = new_map(&made[i]);
    }
    if (made[i].object == NULL) {
      while (i-- > 0) release(&made[i]);
      return -1;
    }
  }
  return 0;
}
