// Tensors of other packages in records; see convert.h.
#include "convert/convert.h"

#include "convert/internal.h"

// Records cannot contain themselves, but a list may: what is nested deeper is not looked at, and nothing after it.
enum { DEEPEST = 32 };

PyObject* ss_dataclass_fields(PyTypeObject* cls) {
  static PyObject* attribute;
  if (attribute == NULL) attribute = PyUnicode_InternFromString("__dataclass_fields__");
  if (attribute == NULL) return NULL;
  PyObject* fields = _PyType_Lookup(cls, attribute);  // borrowed
  return fields == NULL || !PyDict_CheckExact(fields) ? NULL : PyDict_Keys(fields);
}

// 1, or 0 when something was nested too deep.
static int look_at(PyObject* value, SsExchangeUse* use, int depth);

static void note(PyObject* tensor, const SsExchange* exchange, SsExchangeUse* use) {
  DLTensor dl = {.device = {kDLCPU, 0}};
  SsExchangeUse inside = {.lent = NULL};
  int described = exchange->view != NULL && exchange->view(tensor, &dl) == 0;
  PyErr_Clear();
  ss_exchange_use(&inside, exchange, described ? dl.device : (DLDevice){kDLCPU, 0});
  ss_exchange_use_inside(use, &inside);
}

// Looks at the values of a list or tuple. Takes it over; it may be NULL.
static int look_at_all(PyObject* values, SsExchangeUse* use, int depth) {
  int goes_on = 1;
  if (values == NULL) PyErr_Clear();
  for (Py_ssize_t i = 0; goes_on && values != NULL && i < PySequence_Fast_GET_SIZE(values); i++) {
    goes_on = look_at(PySequence_Fast_GET_ITEM(values, i), use, depth);
  }
  Py_XDECREF(values);
  return goes_on;
}

static int look_at_fields(PyObject* record, PyObject* names, SsExchangeUse* use, int depth) {
  int goes_on = 1;
  for (Py_ssize_t i = 0; goes_on && i < PyList_GET_SIZE(names); i++) {
    PyObject* value = PyObject_GetAttr(record, PyList_GET_ITEM(names, i));
    if (value != NULL) goes_on = look_at(value, use, depth);
    if (value == NULL) PyErr_Clear();
    Py_XDECREF(value);
  }
  Py_DECREF(names);
  return goes_on;
}

static int look_at_attributes(PyObject* object, SsExchangeUse* use, int depth) {
  PyObject* dict = PyObject_GetAttrString(object, "__dict__");
  if (dict == NULL) PyErr_Clear();
  int goes_on = dict == NULL || !PyDict_CheckExact(dict) ? 1 : look_at_all(PyDict_Values(dict), use, depth);
  Py_XDECREF(dict);
  return goes_on;
}

static int look_at(PyObject* value, SsExchangeUse* use, int depth) {
  if (ss_is_scalar(value) || ss_is_wrapper(value) || PyType_Check(value)) return 1;
  const SsExchange* exchange = ss_exchange_known(Py_TYPE(value));
  if (exchange != NULL || ss_exchange_of(Py_TYPE(value), &exchange) > 0) {
    note(value, exchange, use);
    return 1;
  }
  PyErr_Clear();
  if (depth == 0) return 0;
  if (PyList_Check(value) || PyTuple_Check(value)) return look_at_all(PySequence_Tuple(value), use, depth - 1);
  if (PyDict_Check(value)) return look_at_all(PyDict_Values(value), use, depth - 1);
  PyObject* names = ss_dataclass_fields(Py_TYPE(value));
  if (names != NULL) return look_at_fields(value, names, use, depth - 1);
  PyErr_Clear();
  return look_at_attributes(value, use, depth - 1);
}

void ss_exchange_use_fields(PyObject* value, SsExchangeUse* use) {
  if (PyDict_Check(value)) return;  // converted with what is in it
  look_at(value, use, DEEPEST);
}
