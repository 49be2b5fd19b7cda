// Tensor objects: imported from DLPack, or views of other tensors.
//
// A Tensor that C++ made has other members behind the DLTensor: of a Tensor that was made elsewhere only the DLTensor
// is read.
#include "tensor.h"

#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/raise.h"
#include "selfsame/internal/refcount.h"
#include "selfsame/internal/tensor.h"
#include "selfsame/selfsame.h"
#include "core/teardown.h"

typedef SsTensorObject TensorObject;

_Static_assert(offsetof(TensorObject, dl) == 24 && sizeof(TensorObject) == 80, "the ABI's layout of Tensor");

// ---- checks --------------------------------------------------------------------------------------------

// As ss_tensor_check, for a tensor that is not sound.
static __attribute__((noinline)) int explain(const DLTensor* tensor, const char* function, const char* argument) {
  if (tensor->ndim < 0) {
    return ss_raise("ValueError", "%s: %s->ndim must not be negative, got %d", function, argument, tensor->ndim);
  }
  if (tensor->ndim > 0 && tensor->shape == NULL) {
    return ss_raise("ValueError", "%s: %s->shape must not be NULL when ndim is %d", function, argument, tensor->ndim);
  }
  if (tensor->dtype.lanes == 0) {
    return ss_raise("ValueError", "%s: %s->dtype.lanes must not be 0", function, argument);
  }
  int64_t size = ((int64_t)tensor->dtype.bits * tensor->dtype.lanes + 7) / 8;
  if (size == 0) size = 1;
  for (int32_t i = 0; i < tensor->ndim; i++) {
    int64_t extent = tensor->shape[i];
    if (extent < 0) {
      return ss_raise("ValueError", "%s: %s->shape[%d] must not be negative, got %lld", function, argument, i,
                      (long long)extent);
    }
    if (extent != 0 && __builtin_mul_overflow(size, extent, &size)) {
      return ss_raise("ValueError", "%s: the size of %s overflows int64_t at shape[%d] = %lld", function, argument, i,
                      (long long)extent);
    }
  }
  return ss_raise("ValueError", "%s: the strides and byte_offset of %s lead to offsets that overflow int64_t", function,
                  argument);
}

int ss_tensor_check(const DLTensor* tensor, const char* function, const char* argument) {
  return __builtin_expect(ss_tensor_is_sound(tensor), 1) ? 0 : explain(tensor, function, argument);
}

// Whether the data pointer is an address; on other devices it is a handle, which has no alignment.
static int has_addresses(DLDevice device) {
  int32_t type = (int32_t)device.device_type;
  return type <= kDLCUDAHost || type == kDLCUDAManaged || type == kDLROCM || type == kDLROCMHost;
}

static int is_aligned(const DLTensor* tensor, uint64_t alignment) {
  uint64_t address = tensor->byte_offset;
  if (has_addresses(tensor->device)) address += (uint64_t)(uintptr_t)tensor->data;
  if ((alignment & (alignment - 1)) == 0) return (address & (alignment - 1)) == 0;  // faster than a division
  return address % alignment == 0;
}

static int is_contiguous(const DLTensor* tensor) {
  if (tensor->strides == NULL) return 1;
  for (int32_t i = 0; i < tensor->ndim; i++) {
    if (tensor->shape[i] == 0) return 1;  // no elements
  }
  int64_t expected = 1;
  for (int32_t i = tensor->ndim - 1; i >= 0; i--) {
    if (tensor->shape[i] == 1) continue;  // the stride is never used
    if (tensor->strides[i] != expected) return 0;
    expected *= tensor->shape[i];  // ss_tensor_check has checked that this fits
  }
  return 1;
}

static inline int check_import(const DLTensor* tensor, int32_t alignment, int contiguous, const char* function) {
  if (ss_tensor_check(tensor, function, "from->dl_tensor") != 0) return -1;
  if (__builtin_expect(alignment == 0 && !contiguous, 1)) return 0;
  if (alignment < 0) {
    return ss_raise("ValueError", "%s: require_alignment must not be negative, got %d", function, alignment);
  }
  if (alignment != 0 && !is_aligned(tensor, (uint64_t)alignment)) {
    return ss_raise("RuntimeError", "FromDLPack: Data is not aligned to %d bytes.", alignment);
  }
  if (contiguous && !is_contiguous(tensor)) {
    return ss_raise("RuntimeError", "FromDLPack: Tensor is not contiguous.");
  }
  return 0;
}

// ---- import --------------------------------------------------------------------------------------------

static void end_legacy(void* self) {
  DLManagedTensor* managed = ((TensorObject*)self)->source;
  if (managed->deleter != NULL) managed->deleter(managed);
}

static void delete_legacy(void* self, int flags) { ss_delete_owner(self, flags, delete_legacy, end_legacy); }

