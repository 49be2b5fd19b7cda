// Errors for a wrapper that does not have the native object that its user needs.
#include "convert/convert.h"

PyObject* ss_no_handle(PyObject* wrapper) {
  return PyErr_Format(PyExc_RuntimeError,
                      ss_wrapper(wrapper)->flags & SS_MOVED
                          ? "%.100s: the object was moved away; _move() gave its native object to a function"
                          : "%.100s: the object is not initialised; its __init__ did not run",
                      Py_TYPE(wrapper)->tp_name);
}

void* ss_wrong_native(PyObject* wrapper, const char* wanted) {
  if (ss_wrapper(wrapper)->handle == NULL) return ss_no_handle(wrapper);
  return PyErr_Format(PyExc_TypeError, "%.100s: the object does not hold %s", Py_TYPE(wrapper)->tp_name, wanted);
}

PyObject* ss_repr_without_handle(PyObject* wrapper) {
  return PyUnicode_FromFormat("<%.100s object, %s>", Py_TYPE(wrapper)->tp_name,
                              ss_wrapper(wrapper)->flags & SS_MOVED ? "moved away" : "not initialised");
}
