// Comparing, hashing and printing containers as native code does.
#include "types/container_common.h"

#include "convert/builtin.h"
#include "wrapper/classes.h"
#include "convert/internal.h"
#include "convert/function.h"
#include "convert/to_python.h"

// Calls a function of the runtime with one or two wrappers. New reference, NULL with an error set.
static PyObject* ask(SsBuiltin which, PyObject* const* wrappers, int count) {
  TVMFFIAny views[2], result;
  int pinned = 0, rc = -1;
  while (pinned < count) {
    PyObject* wrapper = wrappers[pinned];
    if (!ss_is_wrapper(wrapper)) {
      PyErr_Format(PyExc_TypeError, "expected a native container, got %.100s", Py_TYPE(wrapper)->tp_name);
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
    // Python's other threads change neither of them; what is nested in them they may.
    SS_BEGIN_CRITICAL_SECTION2(wrappers[0], wrappers[count - 1]);
    rc = ss_call_builtin(which, views, count, &result);
    SS_END_CRITICAL_SECTION2();
  }
  while (pinned > 0) ss_unpin(ss_wrapper(wrappers[--pinned]));
  return rc == 0 ? ss_value_take(&result) : NULL;
}

PyObject* ss_containers_equal(PyObject* module, PyObject* args) {
  (void)module;
  PyObject* both[2];
  if (!PyArg_ParseTuple(args, "OO:containers_equal", &both[0], &both[1])) return NULL;
  return ask(SS_BUILTIN_EQUAL, both, 2);
}

PyObject* ss_container_hash(PyObject* module, PyObject* container) {
  (void)module;
  return ask(SS_BUILTIN_HASH, &container, 1);
}

PyObject* ss_container_repr(PyObject* module, PyObject* container) {
  (void)module;
  return ask(SS_BUILTIN_REPR, &container, 1);
}
