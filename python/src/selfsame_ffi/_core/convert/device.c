// DeviceBase: the base class of selfsame_ffi.Device, the value of a device. The class in Python parses what is given to a
// constructor; here are the two numbers and what is asked of them often.
#include "convert/convert.h"

#include <structmember.h>

static PyObject* names;  // dict: a type's number to its name

int ss_device_set_names(PyObject* dict) {
  if (!PyDict_Check(dict)) {
    PyErr_Format(PyExc_TypeError, "set_dtype_and_device_classes: expected a dict of names, got %.100s",
                 Py_TYPE(dict)->tp_name);
    return -1;
  }
  Py_INCREF(dict);
  Py_XSETREF(names, dict);
  return 0;
}

static PyObject* device_new(PyTypeObject* cls, PyObject* args, PyObject* kwargs) {
  (void)args;  // Device.__init__ reads them
  (void)kwargs;
  return cls->tp_alloc(cls, 0);
}

static DLDevice value_of(PyObject* self) { return ((SsDevice*)self)->device; }

// Gives a new device its numbers.
static PyObject* device_set(PyObject* self, PyObject* args) {
  int type, index;
  if (!PyArg_ParseTuple(args, "ii:_set", &type, &index)) return NULL;
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
  ((SsDevice*)self)->device = (DLDevice){(DLDeviceType)type, index};
  Py_RETURN_NONE;
}

static PyObject* device_type_number(PyObject* self, PyObject* unused) {
  (void)unused;
  return PyLong_FromLong((long)value_of(self).device_type);
}

static PyObject* device_type_name(PyObject* self, PyObject* unused) {
  (void)unused;
  int type = (int)value_of(self).device_type;
  PyObject* key = PyLong_FromLong(type);
  PyObject* name = key == NULL || names == NULL ? NULL : ss_dict_find(names, key);
  Py_XDECREF(key);
  if (name == NULL && !PyErr_Occurred()) return PyUnicode_FromFormat("device_type_%d", type);
  return name;
}

// The name of a device's type, which a subclass may have other names for. New reference, or NULL.
static PyObject* shown_type(PyObject* self) {
  static PyObject* method;
  if (method == NULL && (method = PyUnicode_InternFromString("__device_type_name__")) == NULL) return NULL;
  int is_own =
      _PyType_Lookup(Py_TYPE(self), method) == _PyType_Lookup(&SsDevice_Type, method);  // borrowed, only compared
  return is_own ? device_type_name(self, NULL) : PyObject_CallMethodObjArgs(self, method, NULL);
}

static char* put(char* at, const char* text) {
  size_t size = strlen(text);
  memcpy(at, text, size);
  return at + size;
}

// The text of a device: the name of its type between two texts, the index, and the end. New reference, or NULL.
static PyObject* shown(PyObject* self, const char* begin, const char* middle, const char* end) {
  PyObject* type = shown_type(self);
  if (type == NULL) return NULL;
  char text[128];
  Py_ssize_t size;
  const char* name = PyUnicode_AsUTF8AndSize(type, &size);
  PyObject* made = NULL;
  if (name != NULL && size < 64) {
    char* at = put(put(put(text, begin), name), middle);
    int index = value_of(self).device_id;
    if (index >= 0 && index < 10) {  // formats take longer
      *at++ = (char)('0' + index);
    } else {
      at += sprintf(at, "%d", index);
    }
    made = PyUnicode_FromStringAndSize(text, put(at, end) - text);
  } else if (name != NULL) {
    made = PyUnicode_FromFormat("%s%U%s%d%s", begin, type, middle, value_of(self).device_id, end);
  }
  Py_DECREF(type);
  return made;
}

static PyObject* device_str(PyObject* self) { return shown(self, "", ":", ""); }

static PyObject* device_repr(PyObject* self) { return shown(self, "device(type='", "', index=", ")"); }

static Py_hash_t device_hash(PyObject* self) {
  DLDevice device = value_of(self);
  uint64_t bits = (uint64_t)(uint32_t)device.device_id << 8 ^ (uint32_t)device.device_type;
  Py_hash_t hash = (Py_hash_t)(bits * 0x9E3779B97F4A7C15U >> 8);  // the low bits choose a dict's slot
  return hash == -1 ? -2 : hash;
}

static PyObject* device_compare(PyObject* self, PyObject* other, int operation) {
  if (operation != Py_EQ && operation != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  if (Py_TYPE(self) != Py_TYPE(other) && !SS_IS_DEVICE(other)) Py_RETURN_NOTIMPLEMENTED;
  DLDevice a = value_of(self), b = value_of(other);
  int equal = a.device_type == b.device_type && a.device_id == b.device_id;
  return PyBool_FromLong(equal == (operation == Py_EQ));
}

static PyMethodDef methods[] = {
    {"_set", device_set, METH_VARARGS, "_set($self, device_type, index, /)\n--\n\nGive a new device its numbers."},
    {"dlpack_device_type", device_type_number, METH_NOARGS,
     "dlpack_device_type($self, /)\n--\n\nDLPack's number for the device's type."},
    {"__device_type_name__", device_type_name, METH_NOARGS,
     "__device_type_name__($self, /)\n--\n\nThe name of the device's type: a subclass may have other names."},
    {NULL, NULL, 0, NULL}};

static PyMemberDef members[] = {{"index", T_INT, offsetof(SsDevice, device) + offsetof(DLDevice, device_id), READONLY,
                                 "The device's number among those of its type."},
                                {NULL, 0, 0, 0, NULL}};

static PyObject* get_type(PyObject* self, void* closure) {
  (void)closure;
  return shown_type(self);
}

static PyGetSetDef getset[] = {{"type", get_type, NULL, "The name of the device's type.", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject SsDevice_Type = {
    SS_TYPE("selfsame_ffi._core.DeviceBase", NULL, sizeof(SsDevice), Py_TPFLAGS_BASETYPE),
    .tp_new = device_new,
    .tp_str = device_str,
    .tp_repr = device_repr,
    .tp_hash = device_hash,
    .tp_richcompare = device_compare,
    .tp_methods = methods,
    .tp_members = members,
    .tp_getset = getset,
};
