// Opaque objects: a pointer that the ABI does not know, with the function that releases it.
#include "plane.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIOpaqueObjectCell cell;
  void (*deleter)(void* handle);
} opaque_object;

static void delete_opaque(void* self, int flags) {
  opaque_object* opaque = self;
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && opaque->deleter != NULL) {
    opaque->deleter(opaque->cell.handle);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) SelfsameObjectFree(self);
}

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  if (!ss_check_ptr(out, "TVMFFIObjectCreateOpaque", "out")) return -1;
  *out = NULL;
  if (type_index != kTVMFFIOpaquePyObject) {
    return ss_raise("RuntimeError", "Only kTVMFFIOpaquePyObject is supported for now");
  }
  opaque_object* opaque = ss_object_space(sizeof(opaque_object), _Alignof(opaque_object), type_index);
  if (opaque == NULL) return -1;
  opaque->cell.handle = handle;
  opaque->deleter = deleter;
  ss_object_init(opaque, type_index, delete_opaque);
  *out = opaque;
  return 0;
}
