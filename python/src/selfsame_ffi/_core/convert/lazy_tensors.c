// Refusing tensors that are not what lies in their memory; see lazy_tensors.h.
#include "convert/lazy_tensors.h"

#include "convert/tensor_view.h"

// Whether a method of the tensor without arguments says yes. 0 also when it has none. -1 with an error set.
static int says(PyObject* value, const char* method) {
  PyObject* found = PyObject_GetAttrString((PyObject*)Py_TYPE(value), method);
  if (found == NULL) {
    PyErr_Clear();
    return 0;
  }
  PyObject* answer = PyObject_CallOneArg(found, value);
  int yes = answer == NULL ? -1 : PyObject_IsTrue(answer);
  Py_XDECREF(answer);
  Py_DECREF(found);
  return yes;
}

static int refuse_mark(PyObject* value, const char* method, const char* mark, const char* resolve) {
  int is = says(value, method);
  if (is > 0) {
    PyErr_Format(PyExc_BufferError,
                 "expected a tensor whose values lie in its memory, got a %.100s with the lazy %s bit; pass the result "
                 "of its method %s()",
                 Py_TYPE(value)->tp_name, mark, resolve);
  }
  return is == 0 ? 0 : -1;
}

int ss_check_mask(PyObject* value) {
  const PyTypeObject *cls = Py_TYPE(value), *base = cls->tp_base;
  while (base != NULL && strcmp(base->tp_name, "numpy.ndarray") != 0) cls = base, base = cls->tp_base;
  if (base == NULL || strcmp(cls->tp_name, "MaskedArray") != 0) return 0;
  PyObject* mask = PyObject_GetAttrString(value, "mask");
  if (mask == NULL) return -1;
  int hides = says(mask, "any");
  Py_DECREF(mask);
  if (hides > 0) {
    PyErr_Format(PyExc_BufferError,
                 "expected an array without a mask, got a %.100s with masked values; pass the result "
                 "of its method filled(value)",
                 Py_TYPE(value)->tp_name);
  }
  return hides == 0 ? 0 : -1;
}

int ss_check_lazy(PyObject* value, const DLTensor* dl) {
  if (dl->data == NULL && ss_dl_numel(dl) != 0) {
    PyErr_Format(PyExc_BufferError, "expected a tensor with memory, got a %.100s, which has elements but no memory",
                 Py_TYPE(value)->tp_name);
    return -1;
  }
  if (refuse_mark(value, "is_conj", "conjugate", "resolve_conj") != 0) return -1;
  return refuse_mark(value, "is_neg", "negative", "resolve_neg");
}
