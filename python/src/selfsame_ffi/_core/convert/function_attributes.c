// Attributes of Functions; see function_attributes.h.
#include "convert/function_attributes.h"

#include "convert/function.h"
#include "wrapper/classes.h"

// To be called once a Function has a dict: the wrapper has state from now on. Instances of subclasses always have it.
static void note_state(PyObject* self) {
  SsWrapper* wrapper = ss_wrapper(self);
  if (SS_LIKELY(ss_flags(wrapper) & SS_STATEFUL)) return;
  ss_unfinalize(self);  // the collector may have called the finalizer while the wrapper was lean
  ss_flags_set(wrapper, SS_STATEFUL);
}

int ss_function_setattro(PyObject* self, PyObject* name, PyObject* value) {
  int rc = PyObject_GenericSetAttr(self, name, value);
  if (((SsFunction*)self)->dict != NULL) note_state(self);
  return rc;
}

PyObject* ss_function_get_dict(PyObject* self, void* closure) {
  PyObject* dict = PyObject_GenericGetDict(self, closure);
  if (dict != NULL) note_state(self);
  return dict;
}

int ss_function_set_dict(PyObject* self, PyObject* value, void* closure) {
  int rc = PyObject_GenericSetDict(self, value, closure);
  if (rc == 0) note_state(self);
  return rc;
}

int ss_function_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(((SsFunction*)self)->dict);
  return ss_traverse(self, visit, arg);
}

int ss_function_clear(PyObject* self) {
  Py_CLEAR(((SsFunction*)self)->dict);
  return ss_clear(self);
}

void ss_function_dealloc(PyObject* self) {
  // CPython's subtype_dealloc, which calls this for subclasses, has called the finalizer.
  int is_subclass = (Py_TYPE(self)->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0;
  if (SS_UNLIKELY(ss_flags(ss_wrapper(self)) & SS_STATEFUL) && !is_subclass) {
    if (ss_leave_to_native(self) || (!SS_FREE_THREADED && PyObject_CallFinalizerFromDealloc(self) < 0))
      return;  // the native object lives on, and so does the wrapper
  }
  PyObject_GC_UnTrack(self);
  Py_CLEAR(((SsFunction*)self)->dict);
  ss_dealloc_static(self);
}

void ss_function_attributes_init(void) { SsFunction_Type.tp_finalize = ss_finalize; }
