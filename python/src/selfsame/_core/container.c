// Comparing, hashing and printing containers as native code does.
#include "container.h"

#include "builtin.h"
#include "classes.h"
#include "convert_parts.h"
#include "function.h"
#include "value.h"

// Calls a function of the runtime with `count` wrappers. New reference, NULL with an error set.
static PyObject* ask(SsBuiltin which, PyObject* const* wrappers, int count) {
  TVMFFIAny views[2], result;
  for (int i = 0; i < count; i++) {
    if (!ss_is_wrapper(wrappers[i])) {
      return PyErr_Format(PyExc_TypeError, "expected a native container, got %.100s", Py_TYPE(wrappers[i])->tp_name);
    }
    if (ss_wrapper(wrappers[i])->handle == NULL) return ss_no_handle(wrappers[i]);
    ss_set_object(&views[i], ss_wrapper(wrappers[i])->handle);
  }
  for (int i = 0; i < count; i++) ss_flags_add(ss_wrapper(wrappers[i]), SS_PIN);
  int rc = ss_call_builtin(which, views, count, &result);
  for (int i = 0; i < count; i++) ss_unpin(ss_wrapper(wrappers[i]));
  return rc == 0 ? ss_value_take(&result) : NULL;
}

PyObject* ss_containers_equal(PyObject* module, PyObject* args) {
  (void)module;
  PyObject* both[2];
  if (!PyArg_ParseTuple(args, "OO:containers_equal", &both[0], &both[1])) return NULL;
  return ask(SS_FN_EQUAL, both, 2);
}

PyObject* ss_container_hash(PyObject* module, PyObject* container) {
  (void)module;
  return ask(SS_FN_HASH, &container, 1);
}

PyObject* ss_container_repr(PyObject* module, PyObject* container) {
  (void)module;
  return ask(SS_FN_REPR, &container, 1);
}
