// CAny; see convert.h.
#include "convert/convert.h"

#include "convert/to_python.h"

typedef struct {
  PyObject_HEAD TVMFFIAny value;
} AnyValue;

PyObject* ss_any_value_new(TVMFFIAny* value) {
  AnyValue* made = PyObject_New(AnyValue, &SsAnyValue_Type);
  if (made == NULL) {
    ss_any_clear(value);
    return NULL;
  }
  made->value = *value;
  return (PyObject*)made;
}

static PyObject* any_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static char* names[] = {"value", NULL};
  PyObject* value = Py_None;
  (void)type;
  TVMFFIAny owned;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:CAny", names, &value)) return NULL;
  return ss_to_owned(value, &owned) == 0 ? ss_any_value_new(&owned) : NULL;
}

static void any_dealloc(PyObject* self) {
  ss_any_clear(&((AnyValue*)self)->value);
  PyObject_Free(self);
}

static PyObject* to_py(PyObject* self, PyObject* unused) {
  (void)unused;
  return ss_value_from_view(&((AnyValue*)self)->value);
}

static PyObject* get_type_index(PyObject* self, void* closure) {
  (void)closure;
  return PyLong_FromLong(((AnyValue*)self)->value.type_index);
}

static PyObject* any_repr(PyObject* self) {
  const TVMFFIAny* value = &((AnyValue*)self)->value;
  switch (value->type_index) {
    case kTVMFFINone:
      return PyUnicode_FromString("CAny(None)");
    case kTVMFFIInt:
      return PyUnicode_FromFormat("CAny(int=%lld)", (long long)value->v_int64);
    case kTVMFFIBool:
      return PyUnicode_FromFormat("CAny(bool=%s)", value->v_int64 ? "True" : "False");
    case kTVMFFIFloat: {
      PyObject* number = PyFloat_FromDouble(value->v_float64);
      PyObject* text = number == NULL ? NULL : PyUnicode_FromFormat("CAny(float=%R)", number);
      Py_XDECREF(number);
      return text;
    }
    default:
      return PyUnicode_FromFormat(
          value->type_index >= kTVMFFIStaticObjectBegin ? "CAny(object, type_index=%d)" : "CAny(type_index=%d)",
          (int)value->type_index);
  }
}

static PyMethodDef methods[] = {{"to_py", to_py, METH_NOARGS, "to_py($self, /)\n--\n\nThe Python value."},
                                {NULL, NULL, 0, NULL}};

static PyGetSetDef getset[] = {{"type_index", get_type_index, NULL, "The type index of the value.", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject SsAnyValue_Type = {
    SS_TYPE("selfsame_ffi._core.CAny",
            "An owned native value. CAny(value) is the value as native code gets it; to_py() gives it back.",
            sizeof(AnyValue), 0),
    .tp_new = any_new,
    .tp_dealloc = any_dealloc,
    .tp_repr = any_repr,
    .tp_methods = methods,
    .tp_getset = getset,
};
