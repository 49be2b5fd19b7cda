// Data types and devices between Python and native code.
#include "convert/convert.h"

#include <structmember.h>

#include "convert/errors.h"
#include "convert/protocols.h"
#include "convert/to_python.h"

static PyTypeObject *dtype_class, *device_class;
static PyObject *known_dtypes, *known_devices;  // dicts: the bits of a value to its instance

static Py_ssize_t dtype_parts;  // where the slot _parts lies in an instance; 0: not known

// Where a slot lies in the instances of a class, 0 when the attribute is something else.
static Py_ssize_t slot_offset(PyTypeObject* cls, const char* name) {
  PyObject* member = PyObject_GetAttrString((PyObject*)cls, name);
  Py_ssize_t offset = 0;
  if (member == NULL) {
    PyErr_Clear();
  } else if (Py_IS_TYPE(member, &PyMemberDescr_Type)) {
    offset = ((PyMemberDescrObject*)member)->d_member->offset;
  }
  Py_XDECREF(member);
  return offset;
}

int ss_set_dtype_and_device_classes(PyObject* dtype, PyObject* device) {
  if (!PyType_Check(dtype) || !PyType_Check(device) || !PyType_IsSubtype((PyTypeObject*)device, &SsDevice_Type)) {
    PyErr_SetString(PyExc_TypeError, "set_dtype_and_device_classes: expected two classes, the second one of devices");
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
  dtype_parts = slot_offset(dtype_class, "_parts");
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

// Lanes have a sign, as the field of the ABI says what is negative for a scalable vector.
static PyObject* new_dtype_parts(DLDataType dtype) {
  return Py_BuildValue("(iii)", dtype.code, dtype.bits, (int16_t)dtype.lanes);
}

PyObject* ss_dtype_new(DLDataType dtype) {
  uint64_t bits = dtype.code | (uint64_t)dtype.bits << 8 | (uint64_t)dtype.lanes << 16;
  return instance_of(dtype_class, known_dtypes, bits, new_dtype_parts(dtype));
}

PyObject* ss_device_new(DLDevice device) {
  uint64_t bits = (uint32_t)device.device_type | (uint64_t)(uint32_t)device.device_id << 32;
  PyObject* parts = Py_BuildValue("(ii)", (int)device.device_type, (int)device.device_id);
  return instance_of(device_class, known_devices, bits, parts);
}

// ---- Python to native ----

// The ints of `parts`, a tuple of `count`. 0, or -1 with an error set.
static int read_parts(const char* what, PyObject* parts, int count, int* out) {
  if (!PyTuple_Check(parts) || PyTuple_GET_SIZE(parts) != count) {
    PyErr_Format(PyExc_TypeError, "%s: expected a tuple of %d ints, got %R", what, count, parts);
    return -1;
  }
  for (int i = 0; i < count; i++) {
    PyObject* part = PyTuple_GET_ITEM(parts, i);
    PyObject* whole = NULL;  // PyLong_AsLong of CPython 3.9 takes floats
    if (!PyLong_CheckExact(part) && (part = whole = PyNumber_Index(part)) == NULL) return -1;
    long number = PyLong_AsLong(part);
    Py_XDECREF(whole);
    if (number == -1 && PyErr_Occurred()) return -1;
    if (number < INT_MIN || number > INT_MAX) {
      PyErr_Format(PyExc_OverflowError, "%s: expected ints of 32 bits, got %ld", what, number);
      return -1;
    }
    out[i] = (int)number;
  }
  return 0;
}

static int dtype_view(PyObject* parts, TVMFFIAny* out) {
  int read[3];
  if (read_parts("dtype", parts, 3, read) != 0) return -1;
  int code = read[0], bits = read[1], lanes = read[2];
  if (code < 0 || code > UINT8_MAX || bits < 0 || bits > UINT8_MAX || lanes < INT16_MIN || lanes > UINT16_MAX) {
    PyErr_Format(PyExc_OverflowError, "dtype: no data type has code %d, %d bits, %d lanes", code, bits, lanes);
    return -1;
  }
  ss_set_bits(out, kTVMFFIDataType, 0);
  out->v_dtype = (DLDataType){(uint8_t)code, (uint8_t)bits, (uint16_t)lanes};
  return 0;
}

static int device_view(PyObject* parts, TVMFFIAny* out) {
  int read[2];
  if (read_parts("Device", parts, 2, read) != 0) return -1;
  ss_set_bits(out, kTVMFFIDevice, 0);
  out->v_device = (DLDevice){(DLDeviceType)read[0], read[1]};  // NOLINT(clang-analyzer-optin.core.EnumCastOutOfRange)
  return 0;
}

// A view of the parts that an attribute or a method returned. Takes over `parts`.
static int view_of_parts(PyObject* parts, int (*view)(PyObject*, TVMFFIAny*), TVMFFIAny* out) {
  if (parts == NULL) return -1;
  int rc = view(parts, out);
  Py_DECREF(parts);
  return rc;
}

// The attribute _parts of a dtype, which is a slot: read where it lies. Subclasses have it at the same place.
static PyObject* parts_of(PyObject* value) {
  PyObject* parts = dtype_parts > 0 ? *(PyObject**)((char*)value + dtype_parts) : NULL;
  if (parts == NULL) return PyObject_GetAttrString(value, "_parts");
  return ss_new_ref(parts);
}

// Whether a class is `module.name` or derives from it; 0 when that module is not imported.
static int is_foreign(PyTypeObject* cls, const char* module, const char* name) {
  // A cheap test first, which excludes nearly all: the name of the class's module begins with `module`.
  PyObject* home = PyObject_GetAttrString((PyObject*)cls, "__module__");
  const char* text = home != NULL && PyUnicode_Check(home) ? PyUnicode_AsUTF8(home) : NULL;
  int near = text != NULL && strncmp(text, module, strlen(module)) == 0;
  Py_XDECREF(home);
  PyObject* found = near ? PyDict_GetItemString(PyImport_GetModuleDict(), module) : NULL;
  PyObject* base = found == NULL ? NULL : PyObject_GetAttrString(found, name);
  int is = base != NULL && PyType_Check(base) && PyType_IsSubtype(cls, (PyTypeObject*)base);
  Py_XDECREF(base);
  PyErr_Clear();
  return is;
}

SsWay ss_dtype_or_device_way(PyTypeObject* cls) {
  if (dtype_class != NULL && PyType_IsSubtype(cls, dtype_class)) return SS_WAY_OWN_DTYPE;
  if (PyType_IsSubtype(cls, &SsDevice_Type)) return SS_WAY_OWN_DEVICE;
  if (ss_class_has_protocol(cls, SS_PROTOCOL_DLPACK_TYPE)) return SS_WAY_DTYPE;
  if (ss_class_has_protocol(cls, SS_PROTOCOL_DLPACK_DEVICE)) return SS_WAY_DEVICE;
  if (is_foreign(cls, "numpy", "dtype") || is_foreign(cls, "torch", "dtype")) return SS_WAY_FOREIGN_DTYPE;
  return SS_WAY_UNKNOWN;
}

// A view of a dtype of NumPy or PyTorch. The constructor of our dtype knows their names; what it found is kept, as there
// are few: a dict from the foreign dtype to ours.
static int foreign_dtype_view(PyObject* value, TVMFFIAny* out) {
  enum { MOST_KEPT = 256 };  // a program can make data types without end
  static PyObject* kept;
  if (kept == NULL) kept = PyDict_New();
  if (kept == NULL) return -1;
  PyObject* ours = ss_dict_find(kept, value);
  if (ours == NULL && PyErr_Occurred()) return -1;
  if (ours == NULL) {
    ours = PyObject_CallFunctionObjArgs((PyObject*)dtype_class, value, NULL);
    if (ours == NULL) return -1;
    if (PyDict_GET_SIZE(kept) >= MOST_KEPT) PyDict_Clear(kept);
    if (PyDict_SetItem(kept, value, ours) != 0) {
      Py_DECREF(ours);
      return -1;
    }
  }
  int rc = view_of_parts(parts_of(ours), dtype_view, out);
  Py_DECREF(ours);
  return rc;
}

int ss_view_dtype_or_device_by(SsWay way, PyObject* value, TVMFFIAny* out) {
  switch (way) {
    case SS_WAY_OWN_DTYPE:
      return view_of_parts(parts_of(value), dtype_view, out);
    case SS_WAY_OWN_DEVICE:
      ss_set_bits(out, kTVMFFIDevice, 0);
      out->v_device = ((SsDevice*)value)->device;
      return 0;
    case SS_WAY_FOREIGN_DTYPE:
      return foreign_dtype_view(value, out);
    case SS_WAY_DTYPE:
      return view_of_parts(ss_ask_protocol(value, SS_PROTOCOL_DLPACK_TYPE), dtype_view, out);
    default:
      return view_of_parts(ss_ask_protocol(value, SS_PROTOCOL_DLPACK_DEVICE), device_view, out);
  }
}

int ss_view_dtype_or_device(PyObject* value, TVMFFIAny* out) {
  SsWay way = ss_dtype_or_device_way(Py_TYPE(value));
  if (way == SS_WAY_UNKNOWN) return 0;
  return ss_view_dtype_or_device_by(way, value, out) == 0 ? 1 : -1;
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
  if (ss_api.TVMFFIDataTypeFromString(&bytes, &dtype) != 0) return ss_raise_native_null();
  return new_dtype_parts(dtype);
}

PyObject* ss_dtype_text(PyObject* module, PyObject* args) {
  (void)module;
  TVMFFIAny view, text;
  if (dtype_view(args, &view) != 0) return NULL;
  if (ss_api.TVMFFIDataTypeToString(&view.v_dtype, &text) != 0) return ss_raise_native_null();
  return ss_value_take(&text);
}
