// Tensors over memory of a Python exporter. The runtime gets a managed tensor made here, whose deleter defers the
// release of a capsule to an attached thread; the capsule's destructor calls the exporter's deleter.
#ifndef SELFSAME_CORE_TIE_IMPORTED_TENSOR_H_
#define SELFSAME_CORE_TIE_IMPORTED_TENSOR_H_

#include "tie/core.h"
#include "tie/deferred.h"

typedef struct {
  DLManagedTensorVersioned managed;  // its manager_ctx is the capsule, owned
  SsDeferred link;                   // where its release waits for a thread of Python
  int is_unversioned;  // whether the exporter marks nothing read-only because it gives capsules of DLPack 0 only
  PyObject* exporter;  // borrowed: the Python object to which the exporter's managed tensor owns a reference; or NULL
} SsImportedTensor;

// What is known of memory: the flags of DLPack, and whether the exporter could have said them.
typedef struct {
  uint64_t flags;      // DLPACK_FLAG_BITMASK_READ_ONLY or none
  int is_unversioned;  // see SsImportedTensor
} SsMemoryFlags;

// A Tensor that owns `capsule`, over the memory that `dl` describes. `exporter` may be NULL: the object that owns the
// memory is not known. The errors are those of TVMFFITensorFromDLPackVersioned. New reference; takes over the reference
// to the capsule. NULL with `capsule` still the caller's: an error is raised in the runtime, or *no_memory is set.
SS_HIDDEN TVMFFIObject* ss_imported_tensor_new(const DLTensor* dl, PyObject* capsule, PyObject* exporter,
                                               SsMemoryFlags memory, int32_t alignment, int contiguous, int* no_memory);

// Whether a Tensor's memory must not be written.
SS_HIDDEN int ss_tensor_is_read_only(const TVMFFIObject* tensor);

// A Tensor over `imported`, whose `managed` and `exporter` the caller has filled in. The errors are those of
// TVMFFITensorFromDLPackVersioned. New reference; NULL with an error raised in the runtime.
SS_HIDDEN TVMFFIObject* ss_imported_tensor_over(SsImportedTensor* imported, int32_t alignment, int contiguous);

// Whether an object that ss_imported_tensor_over has made has no tie record.
SS_HIDDEN int ss_imported_tensor_is_untied(const TVMFFIObject* object);

// Whether such an object has a tie record, but neither a wrapper nor a Go handle. The caller owns the only reference.
SS_HIDDEN int ss_imported_tensor_has_no_handle(const TVMFFIObject* object);

// Makes managed tensors with this deleter known to ss_imported_tensor_of: each must be the first member of an
// SsImportedTensor. Once.
SS_HIDDEN void ss_imported_tensor_know(void (*deleter)(DLManagedTensorVersioned* managed));

// The object from which the Tensor was imported; NULL for any other object. Borrowed. The caller makes sure that the
// object is not freed. Runs inside the collector.
SS_HIDDEN const SsImportedTensor* ss_imported_tensor_of(const TVMFFIObject* object);

#endif  // SELFSAME_CORE_TIE_IMPORTED_TENSOR_H_
