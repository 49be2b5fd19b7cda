// Native Functions that call Python callables; see convert.h.
#include "convert/convert.h"

#include "convert/call_python.h"
#include "wrapper/fetch.h"

// 0, or -1 with the error set in Python.
static __attribute__((noinline)) int build(SsBuilder builder, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  PyObject* made = builder(args, count);
  if (made == NULL) return -1;
  int rc = ss_call_result(made, 1, result);
  Py_DECREF(made);
  return rc;
}

int ss_closure_call(void* handle, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  SsClosure* closure = handle;
  SsEntry entry;
  if (ss_entry_begin(&entry, args, count) != 0) return -1;
  SsCallee callee = {closure->callable.object, NULL, closure->exchange, 0};
  if (SS_UNLIKELY(callee.callable == NULL)) callee.callable = closure->lent == NULL ? Py_None : closure->lent;
  Py_INCREF(callee.callable);  // the call may release the last reference to the closure
  int rc = SS_UNLIKELY(closure->builder != NULL) ? build(closure->builder, args, count, result)
                                                 : ss_call_python(&callee, args, count, result);
  Py_DECREF(callee.callable);  // before the wait for the turn, since it may run Python code
  return ss_entry_end(&entry, rc, result);
}

TVMFFIObject* ss_function_from_callable(PyObject* callable) {
  TVMFFIObject* closure = ss_closure_alloc(callable);
  if (closure == NULL) ss_raise_native();
  return closure;
}

PyObject* ss_function_of_builder(PyTypeObject* type, SsBuilder builder) {
  TVMFFIObject* function = ss_function_from_callable((PyObject*)type);
  if (function == NULL) return NULL;
  ((SsClosure*)function)->builder = builder;  // nobody else has the Function yet
  return ss_fetch(function);
}

PyObject* ss_function_of_tensors(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *callable, *cls;
  if (!PyArg_ParseTuple(args, "OO:convert_func", &callable, &cls)) return NULL;
  if (!PyCallable_Check(callable)) {
    return PyErr_Format(PyExc_TypeError, "convert_func: argument 'pyfunc': expected a callable, got %.100s",
                        Py_TYPE(callable)->tp_name);
  }
  const SsExchange* exchange = NULL;
  int found = PyType_Check(cls) ? ss_exchange_of((PyTypeObject*)cls, &exchange) : 0;
  if (found < 0) return NULL;
  if (found == 0) {
    return PyErr_Format(PyExc_TypeError,
                        "convert_func: argument 'tensor_cls': %R must expose __dlpack_c_exchange_api__", cls);
  }
  TVMFFIObject* function = ss_function_from_callable(callable);
  if (function == NULL) return NULL;
  ((SsClosure*)function)->exchange = exchange;  // nobody else has the Function yet
  return ss_fetch(function);
}

PyObject* ss_callable_behind(PyObject* module, PyObject* function) {
  (void)module;
  TVMFFIObject* object = PyObject_TypeCheck(function, &SsFunction_Type) ? ((SsWrapper*)function)->handle : NULL;
  PyObject** callable = object == NULL ? NULL : ss_callable_of(object);
  return ss_new_ref(callable == NULL || *callable == NULL ? Py_None : *callable);
}

void ss_callbacks_init(void) { ss_closures_init(ss_closure_call); }
