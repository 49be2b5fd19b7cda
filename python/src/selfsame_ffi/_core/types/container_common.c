// Comparing, hashing and printing any container, by the runtime's own functions. Operations of one family are in
// list.c, map.c and so on; the conversion of Python lists and dicts to containers is in convert/make_container.c.
#include "types/types.h"

#include "convert/builtin.h"
#include "wrapper/classes.h"
#include "convert/function.h"
#include "convert/to_python.h"

// Calls a builtin function with one or two wrappers; `function` is the caller's name in errors. New reference, NULL
// with an error set.
static PyObject* call(const char* function, SsBuiltin which, PyObject* const* wrappers, int count) {
  TVMFFIAny views[2], result;
  int pinned = 0, rc = -1;
  while (pinned < count) {
    PyObject* wrapper = wrappers[pinned];
    if (!ss_is_wrapper(wrapper)) {
      PyErr_Format(PyExc_TypeError, "%s: expected a native container, got %.100s", function, Py_TYPE(wrapper)->tp_name);
      break;
    }
    TVMFFIObject* handle = ss_pin(ss_wrapper(wrapper));
    if (handle == NULL) {
      ss_no_handle(wrapper);
      break;
    }
    ss_set_object(&views[pinned++], handle);
  }
  if (pinned == count) {
    // No other Python thread changes the two containers during the call. It may change containers nested in them.
    SS_BEGIN_CRITICAL_SECTION2(wrappers[0], wrappers[count - 1]);
    rc = ss_call_builtin(which, views, count, &result);
    SS_END_CRITICAL_SECTION2();
  }
  while (pinned > 0) ss_unpin(ss_wrapper(wrappers[--pinned]));
  return rc == 0 ? ss_value_take(&result) : NULL;
}

static PyObject* ss_containers_equal(PyObject* module, PyObject* args) {
  (void)module;
  PyObject* both[2];
  if (!PyArg_ParseTuple(args, "OO:containers_equal", &both[0], &both[1])) return NULL;
  return call("containers_equal", SS_BUILTIN_EQUAL, both, 2);
}

static PyObject* ss_container_hash(PyObject* module, PyObject* container) {
  (void)module;
  return call("container_hash", SS_BUILTIN_HASH, &container, 1);
}

PyObject* ss_native_repr(PyObject* self, PyObject* unused) {
  (void)unused;
  if (ss_wrapper(self)->handle == NULL) return ss_repr_without_handle(self);
  PyObject* text = call("_native_repr", SS_BUILTIN_REPR, &self, 1);
  if (text == NULL || PyUnicode_CheckExact(text)) return text;
  PyObject* plain = PyObject_Str(text);  // of a String: what repr gives is a str itself
  Py_DECREF(text);
  return plain;
}

PyMethodDef ss_container_functions[] = {
    {"containers_equal", ss_containers_equal, METH_VARARGS,
     "containers_equal(a, b): whether two containers have equal contents, as native code sees them."},
    {"container_hash", ss_container_hash, METH_O, "A hash of a container's contents."},
    {NULL, NULL, 0, NULL}};
