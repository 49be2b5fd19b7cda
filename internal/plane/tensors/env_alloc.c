// The allocator that the program provides to compiled code for its tensors.
#include "core/raise.h"
#include "selfsame/internal/refcount.h"
#include "tensor.h"

static __thread DLPackManagedTensorAllocator of_thread SS_STATIC_TLS;
static DLPackManagedTensorAllocator of_process;

int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context,
                                             DLPackManagedTensorAllocator* opt_out_original_allocator) {
  if (opt_out_original_allocator != NULL) *opt_out_original_allocator = of_thread;
  of_thread = allocator;
  if (write_to_global_context) __atomic_store_n(&of_process, allocator, __ATOMIC_RELEASE);
  return 0;
}

DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void) {
  return of_thread != NULL ? of_thread : __atomic_load_n(&of_process, __ATOMIC_ACQUIRE);
}

static void set_error(void* error_ctx, const char* kind, const char* message) {
  (void)error_ctx;
  TVMFFIErrorSetRaisedFromCStr(kind, message);
}

// Calls the allocator. Returns its code; when that is not 0, an error is raised.
static int call(DLPackManagedTensorAllocator allocator, DLTensor* prototype, DLManagedTensorVersioned** out) {
  static const char name[] = "TVMFFIEnvTensorAlloc";
  TVMFFIObjectHandle before = NULL;
  TVMFFIErrorMoveFromRaised(&before);  // so that an error raised afterwards is the allocator's
  int rc = allocator(prototype, out, NULL, set_error);
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  if (rc == 0) {
    TVMFFIErrorSetRaised(before);
  } else if (raised != NULL) {
    TVMFFIErrorSetRaised(raised);
  } else {
    ss_raise("RuntimeError", "%s: the allocator failed with code %d and no error", name, rc);
  }
  ss_xdecref(raised);
  ss_xdecref(before);
  return rc;
}

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  static const char name[] = "TVMFFIEnvTensorAlloc";
  if (!ss_check_ptr(out, name, "out")) return -1;
  *out = NULL;
  if (!ss_check_ptr(prototype, name, "prototype")) return -1;
  DLTensor wanted = *prototype;
  wanted.strides = NULL;  // an allocator reads neither
  wanted.byte_offset = 0;
  if (ss_tensor_check(&wanted, name, "prototype") != 0) return -1;
  DLPackManagedTensorAllocator allocator = TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (allocator == NULL) {
    return ss_raise("RuntimeError",
                    "%s: allocator is nullptr, likely because TVMFFIEnvSetDLPackManagedTensorAllocator has not been "
                    "called.",
                    name);
  }
  DLManagedTensorVersioned* made = NULL;
  int rc = call(allocator, prototype, &made);
  if (rc != 0) return rc;
  if (made == NULL) {
    return ss_raise("RuntimeError",
                    "Check failed: (dlpack_tensor != nullptr) is false: %s: failed to allocate a tensor from the "
                    "allocator",
                    name);
  }
  if (ss_tensor_import_versioned(made, 0, 0, name, out) == 0) return 0;
  if (made->deleter != NULL) made->deleter(made);
  return -1;
}
