// Calls of Python by native code: what a Function does around the code that it runs, and the values that cross.
#ifndef SELFSAME_CORE_CONVERT_CALL_PYTHON_H_
#define SELFSAME_CORE_CONVERT_CALL_PYTHON_H_

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

// What surrounds Python code that native code runs.
typedef struct {
  SsAttachment attachment;             // of the thread
  SsUnderGo under;                     // the call into Go that the code runs under
  PyObject *type, *value, *traceback;  // the error that was set, where has_error says so; owned
  int has_error;                       // a destructor that runs while an exception propagates may have called
} SsEntry;

// Attaches the thread, and checks the arguments. 0, and the caller calls ss_entry_end; or -1 with the error raised.
static inline __attribute__((always_inline)) int ss_entry_begin(SsEntry* entry, const TVMFFIAny* args, int32_t count) {
  if (count < 0 || (count > 0 && args == NULL)) {
    ss_api.TVMFFIErrorSetRaisedFromCStr("ValueError",
                                        "callback: expected an array of arguments, got NULL or a negative count");
    return -1;
  }
  if (SS_UNLIKELY(ss_stack_is_low())) {
    ss_api.TVMFFIErrorSetRaisedFromCStr(
        "RecursionError", "callback: maximum recursion depth exceeded: the thread's stack is almost full");
    return -1;
  }
  ss_attachment_begin(&entry->attachment);
  if (entry->attachment.how == SS_ATTACH_REFUSED) {
    ss_api.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "callback: the Python interpreter is shutting down");
    return -1;
  }
  if (entry->attachment.how == SS_ATTACH_NO_MEMORY) {
    ss_api.TVMFFIErrorSetRaisedFromCStr("MemoryError", "callback: no memory for a Python thread state on this thread");
    return -1;
  }
  entry->has_error = entry->attachment.how == SS_ATTACHED_BEFORE && PyErr_Occurred() != NULL;
  if (SS_UNLIKELY(entry->has_error)) PyErr_Fetch(&entry->type, &entry->value, &entry->traceback);
  entry->under = ss_under_go_begin();
  ss_run_deferred();
  return 0;
}

// `rc` is what the code came to, -1 with the error set in Python. Returns it, and the error is raised.
static inline __attribute__((always_inline)) int ss_entry_end(SsEntry* entry, int rc, TVMFFIAny* result) {
  if (SS_UNLIKELY(ss_under_go_end(&entry->under) != 0)) {
    if (rc == 0) ss_any_clear(result);
    rc = -1;
  }
  if (rc != 0) ss_raise_to_native();
  if (SS_UNLIKELY(entry->has_error)) PyErr_Restore(entry->type, entry->value, entry->traceback);
  ss_attachment_end(&entry->attachment);
  return rc;
}

static inline PyObject* ss_call_argument(const TVMFFIAny* view, const SsExchange* exchange, SsTensorView** views) {
  if (SS_LIKELY(view->type_index >= kTVMFFIDynObjectBegin)) return ss_object_from_view(view);
  if (view->type_index == kTVMFFIDLTensorPtr) return ss_tensor_view_new(view->v_ptr, views);
  if (SS_LIKELY(exchange == NULL || view->type_index < kTVMFFIStaticObjectBegin)) return ss_object_from_view(view);
  TVMFFIAny owned = *view;
  ss_incref(owned.v_obj);
  return ss_exchanged_take(exchange, &owned);
}

// Sets a value as the result, or an opaque object of it. 0, or -1 with the error set in Python.
static inline __attribute__((always_inline)) int ss_call_result(PyObject* value, int opaque, TVMFFIAny* result) {
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

// What is called. The caller owns the objects.
typedef struct {
  PyObject* callable;          // with a self, the name of the method
  PyObject* self;              // or NULL
  const SsExchange* exchange;  // of the tensors among the arguments, or NULL
  int opaque;                  // whether the result is an opaque object
} SsCallee;

// Converts the arguments, calls, converts the result, or makes it opaque. 0, or -1 with the error set in Python.
static inline __attribute__((always_inline)) int ss_call_python(const SsCallee* callee, const TVMFFIAny* args,
                                                                int32_t count, TVMFFIAny* result) {
  enum { ARGS_ON_STACK = 8 };
  PyObject* stack[ARGS_ON_STACK + 2];
  PyObject** values = stack;
  if (count > ARGS_ON_STACK) {
    values = PyMem_Malloc(((size_t)count + 2) * sizeof(PyObject*));
    if (values == NULL) return ss_no_memory();
  }
  SsTensorView* views = NULL;
  values[0] = NULL;  // room for PY_VECTORCALL_ARGUMENTS_OFFSET
  values[1] = callee->self;
  PyObject** first = values + (callee->self == NULL ? 1 : 2);
  int rc = -1;
  int32_t done = 0;
  while (done < count && (first[done] = ss_call_argument(&args[done], callee->exchange, &views)) != NULL) done++;
  if (done == count) {
    size_t passed = (size_t)(first + done - values - 1) | PY_VECTORCALL_ARGUMENTS_OFFSET;
    PyObject* answer = callee->self == NULL ? PyObject_Vectorcall(callee->callable, values + 1, passed, NULL)
                                            : PyObject_VectorcallMethod(callee->callable, values + 1, passed, NULL);
    if (answer != NULL) {
      rc = ss_call_result(answer, callee->opaque, result);
      Py_DECREF(answer);
    }
  } else {
    ss_prefix_error("callback: argument %d: ", (int)done + 1);
  }
  if (SS_UNLIKELY(views != NULL)) ss_tensor_views_end(views);
  while (done > 0) Py_DECREF(first[--done]);
  if (values != stack) PyMem_Free(values);
  return rc;
}

#endif  // SELFSAME_CORE_CONVERT_CALL_PYTHON_H_
