// Opaque objects: a pointer that the ABI does not know, and the function that releases it.
#include "alloc.h"
#include "raise.h"
#include "selfsame/internal/refcount.h"
#include "selfsame/selfsame.h"
#include "teardown.h"

typedef struct {
  TVMFFIObject header;            // counts, type index and deleter
  TVMFFIOpaqueObjectCell cell;    // the handle, which is owned by way of deleter
  void (*deleter)(void* handle);  // releases the handle when the object dies
} OpaqueObject;

static void release_handle(void* self) {
  OpaqueObject* opaque = self;
  if (opaque->deleter != NULL) opaque->deleter(opaque->cell.handle);
}

static void delete_opaque(void* self, int flags) { ss_delete_owner(self, flags, delete_opaque, release_handle); }

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  if (!ss_check_ptr(out, "TVMFFIObjectCreateOpaque", "out")) return -1;
  *out = NULL;
  if (type_index != kTVMFFIOpaquePyObject) {
    return ss_raise("RuntimeError", "Only kTVMFFIOpaquePyObject is supported for now");
  }
  OpaqueObject* opaque = ss_object_space(sizeof(OpaqueObject), _Alignof(OpaqueObject), type_index);
  if (opaque == NULL) return -1;
  opaque->cell.handle = handle;
  opaque->deleter = deleter;
  ss_object_init(opaque, type_index, delete_opaque);
  *out = opaque;
  return 0;
}
