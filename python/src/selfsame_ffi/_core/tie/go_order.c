// Waiting for the turn to return to Go; see go_order.h.
#include "tie/go_order.h"

__thread SsGoOrder ss_go_order SS_STATIC_TLS;

struct SsNestedGreenlet {
  uint64_t go;                      // the number of the call of Go that it is in
  PyObject* greenlet;               // a weak reference: a greenlet that nothing refers to is ended by its module
  SsNestedGreenlet *newer, *older;  // in the order in which they entered Go; NULL at the ends
};

static PyObject* wait_function;

void ss_go_order_set_wait(PyObject* wait) {
  Py_INCREF(wait);
  Py_XSETREF(wait_function, wait);
}

// A weak reference to the running greenlet. New reference; NULL when there are no greenlets, or with an error set.
static PyObject* current_greenlet(void) {
  PyObject* name = PyUnicode_FromString("greenlet");
  PyObject* module = name == NULL ? NULL : PyImport_GetModule(name);
  Py_XDECREF(name);
  if (module == NULL) return NULL;
  PyObject* current = PyObject_CallMethod(module, "getcurrent", NULL);
  Py_DECREF(module);
  PyObject* reference = current == NULL ? NULL : PyWeakref_NewRef(current, NULL);
  Py_XDECREF(current);
  return reference;
}

void ss_note_greenlet(SsUnderGo* under) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject* greenlet = current_greenlet();
  SsNestedGreenlet* nested = greenlet == NULL ? NULL : PyMem_RawMalloc(sizeof(*nested));
  if (nested != NULL) {
    *nested = (SsNestedGreenlet){.go = under->go, .greenlet = greenlet, .older = ss_go_order.greenlets};
    if (nested->older != NULL) nested->older->newer = nested;
    ss_go_order.greenlets = under->nested = nested;
  } else {
    Py_XDECREF(greenlet);  // without memory the greenlet stays unknown, as without the module
  }
  PyErr_Restore(type, value, traceback);
}

void ss_forget_greenlet(SsUnderGo* under) {
  SsNestedGreenlet* nested = under->nested;
  if (nested->newer != NULL) nested->newer->older = nested->older;
  if (nested->older != NULL) nested->older->newer = nested->newer;
  if (ss_go_order.greenlets == nested) ss_go_order.greenlets = nested->older;
  under->nested = NULL;
  Py_DECREF(nested->greenlet);
  PyMem_RawFree(nested);
}

// The greenlet that runs Python code under the innermost call into Go. New reference; None when it is not known.
static PyObject* innermost_greenlet(void) {
  PyObject* found = NULL;
  const SsNestedGreenlet* nested = ss_go_order.greenlets;
  while (nested != NULL && nested->go != ss_go_order.calls->innermost) nested = nested->older;
  if (nested != NULL) {
#if PY_VERSION_HEX >= 0x030D0000
    (void)PyWeakref_GetRef(nested->greenlet, &found);
#else
    found = PyWeakref_GetObject(nested->greenlet);
    Py_XINCREF(found);
#endif
  }
  if (found == NULL) {
    found = Py_None;
    Py_INCREF(found);
  }
  return found;
}

int ss_await_turn(const SsUnderGo* under) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  int thrown = 0;
  for (long times = 0; ss_go_order.calls->innermost > under->go; times++) {
    PyObject* inner = innermost_greenlet();
    PyObject* done = wait_function == NULL ? NULL : PyObject_CallFunction(wait_function, "Ol", inner, times);
    Py_DECREF(inner);
    if (done == Py_False || wait_function == NULL) {
      Py_FatalError(
          "selfsame_ffi: Python code returns to Go while the same thread is still in a call into Go that began later; "
          "the stacks were switched by something other than greenlets");
    }
    if (done == NULL) {
      thrown = -1;
      Py_XDECREF(type);
      Py_XDECREF(value);
      Py_XDECREF(traceback);
      PyErr_Fetch(&type, &value, &traceback);
    }
    Py_XDECREF(done);
  }
  PyErr_Restore(type, value, traceback);
  return thrown;
}
