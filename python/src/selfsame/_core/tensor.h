// Tensor: n-dimensional memory that native code shares.
#ifndef SELFSAME_PY_TENSOR_H_
#define SELFSAME_PY_TENSOR_H_

#include "core.h"

extern SS_HIDDEN PyTypeObject SsTensor_Type;

// Function of the module: from_dlpack(source, *, require_alignment=0, require_contiguous=False).
SS_HIDDEN PyObject* ss_from_dlpack(PyObject* module, PyObject* args, PyObject* kwargs);

#endif  // SELFSAME_PY_TENSOR_H_