static void end_versioned(void* self) {
  DLManagedTensorVersioned* managed = ((TensorObject*)self)->source;
  if (managed->deleter != NULL) managed->deleter(managed);
}

static void delete_versioned(void* self, int flags) { ss_delete_owner(self, flags, delete_versioned, end_versioned); }

// The same for memory that must not be written. The ABI has no place for that mark, so the deleter is the mark.
static void delete_read_only(void* self, int flags) { ss_delete_owner(self, flags, delete_read_only, end_versioned); }

SelfsameObjectDeleter SelfsameReadOnlyTensorDeleter(void) { return delete_read_only; }

// Of package tie, which lies above this one. Weak: tests of this package alone have no tie table, and no ties.
extern const SelfsameTieTable* SelfsameTieTableGet(void) __attribute__((weak));

static int is_read_only(const TVMFFIObject* tensor) {
  const SelfsameTieRecord* record = SelfsameTieTableGet == NULL ? NULL : SelfsameTieFind(SelfsameTieTableGet(), tensor);
  return (record == NULL ? tensor->deleter : record->deleter) == delete_read_only;
}

static TensorObject* tensor_space(size_t tail) {
  return ss_object_space(sizeof(TensorObject) + tail * sizeof(int64_t), _Alignof(TensorObject), kTVMFFITensor);
}

// Keeps the compiler from merging two accesses into a wider one.
#define APART() __asm__ volatile("" ::: "memory")

// Field by field: the exporter has just stored the struct that way, and a wider load would stall until the stores have
// left the store buffer.
static inline void copy_fields(DLTensor* to, const DLTensor* from) {
  to->data = from->data;
  APART();
  to->device.device_type = from->device.device_type;
  APART();
  to->device.device_id = from->device.device_id;
  APART();
  to->ndim = from->ndim;
  APART();
  to->dtype = from->dtype;
  APART();
  to->shape = from->shape;
  APART();
  to->strides = from->strides;
  APART();
  to->byte_offset = from->byte_offset;
}

// A Tensor that owns `managed`, whose part `dl` is. Shape and strides stay in `managed`; missing strides are made.
// *out: new reference. Returns 0, or -1 raised: then the caller still owns `managed`.
static inline int import(const DLTensor* dl, void* managed, void (*deleter)(void* self, int flags),
                         TVMFFIObjectHandle* out) {
  int make_strides = dl->strides == NULL && dl->ndim > 0;
  TensorObject* tensor = tensor_space(make_strides ? (size_t)dl->ndim : 0);
  if (tensor == NULL) return -1;
  copy_fields(&tensor->dl, dl);
  tensor->source = managed;
  if (make_strides) {
    tensor->dl.strides = tensor->tail;
    int64_t stride = 1;
    for (int32_t i = dl->ndim - 1; i >= 0; i--) {
      tensor->tail[i] = stride;
      stride *= dl->shape[i];
    }
  }
  ss_object_init(tensor, kTVMFFITensor, deleter);
  *out = tensor;
  return 0;
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  static const char name[] = "TVMFFITensorFromDLPack";
  if (!ss_check_ptr(out, name, "out")) return -1;
  *out = NULL;
  if (!ss_check_ptr(from, name, "from")) return -1;
  if (check_import(&from->dl_tensor, require_alignment, require_contiguous, name) != 0) return -1;
  return import(&from->dl_tensor, from, delete_legacy, out);
}

