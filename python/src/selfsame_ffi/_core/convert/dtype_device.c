// Data types and devices between Python and native code.
#include "convert/dtype_device.h"

#include "convert/errors.h"
#include "convert/protocols.h"
#include "convert/to_python.h"

static PyTypeObject *dtype_class, *device_class;
static PyTypeObject*
    device_base;  // the class from which device_class derives, or itself: its instances are devices too
static PyObject *known_dtypes, *known_devices;  // dicts: the bits of a value to its instance

int ss_set_dtype_and_device_classes(PyObject* dtype, PyObject* device) {
  if (!PyType_Check(dtype) || !PyType_Check(device)) {
    PyErr_SetString(PyExc_TypeError, "set_dtype_and_device_classes: expected two classes");
    return -1;
  }
  if (known_dtypes == NULL) known_dtypes = PyDict_New();
  if (known_devices == NULL) known_devices = PyDict_New();
  if (known_dtypes == NULL || known_devices == NULL) return -1;
  PyDict_Clear(known_dtypes);  // instances of the previous classes, when the package is imported again
  PyDict_Clear(known_devices);
  Py_INCREF(dtype);
  Py_XSETREF(dtype_class, (PyTypeObject*)dtype);
  Py_INCREF(device);
  Py_XSETREF(device_class, (PyTypeObject*)device);
  if (device_base == NULL || !PyType_IsSubtype(device_class, device_base)) {
    Py_INCREF(device);
    Py_XSETREF(device_base, (PyTypeObject*)device);
  }
  return 0;
}

// ---- native to Python ----

// The instance in `known` for `bits`; cls._from_parts(*parts) makes it the first time. Takes over `parts`. New
// reference, NULL with an error set.
static PyObject* instance_of(PyTypeObject* cls, PyObject* known, uint64_t bits, PyObject* parts) {
  if (parts == NULL) return NULL;
  PyObject* result = NULL;
  PyObject* key = cls == NULL ? NULL : PyLong_FromUnsignedLongLong(bits);
  if (cls == NULL)
    PyErr_SetString(PyExc_RuntimeError, "dtype: its class is not set; selfsame_ffi is not imported completely");
  if (key != NULL) result = ss_dict_find(known, key);
  if (key != NULL && result == NULL && !PyErr_Occurred()) {
    PyObject* make = PyObject_GetAttrString((PyObject*)cls, "_from_parts");
    result = make == NULL ? NULL : PyObject_CallObject(make, parts);
    Py_XDECREF(make);
    if (result != NULL && PyDict_SetItem(known, key, result) != 0) Py_CLEAR(result);
  }
  Py_XDECREF(key);
  Py_DECREF(parts);
  return result;
}

PyObject* ss_dtype_new(DLDataType dtype) {
  uint64_t bits = dtype.code | (uint64_t)dtype.bits << 8 | (uint64_t)dtype.lanes << 16;
  return instance_of(dtype_class, known_dtypes, bits, Py_BuildValue("(iii)", dtype.code, dtype.bits, dtype.lanes));
}

PyObject* ss_device_new(DLDevice device) {
  uint64_t bits = (uint32_t)device.device_type | (uint64_t)(uint32_t)device.device_id << 32;
  PyObject* parts = Py_BuildValue("(ii)", (int)device.device_type, (int)device.device_id);
  return instance_of(device_class, known_devices, bits, parts);
}

// ---- Python to native ----

static int dtype_view(PyObject* parts, TVMFFIAny* out) {
  int code, bits, lanes;
  if (!PyTuple_Check(parts) || !PyArg_ParseTuple(parts, "iii", &code, &bits, &lanes)) {
    if (!PyErr_Occurred())
      PyErr_Format(PyExc_TypeError, "dtype: expected a tuple of three ints, got %.100s", Py_TYPE(parts)->tp_name);
    return -1;
  }
  if (code < 0 || code > UINT8_MAX || bits < 0 || bits > UINT8_MAX || lanes < 0 || lanes > UINT16_MAX) {
    PyErr_Format(PyExc_ValueError, "dtype: no data type has code %d, %d bits, %d lanes", code, bits, lanes);
    return -1;
  }
  ss_set_bits(out, kTVMFFIDataType, 0);
  out->v_dtype = (DLDataType){(uint8_t)code, (uint8_t)bits, (uint16_t)lanes};
  return 1;
}

