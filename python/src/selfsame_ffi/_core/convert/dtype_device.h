// Data types and devices: values of the ABI that have Python classes, but no native object.
#ifndef SELFSAME_CORE_CONVERT_DTYPE_DEVICE_H_
#define SELFSAME_CORE_CONVERT_DTYPE_DEVICE_H_

#include "convert/class_ways.h"
#include "tie/core.h"

// Installs the Python classes. dtype._from_parts(code, bits, lanes) and Device._from_parts(type, index) make instances;
// the attribute `_parts` of an instance is the tuple of these ints. 0, or -1 with an error set.
SS_HIDDEN int ss_set_dtype_and_device_classes(PyObject* dtype, PyObject* device);

// The instance for a value, the same one at each call. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_dtype_new(DLDataType dtype);
SS_HIDDEN PyObject* ss_device_new(DLDevice device);

// Makes a view of a data type or device: of an instance of the classes above, a dtype of NumPy or PyTorch, or an object
// with __dlpack_data_type__ or __dlpack_device__ (but not __dlpack__). 1: *out is set. 0: `value` is none of these. -1:
// an error is set.
SS_HIDDEN int ss_view_dtype_or_device(PyObject* value, TVMFFIAny* out);

// The same in two steps. The first finds by the class alone which of these its values are, SS_WAY_UNKNOWN for none; it sets
// no error. The second takes what the first found: 0, or -1 with an error set.
SS_HIDDEN SsWay ss_dtype_or_device_way(PyTypeObject* cls);
SS_HIDDEN int ss_view_dtype_or_device_by(SsWay way, PyObject* value, TVMFFIAny* out);

// Functions of the module: dtype_parts(text) -> (code, bits, lanes); dtype_text(code, bits, lanes) -> str.
SS_HIDDEN PyObject* ss_dtype_parts(PyObject* module, PyObject* text);
SS_HIDDEN PyObject* ss_dtype_text(PyObject* module, PyObject* args);

#endif  // SELFSAME_CORE_CONVERT_DTYPE_DEVICE_H_
