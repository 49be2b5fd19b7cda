// Function: calls of native Functions from Python.
#include "convert/function.h"

#include "convert/callback.h"
#include "wrapper/classes.h"
#include "convert/convert.h"
#include "convert/internal.h"
#include "convert/errors.h"
#include "convert/extern_function.h"
#include "convert/in_flight.h"
#include "tie/attach.h"
#include "tie/deferred.h"
#include "wrapper/fetch.h"
#include "wrapper/static_type.h"
#include "convert/to_python.h"

int ss_release_gil_default = 1;

static inline int invoke(TVMFFIObject* function, int release_gil, TVMFFIAny* views, int32_t count, TVMFFIAny* result) {
  TVMFFISafeCallType call = SS_CELL(TVMFFIFunctionCell, function)->safe_call;
  result->type_index = kTVMFFINone;
  result->zero_padding = 0;
  result->v_int64 = 0;
  int rc;
  ss_flight_begin();
  if (release_gil && call != ss_closure_call) {
    PyThreadState* outer = ss_released_state;
    PyThreadState* state = PyEval_SaveThread();
    ss_released_state = state;
    rc = call(function, views, count, result);
    ss_released_state = outer;
    PyEval_RestoreThread(state);
  } else {
    rc = call(function, views, count, result);
  }
  if (SS_UNLIKELY(rc != 0)) ss_raise_native();
  ss_flight_end();
  return SS_LIKELY(rc == 0) ? 0 : -1;
}

int ss_invoke(TVMFFIObject* function, int release_gil, TVMFFIAny* views, int32_t count, TVMFFIAny* result) {
  return invoke(function, release_gil, views, count, result);
}

// Inlined for the usual argument: a wrapper of a lean class.
static inline int to_view(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  if (SS_LIKELY(Py_TYPE(value)->tp_dealloc == ss_dealloc_heap)) return ss_view_wrapper(value, out, temps);
  return ss_to_view(value, out, temps);
}

enum { ARGS_ON_STACK = 8 };

static inline int call_raw(TVMFFIObject* function, int release_gil, PyObject* const* args, Py_ssize_t count,
                           TVMFFIAny* result) {
  TVMFFIAny stack_views[ARGS_ON_STACK];
  SsTemp stack_items[ARGS_ON_STACK];
  TVMFFIAny* views = stack_views;
  SsTemps temps = {stack_items, 0, 0};
  void* heap = NULL;
  ss_run_deferred();
  if (SS_UNLIKELY(count > ARGS_ON_STACK)) {
    if (count > INT32_MAX) {
      PyErr_Format(PyExc_OverflowError, "Function: expected at most %d arguments, got %zd", INT32_MAX, count);
      return -1;
    }
    heap = PyMem_Malloc((size_t)count * (sizeof(TVMFFIAny) + sizeof(SsTemp)));
    if (heap == NULL) {
      PyErr_NoMemory();
      return -1;
    }
    views = heap;
    temps.items = (SsTemp*)(views + count);
  }
  int rc = -1;
  Py_ssize_t done = 0;
  while (done < count && SS_LIKELY(to_view(args[done], &views[done], &temps) == 0)) done++;
  if (SS_LIKELY(done == count)) {
    rc = invoke(function, release_gil, views, (int32_t)count, result);
  } else {
    ss_prefix_error("argument %zd: ", done);
  }
  ss_views_done(&temps, args, done);
  if (SS_UNLIKELY(heap != NULL)) PyMem_Free(heap);
  return rc;
}

int ss_call_raw(TVMFFIObject* function, int release_gil, PyObject* const* args, Py_ssize_t count, TVMFFIAny* result) {
  return call_raw(function, release_gil, args, count, result);
}

TVMFFIObject* ss_no_function(SsWrapper* wrapper, TVMFFIObject* pinned) {
  if (pinned == NULL) return (TVMFFIObject*)ss_no_handle((PyObject*)wrapper);
  ss_unpin(wrapper);
  return ss_wrong_native((PyObject*)wrapper, "a Function");
}

PyObject* ss_call(SsWrapper* function, PyObject* const* args, Py_ssize_t count) {
  TVMFFIAny result;
  TVMFFIObject* handle = ss_pin_function(function);
  if (SS_UNLIKELY(handle == NULL)) return NULL;
  int rc = call_raw(handle, ss_releases_gil(function), args, count, &result);
  ss_unpin(function);
  return SS_LIKELY(rc == 0) ? ss_value_take(&result) : NULL;
}

PyObject* ss_function_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  if (SS_UNLIKELY(kwnames != NULL && PyTuple_GET_SIZE(kwnames) != 0)) {
    PyErr_Format(PyExc_TypeError, "Function: expected no keyword arguments, got '%U'", PyTuple_GET_ITEM(kwnames, 0));
    return NULL;
  }
  return ss_call(ss_wrapper(self), args, PyVectorcall_NARGS(nargsf));
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

static PyGetSetDef getset[] = {{"release_gil", get_release_gil, set_release_gil,
                                "Whether a call releases the GIL while the native function runs.", NULL},
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
    SS_WRAPPER_TYPE(
        "selfsame_ffi.Function",
        "A native function. Call it with values that selfsame converts; errors of the function are raised.\n\n"
        "Functions come from get_global_func, from convert(callable), and as values from native code.",
        &SsObject_Type, SsFunction, Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL),
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(SsFunction, vectorcall),
    .tp_getset = getset,
    .tp_methods = methods,
};