static int device_view(PyObject* parts, TVMFFIAny* out) {
  int type, index;
  if (!PyTuple_Check(parts) || !PyArg_ParseTuple(parts, "ii", &type, &index)) {
    if (!PyErr_Occurred())
      PyErr_Format(PyExc_TypeError, "Device: expected a tuple of two ints, got %.100s", Py_TYPE(parts)->tp_name);
    return -1;
  }
  ss_set_bits(out, kTVMFFIDevice, 0);
  out->v_device = (DLDevice){(DLDeviceType)type, index};
  return 1;
}

// A view of the parts that an attribute or a method returned. Takes over `parts`.
static int view_of_parts(PyObject* parts, int (*view)(PyObject*, TVMFFIAny*), TVMFFIAny* out) {
  if (parts == NULL) return -1;
  int rc = view(parts, out);
  Py_DECREF(parts);
  return rc;
}

// Whether `value` is an instance of `module.name`; 0 when that module is not imported. -1 with an error set.
static int is_foreign(PyObject* value, const char* module, const char* name) {
  // A cheap test first, which excludes nearly all values: the name of the class's module begins with `module`.
  PyObject* home = PyObject_GetAttrString((PyObject*)Py_TYPE(value), "__module__");
  if (home == NULL) {
    PyErr_Clear();
    return 0;
  }
  const char* text = PyUnicode_Check(home) ? PyUnicode_AsUTF8(home) : "";
  if (text == NULL) PyErr_Clear();
  int near = text != NULL && strncmp(text, module, strlen(module)) == 0;
  Py_DECREF(home);
  if (!near) return 0;
  PyObject* modules = PyImport_GetModuleDict();
  PyObject* found = PyDict_GetItemString(modules, module);
  PyObject* cls = found == NULL ? NULL : PyObject_GetAttrString(found, name);
  if (cls == NULL) {
    PyErr_Clear();
    return 0;
  }
  int is = PyType_Check(cls) ? PyObject_IsInstance(value, cls) : 0;
  Py_DECREF(cls);
  return is;
}

// A view of a dtype of NumPy or PyTorch, by the constructor of our dtype, which knows their names.
static int foreign_dtype_view(PyObject* value, TVMFFIAny* out) {
  if (dtype_class == NULL) return 0;
  PyObject* ours = PyObject_CallFunctionObjArgs((PyObject*)dtype_class, value, NULL);
  if (ours == NULL) return -1;
  int rc = view_of_parts(PyObject_GetAttrString(ours, "_parts"), dtype_view, out);
  Py_DECREF(ours);
  return rc;
}

int ss_view_dtype_or_device(PyObject* value, TVMFFIAny* out) {
  if (dtype_class != NULL && PyObject_TypeCheck(value, dtype_class)) {
    return view_of_parts(PyObject_GetAttrString(value, "_parts"), dtype_view, out);
  }
  if (device_base != NULL && PyObject_TypeCheck(value, device_base)) {
    return view_of_parts(PyObject_GetAttrString(value, "_parts"), device_view, out);
  }
  PyObject* parts = NULL;
  int found = ss_call_protocol(value, SS_PROTOCOL_DLPACK_TYPE, &parts);
  if (found != 0) return found < 0 ? -1 : view_of_parts(parts, dtype_view, out);
  found = ss_call_protocol(value, SS_PROTOCOL_DLPACK_DEVICE, &parts);
  if (found != 0) return found < 0 ? -1 : view_of_parts(parts, device_view, out);
  found = is_foreign(value, "numpy", "dtype");
  if (found == 0) found = is_foreign(value, "torch", "dtype");
  return found <= 0 ? found : foreign_dtype_view(value, out);
}

// ---- texts ----

PyObject* ss_dtype_parts(PyObject* module, PyObject* text) {
  (void)module;
  Py_ssize_t size;
  const char* data = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &size) : NULL;
  if (data == NULL) {
    if (PyErr_Occurred()) return NULL;
    return PyErr_Format(PyExc_TypeError, "dtype: expected a str, got %.100s", Py_TYPE(text)->tp_name);
  }
  TVMFFIByteArray bytes = {data, (size_t)size};
  DLDataType dtype;
  if (ss_api.TVMFFIDataTypeFromString(&bytes, &dtype) != 0) {
    ss_raise_native();
    return NULL;
  }
  return Py_BuildValue("(iii)", dtype.code, dtype.bits, dtype.lanes);
}

PyObject* ss_dtype_text(PyObject* module, PyObject* args) {
  (void)module;
  TVMFFIAny view, text;
  if (dtype_view(args, &view) < 0) return NULL;
  if (ss_api.TVMFFIDataTypeToString(&view.v_dtype, &text) != 0) {
    ss_raise_native();
    return NULL;
  }
  return ss_value_take(&text);
}
