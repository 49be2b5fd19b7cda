// The type of Functions; function.c has the calls.
//
// A Function is lean until it is given an attribute. From then on its wrapper is stateful: it is held while native code
// owns the Function, so that the attribute is there again when the Function is fetched.
//
// Why a Function is lean until it has an attribute. Code for the published package sets attributes of Functions, and
// they must be there at the next fetch. As a stateful class, each Function that Python has seen would be held for as
// long as native code owns it, and most never get an attribute. So the wrapper has a pointer to a dict, and becomes
// stateful when the dict is made.
#include "convert/function.h"

#include "convert/convert.h"
#include "convert/to_python.h"
#include "wrapper/classes.h"

// To be called once a Function has a dict: the wrapper has state from now on. Instances of subclasses always have it.
static void note_state(PyObject* self) {
  SsWrapper* wrapper = ss_wrapper(self);
  if (SS_LIKELY(ss_flags(wrapper) & SS_STATEFUL)) return;
  ss_unfinalize(self);  // the collector may have called the finalizer while the wrapper was lean
  ss_flags_set(wrapper, SS_STATEFUL);
}

static int function_setattro(PyObject* self, PyObject* name, PyObject* value) {
  int rc = PyObject_GenericSetAttr(self, name, value);
  if (((SsFunction*)self)->dict != NULL) note_state(self);
  return rc;
}

static PyObject* function_get_dict(PyObject* self, void* closure) {
  PyObject* dict = PyObject_GenericGetDict(self, closure);
  if (dict != NULL) note_state(self);
  return dict;
}

static int function_set_dict(PyObject* self, PyObject* value, void* closure) {
  int rc = PyObject_GenericSetDict(self, value, closure);
  if (rc == 0) note_state(self);
  return rc;
}

static int function_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(((SsFunction*)self)->dict);
  return ss_traverse(self, visit, arg);
}

static int function_clear(PyObject* self) {
  Py_CLEAR(((SsFunction*)self)->dict);
  return ss_clear(self);
}

static void function_dealloc(PyObject* self) {
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

// With the name that a module declares, else with that in the global table.
static PyObject* function_repr(PyObject* self) {
  PyObject* dict = ((SsFunction*)self)->dict;
  PyObject* name = dict == NULL ? NULL : PyDict_GetItemString(dict, "__qualname__");
  Py_XINCREF(name);
  TVMFFIObject* handle = ss_pin(ss_wrapper(self));
  if (handle == NULL) {
    Py_XDECREF(name);
    return ss_repr_without_handle(self);
  }
  if (name == NULL) {
    const TVMFFIByteArray* global = ss_api.SelfsameGlobalName(handle);
    name = global == NULL ? NULL : PyUnicode_DecodeUTF8(global->data, (Py_ssize_t)global->size, "replace");
  }
  PyErr_Clear();  // without memory for the name there is the address
  PyObject* text = name == NULL
                       ? PyUnicode_FromFormat("<%.100s object at %p>", Py_TYPE(self)->tp_name, (void*)handle)
                       : PyUnicode_FromFormat("<%.100s %S at %p>", Py_TYPE(self)->tp_name, name, (void*)handle);
  ss_unpin(ss_wrapper(self));
  Py_XDECREF(name);
  return text;
}

// ---- the type ----

// A Function that is an attribute of a class gets no object.
PyObject* ss_bind_to_itself(PyObject* self, PyObject* object, PyObject* type) {
  (void)object;
  (void)type;
  return ss_new_ref(self);
}

static PyObject* get_release_gil(PyObject* self, void* closure) {
  (void)closure;
  return PyBool_FromLong(ss_releases_gil(ss_wrapper(self)));
}

static int set_release_gil(PyObject* self, PyObject* value, void* closure) {
  (void)closure;
  if (value == NULL) {
    PyErr_SetString(PyExc_AttributeError, "Function.release_gil: the attribute cannot be deleted");
    return -1;
  }
  int release = PyObject_IsTrue(value);
  if (release < 0) return -1;
  ss_flags_clear(ss_wrapper(self), SS_KEPT_BITS);
  ss_flags_set(ss_wrapper(self), release ? SS_GIL_DROP : SS_GIL_KEEP);
  return 0;
}

PyObject* ss_keep_gil_in_single_calls(PyObject* module, PyObject* function) {
  (void)module;
  if (!PyObject_TypeCheck(function, &SsFunction_Type)) {
    return PyErr_Format(PyExc_TypeError, "keep_gil_in_single_calls: argument 'function': expected a Function, got %s",
                        Py_TYPE(function)->tp_name);
  }
  ss_flags_set(ss_wrapper(function), SS_GIL_KEEP | SS_GIL_DROP);
  Py_RETURN_NONE;
}

static PyGetSetDef getset[] = {{"release_gil", get_release_gil, set_release_gil,
                                "Whether a call releases the GIL while the native function runs.", NULL},
                               {"__dict__", function_get_dict, function_set_dict, "The attributes.", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"__from_extern_c__", (PyCFunction)(void (*)(void))ss_from_extern_c, METH_FASTCALL | METH_KEYWORDS | METH_STATIC,
     "__from_extern_c__(c_symbol, /, *, keep_alive_object=None)\n--\n\n"
     "A Function of a C symbol, given by its address, that has the prototype of the ABI's safe call and ignores its "
     "first argument.\n\nThe Function owns a reference to keep_alive_object, which keeps the code alive."},
    {"__from_mlir_packed_safe_call__", (PyCFunction)(void (*)(void))ss_from_mlir_packed,
     METH_FASTCALL | METH_KEYWORDS | METH_STATIC,
     "__from_mlir_packed_safe_call__(mlir_packed_symbol, /, *, keep_alive_object=None)\n--\n\n"
     "A Function of a safe call in MLIR's packed form: its only argument is an array of the addresses of the arguments."
     "\n\nThe Function owns a reference to keep_alive_object, which keeps the code alive."},
    {NULL, NULL, 0, NULL}};

PyTypeObject SsFunction_Type = {
    SS_TYPE(
        "selfsame_ffi.Function",
        "A native function. Call it with values that selfsame converts; errors of the function are raised.\n\n"
        "Functions come from get_global_func, from convert(callable), and as values from native code. Attributes that "
        "are set live as long as the native function.",
        sizeof(SsFunction), Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL),
    .tp_base = &SsObject_Type,
    .tp_dealloc = function_dealloc,
    .tp_repr = function_repr,
    .tp_traverse = function_traverse,
    .tp_clear = function_clear,
    .tp_setattro = function_setattro,
    .tp_descr_get = ss_bind_to_itself,
    .tp_dictoffset = offsetof(SsFunction, dict),
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(SsFunction, vectorcall),
    .tp_getset = getset,
    .tp_methods = methods,
};

void ss_function_type_init(void) { SsFunction_Type.tp_finalize = ss_finalize; }
