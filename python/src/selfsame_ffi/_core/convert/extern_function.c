// Functions of C symbols; see convert.h.
#include "convert/convert.h"

#include "convert/arguments.h"
#include "convert/errors.h"
#include "tie/python_owner.h"
#include "wrapper/fetch.h"

// Calls a symbol of MLIR's packed form: its only argument is an array of the addresses of the arguments.
static int call_mlir_packed(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  void (*packed)(void**);
  *(void**)&packed = ss_extern_symbol(self);
  void* handle = NULL;
  int rc = 0;
  void* addresses[] = {&handle, &args, &count, &result, &rc};
  packed(addresses);
  return rc;
}

// The address and the object that keeps its code alive (NULL for none). 0, or -1 with TypeError or OverflowError set.
static int parse(const char* name, PyObject* const* args, Py_ssize_t count, PyObject* kwnames, void** symbol,
                 PyObject** owner) {
  *owner = NULL;
  Py_ssize_t named = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
  if (count != 1) {
    PyErr_Format(PyExc_TypeError, "Function.%s: expected 1 positional argument, got %zd", name, count);
    return -1;
  }
  for (Py_ssize_t i = 0; i < named; i++) {
    if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, i), "keep_alive_object") != 0) {
      ss_set_unexpected_keyword(PyTuple_GET_ITEM(kwnames, i), Py_BuildValue("(s)", "keep_alive_object"));
      ss_prefix_error("Function.%s: ", name);
      return -1;
    }
    *owner = args[1 + i] == Py_None ? NULL : args[1 + i];
  }
  if (!PyLong_Check(args[0])) {
    PyErr_Format(PyExc_TypeError, "Function.%s: argument 1: expected an address as an int, got %.100s", name,
                 Py_TYPE(args[0])->tp_name);
    return -1;
  }
  *symbol = PyLong_AsVoidPtr(args[0]);
  if (*symbol == NULL && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "expected an address, got 0");
  if (*symbol == NULL) ss_prefix_error("Function.%s: argument 1: ", name);
  return *symbol == NULL ? -1 : 0;
}

static PyObject* make(TVMFFISafeCallType call, void* symbol, PyObject* owner) {
  TVMFFIObject* function = ss_extern_function_alloc(call, symbol, owner);
  if (function == NULL) return ss_raise_native_null();
  return ss_fetch(function);
}

PyObject* ss_from_extern_c(PyObject* unused, PyObject* const* args, Py_ssize_t count, PyObject* kwnames) {
  (void)unused;
  void* symbol;
  PyObject* owner;
  if (parse("__from_extern_c__", args, count, kwnames, &symbol, &owner) != 0) return NULL;
  TVMFFISafeCallType call;
  *(void**)&call = symbol;
  return make(call, symbol, owner);
}

PyObject* ss_from_mlir_packed(PyObject* unused, PyObject* const* args, Py_ssize_t count, PyObject* kwnames) {
  (void)unused;
  void* symbol;
  PyObject* owner;
  if (parse("__from_mlir_packed_safe_call__", args, count, kwnames, &symbol, &owner) != 0) return NULL;
  return make(call_mlir_packed, symbol, owner);
}
