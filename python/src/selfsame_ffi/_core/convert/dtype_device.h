// Values of the ABI that have Python classes of their own but no native object: data types and devices.
#ifndef SELFSAME_PY_DTYPE_DEVICE_H_
#define SELFSAME_PY_DTYPE_DEVICE_H_

#include "tie/core.h"

// Installs the classes. Each makes its instance from three, or two, ints: dtype._from_parts(code, bits, lanes) and
// Device._from_parts(type, index). Their instances have the parts as the attribute `_parts`, a tuple of ints.
SS_HIDDEN int ss_set_dtype_and_device_classes(PyObject* dtype, PyObject* device);

// The instance for a value, the same one each time. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_dtype_new(DLDataType dtype);
SS_HIDDEN PyObject* ss_device_new(DLDevice device);

// A view of `value` when it is a data type or a device: ours, NumPy's, PyTorch's, or one with __dlpack_data_type__ or
// (and no __dlpack__) __dlpack_device__. 1, 0 when it is none, -1 with an error set.
SS_HIDDEN int ss_view_dtype_or_device(PyObject* value, TVMFFIAny* out);

// Functions of the module: dtype_parts(text) -> (code, bits, lanes); dtype_text(code, bits, lanes) -> str.
SS_HIDDEN PyObject* ss_dtype_parts(PyObject* module, PyObject* text);
SS_HIDDEN PyObject* ss_dtype_text(PyObject* module, PyObject* args);

#endif  // SELFSAME_PY_DTYPE_DEVICE_H_
