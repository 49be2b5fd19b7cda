// Tensors from and to other frameworks by DLPack, without a copy.
#ifndef SELFSAME_CORE_CONVERT_DLPACK_H_
#define SELFSAME_CORE_CONVERT_DLPACK_H_

#include "convert/convert.h"
#include "convert/lent_tensors.h"

// A new Tensor over the memory that `source` exports: a capsule, an object whose class offers the DLPack C exchange, or
// one with __dlpack__. The Tensor owns the exporter's managed tensor and releases it on an attached thread, on whatever
// thread the Tensor dies. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_tensor_from_dlpack(PyObject* source, int32_t alignment, int contiguous);

// A view of the Tensor of a value whose class has __dlpack__: lent where lent_tensors.h allows it, otherwise one of the
// temporaries. 1: *out is it; -1 with an error set.
SS_HIDDEN int ss_lend_by_dlpack(PyObject* value, TVMFFIAny* out, SsLentTensor** all, SsTemps* temps);

// Calls the deleter of a managed tensor that nobody has taken over. Keeps the error that is set.
SS_HIDDEN void ss_release_managed(DLManagedTensorVersioned* managed);

// The same of a managed tensor, which it takes over, on failure too.
SS_HIDDEN TVMFFIObject* ss_tensor_from_managed(DLManagedTensorVersioned* managed, int32_t alignment, int contiguous);

// A capsule that owns a reference to the Tensor. SS_DLPACK_VERSIONED: a versioned capsule, in which SS_DLPACK_COPIED
// says that the memory is a copy without other owners. New reference, NULL with an error set.
enum { SS_DLPACK_VERSIONED = 1, SS_DLPACK_COPIED = 2 };
SS_HIDDEN PyObject* ss_tensor_to_dlpack(TVMFFIObject* tensor, int flags, long minor);

#endif  // SELFSAME_CORE_CONVERT_DLPACK_H_
