// What of an object is Python's own, for copies: see copying.h.
#include "types/copying.h"

#include "types/types.h"

int ss_copying_has_other(PyTypeObject* cls, PyTypeObject* base, const char* text, PyObject** name) {
  if (SS_UNLIKELY(*name == NULL && (*name = PyUnicode_InternFromString(text)) == NULL)) {
    PyErr_Clear();
    return 1;  // the hook looks again
  }
  return _PyType_Lookup(cls, *name) != _PyType_Lookup(base, *name);  // borrowed, only compared
}

int ss_copying_is_reduced_by_class(PyTypeObject* cls) {
  static PyObject *name_reduce, *name_dump;
  return ss_copying_has_other(cls, &SsObject_Type, "__reduce__", &name_reduce) ||
         ss_copying_has_other(cls, &SsObject_Type, "__go_dump__", &name_dump);
}

static int has_other_getstate(PyTypeObject* cls) {
  static PyObject* name;
  return ss_copying_has_other(cls, &PyBaseObject_Type, "__getstate__", &name);
}

int ss_copying_may_have_state(PyObject* self) {
  return (ss_flags(ss_wrapper(self)) & SS_STATEFUL) != 0 || has_other_getstate(Py_TYPE(self));
}

// Whether attributes or slots are set now. Python before 3.11 has nothing that tells it without
// making the object's __dict__.
int ss_copying_has_state(PyObject* self) {
  if (!ss_copying_may_have_state(self)) return 0;
#if PY_VERSION_HEX >= 0x030B0000
  static PyObject* getstate;
  if (has_other_getstate(Py_TYPE(self))) return 1;
  if (getstate == NULL) getstate = PyObject_GetAttrString((PyObject*)&PyBaseObject_Type, "__getstate__");
  PyObject* state = getstate == NULL ? NULL : PyObject_CallOneArg(getstate, self);
  if (state == NULL) PyErr_Clear();
  int is_none = state == Py_None;
  Py_XDECREF(state);
  return !is_none;
#else
  return 1;
#endif
}
