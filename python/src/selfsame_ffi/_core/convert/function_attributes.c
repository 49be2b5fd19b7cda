// Attributes of Functions; see convert.h.
#include "convert/convert.h"

#include "convert/function.h"
#include "convert/to_python.h"
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

// ---- repr ----

// The name under which a function is in the global table. New reference, or NULL; sets no error.
static PyObject* global_name(const TVMFFIObject* function) {
  const TVMFFIByteArray lister = {"ffi.FunctionListGlobalNamesFunctor", 34};
  TVMFFIObjectHandle list = NULL;
  TVMFFIAny names = {.type_index = kTVMFFINone}, index = {.type_index = kTVMFFIInt, .v_int64 = -1}, count;
  if (ss_api.TVMFFIFunctionGetGlobal(&lister, &list) != 0 || list == NULL) return NULL;
  int rc = ss_invoke(list, 0, NULL, 0, &names);
  ss_decref(list);
  if (rc == 0) rc = ss_invoke(names.v_obj, 0, &index, 1, &count);
  PyObject* found = NULL;
  for (index.v_int64 = 0; rc == 0 && found == NULL && index.v_int64 < count.v_int64; index.v_int64++) {
    TVMFFIAny name;
    TVMFFIObjectHandle known = NULL;
    rc = ss_invoke(names.v_obj, 0, &index, 1, &name);
    if (rc != 0) break;
    PyObject* text = ss_value_take(&name);
    TVMFFIByteArray bytes = {NULL, 0};
    bytes.data = text == NULL ? NULL : PyUnicode_AsUTF8AndSize(text, (Py_ssize_t*)&bytes.size);
    if (bytes.data != NULL && ss_api.TVMFFIFunctionGetGlobal(&bytes, &known) == 0 && known == function) {
      found = text;
      Py_INCREF(found);
    }
    if (known != NULL) ss_decref(known);
    Py_XDECREF(text);
  }
  ss_any_clear(&names);
  PyErr_Clear();
  return found;
}

// With the name that a module declares, else with that in the global table.
PyObject* ss_function_repr(PyObject* self) {
  PyObject* dict = ((SsFunction*)self)->dict;
  PyObject* name = dict == NULL ? NULL : PyDict_GetItemString(dict, "__qualname__");
  Py_XINCREF(name);
  TVMFFIObject* handle = ss_pin(ss_wrapper(self));
  if (handle == NULL) {
    Py_XDECREF(name);
    return ss_repr_without_handle(self);
  }
  if (name == NULL) name = global_name(handle);
  PyObject* text = name == NULL
                       ? PyUnicode_FromFormat("<%.100s object at %p>", Py_TYPE(self)->tp_name, (void*)handle)
                       : PyUnicode_FromFormat("<%.100s %S at %p>", Py_TYPE(self)->tp_name, name, (void*)handle);
  ss_unpin(ss_wrapper(self));
  Py_XDECREF(name);
  return text;
}

void ss_function_attributes_init(void) { SsFunction_Type.tp_finalize = ss_finalize; }