int ss_tensor_import_versioned(DLManagedTensorVersioned* from, int32_t require_alignment, int require_contiguous,
                               const char* function, TVMFFIObjectHandle* out) {
  if (from->version.major != DLPACK_MAJOR_VERSION) {
    return ss_raise("RuntimeError", "%s: DLPack version %u.%u is not supported: the major version must be %d", function,
                    from->version.major, from->version.minor, DLPACK_MAJOR_VERSION);
  }
  if (check_import(&from->dl_tensor, require_alignment, require_contiguous, function) != 0) return -1;
  if (from->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) {
    return ss_raise("RuntimeError", "Subbyte type padded is not yet supported");
  }
  static const uint64_t known = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
  if (from->flags & ~known) {
    return ss_raise("RuntimeError", "%s: unknown flags 0x%llx", function, (unsigned long long)(from->flags & ~known));
  }
  int read_only = (from->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
  return import(&from->dl_tensor, from, read_only ? delete_read_only : delete_versioned, out);
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  static const char name[] = "TVMFFITensorFromDLPackVersioned";
  if (!ss_check_ptr(out, name, "out")) return -1;
  *out = NULL;
  if (!ss_check_ptr(from, name, "from")) return -1;
  return ss_tensor_import_versioned(from, require_alignment, require_contiguous, name, out);
}

// ---- views ---------------------------------------------------------------------------------------------

static void release_source(void* self) { ss_xdecref(((TensorObject*)self)->source); }

static void delete_view(void* self, int flags) { ss_delete_owner(self, flags, delete_view, release_source); }

// Ends a managed tensor of this file, whose manager_ctx is a Tensor.
static void release_versioned(DLManagedTensorVersioned* managed) {
  ss_xdecref(managed->manager_ctx);
  free(managed);
}

// A view of memory that must not be written is an import of its own: that keeps the mark.
static int read_only_view(TVMFFIObject* source, const DLTensor* prototype, const char* function,
                          TVMFFIObjectHandle* out) {
  size_t extents = (size_t)prototype->ndim * sizeof(int64_t);
  DLManagedTensorVersioned* managed = malloc(sizeof(*managed) + 2 * extents);
  if (managed == NULL) return ss_raise_no_memory(function);
  *managed = (DLManagedTensorVersioned){.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
                                        .manager_ctx = source,
                                        .deleter = release_versioned,
                                        .flags = DLPACK_FLAG_BITMASK_READ_ONLY,
                                        .dl_tensor = *prototype};
  managed->dl_tensor.shape = (int64_t*)(managed + 1);
  managed->dl_tensor.strides = managed->dl_tensor.shape + prototype->ndim;
  if (extents != 0) {
    memcpy(managed->dl_tensor.shape, prototype->shape, extents);
    memcpy(managed->dl_tensor.strides, prototype->strides, extents);
  }
  ss_incref(source);
  if (ss_tensor_import_versioned(managed, 0, 0, function, out) == 0) return 0;
  release_versioned(managed);
  return -1;
}

static int check_tensor(TVMFFIObjectHandle handle, const char* function, const char* argument) {
  if (!ss_check_ptr(handle, function, argument)) return 0;
  int32_t index = ((TVMFFIObject*)handle)->type_index;
  if (index == kTVMFFITensor) return 1;
  ss_raise("TypeError", "%s: %s must be an ffi.Tensor, got an object of type index %d", function, argument, index);
  return 0;
}

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  static const char name[] = "TVMFFITensorCreateUnsafeView";
  if (!ss_check_ptr(out, name, "out")) return -1;
  *out = NULL;
  if (!check_tensor(source, name, "source")) return -1;
  if (!ss_check_ptr(prototype, name, "prototype") || ss_tensor_check(prototype, name, "prototype") != 0) return -1;
  if (prototype->strides == NULL) return ss_raise("InternalError", "Check not null: prototype.strides ");
  if (is_read_only(source)) return read_only_view(source, prototype, name, out);
  size_t ndim = (size_t)prototype->ndim;
  TensorObject* view = tensor_space(2 * ndim);
  if (view == NULL) return -1;
  view->dl = *prototype;
  view->dl.shape = view->tail;
  view->dl.strides = view->tail + ndim;
  if (ndim != 0) {
    memcpy(view->dl.shape, prototype->shape, ndim * sizeof(int64_t));
    memcpy(view->dl.strides, prototype->strides, ndim * sizeof(int64_t));
  }
  // A view of a view retains the original tensor, so that releasing a long chain of views does not recurse.
  TVMFFIObject* owner = source;
  if (__atomic_load_n(&owner->deleter, __ATOMIC_RELAXED) == delete_view) owner = ((TensorObject*)source)->source;
  ss_incref(owner);
  view->source = owner;
  ss_object_init(view, kTVMFFITensor, delete_view);
  *out = view;
  return 0;
}

// ---- export --------------------------------------------------------------------------------------------

static void release_legacy(DLManagedTensor* managed) {
  ss_xdecref(managed->manager_ctx);
  free(managed);
}

int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out) {
  static const char name[] = "TVMFFITensorToDLPack";
  if (!ss_check_ptr(out, name, "out")) return -1;
  *out = NULL;
  if (!check_tensor(from, name, "from")) return -1;
  DLManagedTensor* managed = malloc(sizeof(*managed));
  if (managed == NULL) return ss_raise_no_memory(name);
  *managed = (DLManagedTensor){((TensorObject*)from)->dl, from, release_legacy};
  ss_incref(from);
  *out = managed;
  return 0;
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  static const char name[] = "TVMFFITensorToDLPackVersioned";
  if (!ss_check_ptr(out, name, "out")) return -1;
  *out = NULL;
  if (!check_tensor(from, name, "from")) return -1;
  DLManagedTensorVersioned* managed = malloc(sizeof(*managed));
  if (managed == NULL) return ss_raise_no_memory(name);
  *managed = (DLManagedTensorVersioned){.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
                                        .manager_ctx = from,
                                        .deleter = release_versioned,
                                        .flags = is_read_only(from) ? DLPACK_FLAG_BITMASK_READ_ONLY : 0,
                                        .dl_tensor = ((TensorObject*)from)->dl};
  ss_incref(from);
  *out = managed;
  return 0;
}
