// Tensor, n-dimensional memory that native code shares: the base class in C of selfsame_ffi.Tensor.
#ifndef SELFSAME_CORE_TYPES_TENSOR_H_
#define SELFSAME_CORE_TYPES_TENSOR_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsTensor_Type;

// Its buffer protocol (tensor_buffer.c).
extern SS_HIDDEN PyBufferProcs ss_tensor_buffer;

// Function of the module: from_dlpack(source, *, require_alignment=0, require_contiguous=False).
SS_HIDDEN PyObject* ss_from_dlpack(PyObject* module, PyObject* const* args, Py_ssize_t count, PyObject* kwnames);

// A new Tensor with the same elements, contiguous, in CPU memory that it owns (tensor_contents.c). New reference; NULL
// with BufferError set when the elements cannot be read, or MemoryError.
SS_HIDDEN TVMFFIObject* ss_tensor_copy(TVMFFIObject* tensor);

// Functions of the module, in tensor_contents.c. tensor_bytes(tensor): the elements of a Tensor in CPU memory, the last
// dimension fastest. tensor_from_bytes((code, bits, lanes), shape, bytes): a Tensor that owns its memory, aligned to 64
// bytes, with these elements, from any buffer. tensor_over((code, bits, lanes), shape, buffer): a Tensor over the
// memory of the buffer, which it keeps alive; None when the memory is read-only, empty, not contiguous or not aligned
// to the elements.
SS_HIDDEN PyObject* ss_tensor_bytes(PyObject* module, PyObject* object);
SS_HIDDEN PyObject* ss_tensor_from_bytes(PyObject* module, PyObject* args);
SS_HIDDEN PyObject* ss_tensor_over(PyObject* module, PyObject* args);

#endif  // SELFSAME_CORE_TYPES_TENSOR_H_
