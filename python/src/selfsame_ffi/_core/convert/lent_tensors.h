// Tensors over another package's tensors, by the DLPack C exchange.
//
// An argument of a call is lent: the native Tensor that stands for it views the memory as the package describes it,
// without a managed tensor, and owns nothing. Most functions keep no argument, so after the call the Tensor is a spare
// one for the next argument. A Tensor that somebody kept, or that got a tie record, gets a managed tensor of the
// package then, while the argument still lives.
//
// Why another package's tensor is lent to a call. A tensor of PyTorch becomes a native Tensor for the time of a call.
// The exchange protocol describes it in place, without a managed tensor. The Tensor that views it is a spare one of the
// call before, because few functions keep an argument: after the call its count says whether one did. Only then the
// package exports the tensor, while the argument still lives, and the Tensor owns that export. A view that owned the
// Python object instead would need neither, but a count of its own, and PyTorch takes the GIL for each. The function
// that lends must not run code between the last look at the count and the reuse; on a free-threaded CPython nothing is
// spare.
//
// The table of a class is found once: the entry has CPython's version tag of the class, which changes with the class
// and its bases and is never used again. The environment variable that turns the protocol off is read when a class is
// met for the first time, as in the published package. bench/python/tensors.py measures calls with one, three and eight
// tensors.
#ifndef SELFSAME_CORE_CONVERT_LENT_TENSORS_H_
#define SELFSAME_CORE_CONVERT_LENT_TENSORS_H_

#include "convert/dlpack_exchange.h"

// Lends `value`, of a class that offers the table: *out is a view of a Tensor over its memory, valid until
// ss_lent_tensors_done and while `value` lives. Adds it to *all, and notes it in *use. 1: lent. 0: the package gives no
// view, or not a complete one; the value must be imported. -1 with an error set.
SS_HIDDEN int ss_lend_tensor(PyObject* value, const SsExchange* exchange, TVMFFIAny* out, SsLentTensor** all,
                             SsExchangeUse* use);

// Keeps the value that was lent last until ss_lent_tensors_done: an element of a list, which may lose it before.
SS_HIDDEN void ss_lent_tensor_hold(SsLentTensor* last);

// The same of an export: a capsule whose managed tensor has the part `dl` and owns the Python object `exporter`, which
// may be NULL. 1: lent, and the reference to the capsule is taken over. 0: the capsule must be imported.
SS_HIDDEN int ss_lend_export(PyObject* capsule, const DLTensor* dl, PyObject* exporter, TVMFFIAny* out,
                             SsLentTensor** all);

// The most dimensions of a tensor whose extents are kept beside the Tensor.
enum { SS_LENT_EXTENTS = 6 };

// Describes a value with extents in `extents`: SS_LENT_EXTENTS of the shape, then the strides. 0: it cannot, and nothing
// is set. Runs no Python code.
typedef int (*SsDescribe)(PyObject* value, DLTensor* dl, int64_t* extents);

// Lends a value that `describe` describes, and keeps it until ss_lent_tensors_done. 1: lent. 0, without an error: not
// described, or memory is short.
SS_HIDDEN int ss_lend_described(PyObject* value, SsDescribe describe, TVMFFIAny* out, SsLentTensor** all);

// A Tensor that owns such a value, and releases it on an attached thread. New reference; NULL, without an error: not
// described, or memory is short.
SS_HIDDEN TVMFFIObject* ss_tensor_described(PyObject* value, SsDescribe describe);

// After the call, while the lent values still live. Keeps the error that is set.
SS_HIDDEN void ss_lent_tensors_done(SsLentTensor* all);

// A Tensor that owns `managed` and releases it on an attached thread, on whatever thread the Tensor dies. The caller
// has checked version and flags. New reference; NULL, with `managed` still the caller's, when there is no memory or the
// tensor is not a complete one. No error is set.
SS_HIDDEN TVMFFIObject* ss_tensor_owning(DLManagedTensorVersioned* managed);

#endif  // SELFSAME_CORE_CONVERT_LENT_TENSORS_H_
