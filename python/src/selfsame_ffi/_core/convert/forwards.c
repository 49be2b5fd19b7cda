// Functions by which a Go program that has Python in it uses Python objects: each does one thing with the object that is
// its first argument. Results are opaque objects, but native values where the name says so.
#include "convert/call_python.h"

#include "wrapper/fetch.h"

typedef enum { VALUE, ATTRIBUTE, CALL, CALL_VALUE, METHOD, METHOD_VALUE } Use;

// 0, or -1 with the error set in Python.
static inline __attribute__((always_inline)) int use_object(Use use, const TVMFFIAny* args, int32_t count,
                                                            TVMFFIAny* result) {
  int is_named = use == ATTRIBUTE || use >= METHOD, is_call = use >= CALL;
  int32_t own = is_named ? 2 : 1;
  if (SS_UNLIKELY(count < own || (!is_call && count > own))) {
    PyErr_Format(PyExc_TypeError, "callback: expected %s%d arguments, got %d", is_call ? "at least " : "", (int)own,
                 (int)count);
    return -1;
  }
  int opaque = use != VALUE && use != CALL_VALUE && use != METHOD_VALUE;
  PyObject* of = ss_object_from_view(&args[0]);
  PyObject* name = of == NULL || !is_named ? NULL : ss_object_from_view(&args[1]);
  int rc = -1;
  if (of == NULL || (is_named && name == NULL)) {
    // the error is set
  } else if (is_call) {
    SsCallee callee = {is_named ? name : of, is_named ? of : NULL, NULL, opaque};
    rc = ss_call_python(&callee, args + own, count - own, result);
  } else {
    if (is_named) Py_SETREF(of, PyObject_GetAttr(of, name));
    if (of != NULL) rc = ss_call_result(of, opaque, result);
  }
  Py_XDECREF(name);
  Py_XDECREF(of);
  return rc;
}

// One function of C for each use, so that the compiler leaves out what the others do.
#define FUNCTION(name, use)                                                                \
  static int name(void* handle, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) { \
    (void)handle;                                                                          \
    SsEntry entry;                                                                         \
    if (ss_entry_begin(&entry, args, count) != 0) return -1;                               \
    return ss_entry_end(&entry, use_object(use, args, count, result), result);             \
  }
FUNCTION(value, VALUE)
FUNCTION(attribute, ATTRIBUTE)
FUNCTION(call, CALL)
FUNCTION(call_value, CALL_VALUE)
FUNCTION(method, METHOD)
FUNCTION(method_value, METHOD_VALUE)

PyObject* ss_function_that_forwards(PyObject* module, PyObject* name) {
  (void)module;
  static const struct {
    const char* name;             // of Python's
    TVMFFISafeCallType function;  // that does it
  } known[] = {{"value", value},           {"attr", attribute},     {"call", call},
               {"call_value", call_value}, {"call_method", method}, {"call_method_value", method_value}};
  for (size_t i = 0; i < sizeof known / sizeof *known && PyUnicode_Check(name); i++) {
    if (PyUnicode_CompareWithASCIIString(name, known[i].name) != 0) continue;
    TVMFFIObject* function = ss_extern_function_alloc(known[i].function, NULL, NULL);
    if (function == NULL) {
      ss_raise_native();
      return NULL;
    }
    return ss_fetch(function);
  }
  return PyErr_Format(PyExc_ValueError,
                      "function_that_forwards: expected 'value', 'attr', 'call', 'call_value', 'call_method' or "
                      "'call_method_value', got %R",
                      name);
}
