// Native Functions that call Python callables; see convert.h.
#include "convert/convert.h"

#include "convert/errors.h"
#include "convert/exchanged.h"
#include "convert/internal.h"
#include "convert/recursion.h"
#include "convert/tensor_view.h"
#include "convert/to_python.h"
#include "tie/attach.h"
#include "tie/deferred.h"
#include "tie/go_order.h"
#include "tie/python_owner.h"
#include "wrapper/fetch.h"

enum { ARGS_ON_STACK = 8 };

static inline PyObject* argument(const TVMFFIAny* view, const SsExchange* exchange, SsTensorView** views) {
  if (SS_LIKELY(view->type_index >= kTVMFFIDynObjectBegin)) return ss_object_from_view(view);
  if (view->type_index == kTVMFFIDLTensorPtr) return ss_tensor_view_new(view->v_ptr, views);
  if (SS_LIKELY(exchange == NULL || view->type_index < kTVMFFIStaticObjectBegin)) return ss_object_from_view(view);
  TVMFFIAny owned = *view;
  ss_incref(owned.v_obj);
  return ss_exchanged_take(exchange, &owned);
}

// Sets a value as the result, or an opaque object of it. 0, or -1 with the error set in Python.
static inline __attribute__((always_inline)) int set_result(PyObject* value, int opaque, TVMFFIAny* result) {
  if (opaque) {
    TVMFFIObject* object = ss_opaque_new(value);
    if (object == NULL) return -1;
    ss_set_object(result, object);
  } else if (SS_LIKELY(value == Py_None)) {
    ss_set_bits(result, kTVMFFINone, 0);
  } else if (!ss_view_number(value, result) && ss_to_owned(value, result) != 0) {
    ss_prefix_error("callback: result: ");
    return -1;
  }
  return 0;
}

// A call of a Python object.
typedef struct {
  PyObject* callable;     // owned
  const TVMFFIAny* args;  // without those that name the callable
  int32_t count;          // of args
  int opaque;             // whether the result is an opaque object
} Call;

