// Tensors by DLPack: from other frameworks, and to them. Without a copy both ways.
#ifndef SELFSAME_PY_DLPACK_H_
#define SELFSAME_PY_DLPACK_H_

#include "tie/core.h"

// A new Tensor over the memory that `source` exports: a capsule, or an object with __dlpack__. The Tensor keeps the
// exporter's owner; it is released under the GIL, whoever drops the Tensor. New reference, NULL with an
// error set.
SS_HIDDEN TVMFFIObject* ss_tensor_from_dlpack(PyObject* source, int32_t alignment, int contiguous);

// A capsule that owns a reference to the Tensor, of the unversioned kind or the versioned one, which also tells whether
// the memory is a copy that nobody else has. New reference, NULL with an error set.
enum { SS_DLPACK_VERSIONED = 1, SS_DLPACK_COPIED = 2 };
SS_HIDDEN PyObject* ss_tensor_to_dlpack(TVMFFIObject* tensor, int flags);

#endif  // SELFSAME_PY_DLPACK_H_
