// Many objects in one crossing: what a parser makes.
#include "containers.h"
#include "graph.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIByteArray bytes;
} string_object;

static void* new_string(int64_t size) {
  if (size < 0 || size > PTRDIFF_MAX - (int64_t)sizeof(string_object) - 1) {
    ss_raise_no_memory("a string");
    return NULL;
  }
  string_object* obj = ss_object_space(sizeof(string_object) + (size_t)size + 1, _Alignof(string_object), kTVMFFIStr);
  if (obj == NULL) return NULL;
  char* content = (char*)(obj + 1);
  content[size] = '\0';
  obj->bytes.data = content;
  obj->bytes.size = (size_t)size;
  ss_object_init(obj, kTVMFFIStr, ss_delete_plain);
  return obj;
}

// Makes a Map or Dict, whose body is not filled in.
static void* new_hash(ss_make* make) {
  make->buffer = NULL;
  if (make->buffer_size != 0) {
    make->buffer = ss_buffer_new((size_t)make->buffer_size);
    if (make->buffer == NULL) return NULL;
  }
  void* obj = ss_hash_new((int32_t)make->type_index, (size_t)make->size);
  if (obj == NULL) ss_buffer_free(make->buffer);
  return obj;
}

static void give_up(ss_make* make) {
  switch (make->type_index) {
    case kTVMFFIStr:
    case kTVMFFIArray:
      ss_xdecref(make->object);
      break;
    default:
      ss_buffer_free(make->buffer);
      SelfsameObjectFree(make->object);  // it has no body for its deleter to look at
  }
}

int ss_objects_new(ss_make* make, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    switch (make[i].type_index) {
      case kTVMFFIStr:
        make[i].object = new_string(make[i].size);
        break;
      case kTVMFFIArray:
        make[i].object = ss_array_new(make[i].size);
        break;
      default:
        make[i].object = new_hash(&make[i]);
    }
    if (make[i].object == NULL) {
      while (i-- > 0) give_up(&make[i]);
      return -1;
    }
  }
  return 0;
}