// Converts the arguments, calls, converts the result, or makes it opaque. 0, or -1 with the error set in Python.
static int call_python(const Call* call, const SsExchange* exchange, TVMFFIAny* result) {
  int32_t count = call->count;
  PyObject* stack[ARGS_ON_STACK + 1];
  PyObject** values = stack;
  if (count > ARGS_ON_STACK) {
    values = PyMem_Malloc(((size_t)count + 1) * sizeof(PyObject*));
    if (values == NULL) return ss_no_memory();
  }
  SsTensorView* views = NULL;
  values[0] = NULL;  // room for PY_VECTORCALL_ARGUMENTS_OFFSET
  int rc = -1;
  int32_t done = 0;
  while (done < count && (values[done + 1] = argument(&call->args[done], exchange, &views)) != NULL) done++;
  if (done == count) {
    PyObject* answer =
        PyObject_Vectorcall(call->callable, values + 1, (size_t)count | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    if (answer != NULL) {
      rc = set_result(answer, call->opaque, result);
      Py_DECREF(answer);
    }
  } else {
    ss_prefix_error("callback: argument %d: ", (int)done + 1);
  }
  if (SS_UNLIKELY(views != NULL)) ss_tensor_views_end(views);
  while (done > 0) Py_DECREF(values[done--]);
  if (values != stack) PyMem_Free(values);
  return rc;
}

// 0, or -1 with the error set in Python.
static __attribute__((noinline)) int build(SsBuilder builder, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  PyObject* made = builder(args, count);
  if (made == NULL) return -1;
  int rc = set_result(made, 1, result);
  Py_DECREF(made);
  return rc;
}

// Finds what a Function that forwards calls, instead of its own callable. Returns 1 then, 0 when there is no call: the result is
// set; -1 with the error set in Python.
static __attribute__((noinline)) int forward(SsForwards to, Call* call, TVMFFIAny* result) {
  int is_named = to == SS_FORWARDS_TO_METHOD_VALUE || to == SS_FORWARDS_TO_METHOD || to == SS_FORWARDS_TO_ATTRIBUTE;
  int is_call = to != SS_FORWARDS_TO_VALUE && to != SS_FORWARDS_TO_ATTRIBUTE;
  int32_t own = is_named ? 2 : 1;
  if (call->count < own || (!is_call && call->count > own)) {
    PyErr_Format(PyExc_TypeError, "callback: expected %s%d arguments, got %d", is_call ? "at least " : "", (int)own,
                 (int)call->count);
    return -1;
  }
  PyObject* of = ss_object_from_view(&call->args[0]);
  if (of != NULL && is_named) {
    PyObject* name = ss_object_from_view(&call->args[1]);
    PyObject* attribute = name == NULL ? NULL : PyObject_GetAttr(of, name);
    Py_XDECREF(name);
    Py_SETREF(of, attribute);
  }
  if (of == NULL) return -1;
  call->opaque = to >= SS_FORWARDS_TO_CALL;
  if (is_call) {
    Py_SETREF(call->callable, of);
    call->args += own;
    call->count -= own;
    return 1;
  }
  int rc = set_result(of, call->opaque, result);
  Py_DECREF(of);
  return rc;
}

// Numbers never change, so that they are read without the GIL.
static inline int forwards_number(const SsClosure* closure, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  if (closure->forwards != SS_FORWARDS_TO_VALUE || count != 1 || args[0].type_index != kTVMFFIOpaquePyObject) return 0;
  PyObject* value = ss_opaque_python_object(args[0].v_obj);
  return value != NULL && ss_python_alive() && ss_view_number(value, result);
}

int ss_closure_call(void* handle, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  SsClosure* closure = handle;
  if (count < 0 || (count > 0 && args == NULL)) {
    ss_api.TVMFFIErrorSetRaisedFromCStr("ValueError",
                                        "callback: expected an array of arguments, got NULL or a negative count");
    return -1;
  }
  if (forwards_number(closure, args, count, result)) return 0;
  if (SS_UNLIKELY(ss_stack_is_low())) {
    ss_api.TVMFFIErrorSetRaisedFromCStr(
        "RecursionError", "callback: maximum recursion depth exceeded: the thread's stack is almost full");
    return -1;
  }
  SsAttachment attachment = ss_attachment_begin();
  if (attachment.how == SS_ATTACH_REFUSED) {
    ss_api.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "callback: the Python interpreter is shutting down");
    return -1;
  }
  if (attachment.how == SS_ATTACH_NO_MEMORY) {
    ss_api.TVMFFIErrorSetRaisedFromCStr("MemoryError", "callback: no memory for a Python thread state on this thread");
    return -1;
  }
  PyObject *type = NULL, *value = NULL, *traceback = NULL;
  // An error may be set: a destructor that runs while an exception propagates may have called this Function.
  int has_error = attachment.how == SS_ATTACHED_BEFORE && PyErr_Occurred() != NULL;
  if (SS_UNLIKELY(has_error)) PyErr_Fetch(&type, &value, &traceback);
  Call call = {closure->callable.object, args, count, 0};
  if (SS_UNLIKELY(call.callable == NULL)) call.callable = closure->lent == NULL ? Py_None : closure->lent;
  Py_INCREF(call.callable);  // the call may release the last reference to the closure
  SsUnderGo under = ss_under_go_begin();
  ss_run_deferred();
  int rc = 1;
  if (SS_UNLIKELY(closure->builder != NULL)) {
    rc = build(closure->builder, args, count, result);
  } else if (SS_UNLIKELY(closure->forwards != SS_FORWARDS_NOTHING)) {
    rc = forward(closure->forwards, &call, result);
  }
  if (SS_LIKELY(rc == 1)) rc = call_python(&call, closure->exchange, result);
  Py_DECREF(call.callable);  // before the wait for the turn, since it may run Python code
  if (SS_UNLIKELY(ss_under_go_end(&under) != 0)) {
    if (rc == 0) ss_any_clear(result);
    rc = -1;
  }
  if (rc != 0) ss_raise_to_native();
  if (SS_UNLIKELY(has_error)) PyErr_Restore(type, value, traceback);
  ss_attachment_end(&attachment);
  return rc;
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

PyObject* ss_function_that_forwards(PyObject* module, PyObject* name) {
  (void)module;
  static const char* const known[] = {
      [SS_FORWARDS_TO_VALUE] = "value",
      [SS_FORWARDS_TO_CALL_VALUE] = "call_value",
      [SS_FORWARDS_TO_METHOD_VALUE] = "call_method_value",
      [SS_FORWARDS_TO_CALL] = "call",
      [SS_FORWARDS_TO_METHOD] = "call_method",
      [SS_FORWARDS_TO_ATTRIBUTE] = "attr",
  };
  for (int to = SS_FORWARDS_TO_VALUE; to <= SS_FORWARDS_TO_ATTRIBUTE && PyUnicode_Check(name); to++) {
    if (PyUnicode_CompareWithASCIIString(name, known[to]) != 0) continue;
    TVMFFIObject* function = ss_function_from_callable((PyObject*)&PyBaseObject_Type);
    if (function == NULL) return NULL;
    ((SsClosure*)function)->forwards = (SsForwards)to;  // nobody else has the Function yet
    return ss_fetch(function);
  }
  return PyErr_Format(PyExc_ValueError,
                      "function_that_forwards: expected 'value', 'attr', 'call', 'call_value', 'call_method' or "
                      "'call_method_value', got %R",
                      name);
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

void ss_callbacks_init(void) { ss_closures_init(ss_closure_call); }
