// Natives that own one reference to something of Python's, and how they die.
#include "tie/python_owner.h"

#include "tie/refcount.h"

static const uint64_t weak_one = (uint64_t)1 << 32;

// Of a native of which nothing else is left.
static void run_and_free(SsDeferred* link) {
  SsOwned* owned = (SsOwned*)link;
  PyObject* object = owned->object;
  ss_api.SelfsameObjectFree(owned->native);
  Py_DECREF(object);
}

// Of a native with weak references: one of them is ours.
static void run_and_let_go(SsDeferred* link) {
  SsOwned* owned = (SsOwned*)link;
  PyObject* object = owned->object;
  TVMFFIObject* native = owned->native;
  if (__atomic_fetch_sub(&native->combined_ref_count, weak_one, __ATOMIC_ACQ_REL) == weak_one) {
    native->deleter(native, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
  Py_DECREF(object);
}

void ss_owned_delete(TVMFFIObject* native, SsOwned* owned, int flags) {
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && owned->object != NULL) {
    if (ss_have_gil() || ss_python_alive()) {
      int alone = (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0;
      if (!alone) __atomic_fetch_add(&native->combined_ref_count, weak_one, __ATOMIC_RELAXED);
      owned->native = native;
      owned->link.run = alone ? run_and_free : run_and_let_go;
      ss_defer(&owned->link);
      return;  // the memory is the queue's, or in part
    }
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ss_api.SelfsameObjectFree(native);
}

typedef struct {
  TVMFFIObject header;
  TVMFFIOpaqueObjectCell cell;
  SsOwned owned;
} Opaque;

static void opaque_delete(void* self, int flags) { ss_owned_delete(self, &((Opaque*)self)->owned, flags); }

TVMFFIObject* ss_owned_opaque(PyObject* value) {
  TVMFFIObjectHandle object = NULL;
  if (ss_api.SelfsameObjectAlloc(sizeof(Opaque), _Alignof(Opaque), kTVMFFIOpaquePyObject, opaque_delete, &object) !=
      0) {
    return NULL;
  }
  Opaque* opaque = object;
  Py_INCREF(value);
  opaque->cell.handle = value;
  opaque->owned = (SsOwned){.object = value};
  return object;
}
