// The wrapper that a constructor's native object has already; see classes.h.
#include "wrapper/classes.h"

#include "wrapper/fetch.h"

static const char class_name[] = "selfsame_ffi._core.WrappedAlready";
static const char doc[] =
    "A constructor's native object has a Python wrapper already.\n\nMembers:\n    made_for: The object whose "
    "constructor it was. It has no native object.\n    wrapper: The native object's wrapper.";

PyObject* ss_wrapped_already_class(void) {
  static PyObject* made;
  if (made == NULL) made = PyErr_NewExceptionWithDoc(class_name, doc, PyExc_TypeError, NULL);
  return made;
}

int ss_wrapped_already_raise(PyObject* self, TVMFFIObject* object) {
  PyObject* wrapper = ss_fetch(object);
  if (wrapper == NULL) return -1;
  PyObject* cls = ss_wrapped_already_class();
  PyObject* text = PyUnicode_FromFormat("the native object for this %.100s has another Python wrapper already",
                                        Py_TYPE(self)->tp_name);
  PyObject* error = cls == NULL || text == NULL ? NULL : PyObject_CallFunctionObjArgs(cls, text, NULL);
  if (error != NULL && PyObject_SetAttrString(error, "made_for", self) == 0 &&
      PyObject_SetAttrString(error, "wrapper", wrapper) == 0) {
    PyErr_SetObject(cls, error);
  }
  Py_XDECREF(error);
  Py_XDECREF(text);
  Py_DECREF(wrapper);
  return -1;
}

PyObject* ss_wrapped_already_take(PyTypeObject* cls) {
  PyObject* wanted = ss_wrapped_already_class();
  if (wanted == NULL || !PyErr_ExceptionMatches(wanted)) return NULL;
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  PyErr_NormalizeException(&type, &error, &traceback);
  PyObject* made_for = PyObject_GetAttrString(error, "made_for");
  PyObject* wrapper = made_for == NULL ? NULL : PyObject_GetAttrString(error, "wrapper");
  if (wrapper == NULL) PyErr_Clear();  // Python code raised the class by itself
  if (wrapper != NULL && (Py_TYPE(made_for) != cls || !PyObject_TypeCheck(wrapper, cls))) Py_CLEAR(wrapper);
  Py_XDECREF(made_for);
  if (wrapper == NULL) {
    PyErr_Restore(type, error, traceback);
    return NULL;
  }
  Py_XDECREF(type);
  Py_XDECREF(error);
  Py_XDECREF(traceback);
  return wrapper;
}
