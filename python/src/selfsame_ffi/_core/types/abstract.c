// Abstract methods of classes without a metaclass; see abstract.h.
#include "types/abstract.h"

static PyObject* mark;  // "__isabstractmethod__"

// Whether the value of a class's attribute is marked as an abstract method. -1 with an error set.
static int is_abstract(PyObject* value) {
  PyTypeObject* type = Py_TYPE(value);
  // Most values have no attributes of their own, which spares them an AttributeError.
  int has_no_own = PyFunction_Check(value) ? ((PyFunctionObject*)value)->func_dict == NULL
                                           : type->tp_dictoffset == 0 && type->tp_getattro == PyObject_GenericGetAttr;
  if (has_no_own && _PyType_Lookup(type, mark) == NULL) return 0;
  PyObject* marked = PyObject_GetAttr(value, mark);
  if (marked == NULL) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
    PyErr_Clear();
    return 0;
  }
  int is = PyObject_IsTrue(marked);
  Py_DECREF(marked);
  return is;
}

// Appends `name` if `value` is abstract. 0, or -1 with an error set.
static int note(PyObject* names, PyObject* name, PyObject* value) {
  int is = is_abstract(value);
  return is > 0 ? PyList_Append(names, name) : is;
}

static int note_own(PyObject* names, PyTypeObject* cls) {
  PyObject* items = PyDict_Items(cls->tp_dict);  // a copy, as an attribute may run code
  if (items == NULL) return -1;
  int rc = 0;
  for (Py_ssize_t i = 0; rc == 0 && i < PyList_GET_SIZE(items); i++) {
    PyObject* item = PyList_GET_ITEM(items, i);
    rc = note(names, PyTuple_GET_ITEM(item, 0), PyTuple_GET_ITEM(item, 1));
  }
  Py_DECREF(items);
  return rc;
}

// Appends the names of the abstract methods of a base that the class has not defined.
static int note_inherited(PyObject* names, PyTypeObject* cls, PyObject* base) {
  if (!PyType_Check(base) || !(((PyTypeObject*)base)->tp_flags & Py_TPFLAGS_IS_ABSTRACT)) return 0;
  PyObject* of_base = PyObject_GetAttrString(base, "__abstractmethods__");
  PyObject* iterator = of_base == NULL ? NULL : PyObject_GetIter(of_base);
  PyObject* name;
  int rc = iterator == NULL ? -1 : 0;
  while (rc == 0 && (name = PyIter_Next(iterator)) != NULL) {
    PyObject* value = PyObject_GetAttr((PyObject*)cls, name);
    rc = value == NULL ? -1 : note(names, name, value);
    Py_XDECREF(value);
    Py_DECREF(name);
  }
  Py_XDECREF(iterator);
  Py_XDECREF(of_base);
  return PyErr_Occurred() ? -1 : rc;
}

int ss_note_abstract(PyTypeObject* cls) {
  if (Py_TYPE(cls) != &PyType_Type) return 0;  // a metaclass such as ABCMeta sees to it
  if (mark == NULL && (mark = PyUnicode_InternFromString("__isabstractmethod__")) == NULL) return -1;
  PyObject* names = PyList_New(0);
  int rc = names == NULL ? -1 : note_own(names, cls);
  for (Py_ssize_t i = 0; rc == 0 && i < PyTuple_GET_SIZE(cls->tp_bases); i++) {
    rc = note_inherited(names, cls, PyTuple_GET_ITEM(cls->tp_bases, i));
  }
  if (rc == 0 && PyList_GET_SIZE(names) > 0) {
    PyObject* set = PyFrozenSet_New(names);
    rc = set == NULL ? -1 : PyObject_SetAttrString((PyObject*)cls, "__abstractmethods__", set);
    Py_XDECREF(set);
  }
  Py_XDECREF(names);
  return rc;
}
