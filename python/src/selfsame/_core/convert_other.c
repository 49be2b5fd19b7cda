// Values that ask to be something else: subclasses of builtin types, protocol methods, numbers, callables, exceptions;
// and whatever is left, as an opaque object.
#include "callback.h"
#include "convert_parts.h"
#include "error.h"
#include "queue.h"
#include "value.h"

static void release_opaque(void* handle) { ss_release_python(handle); }

static TVMFFIObject* make_opaque(PyObject* value) {
  TVMFFIObjectHandle object = NULL;
  Py_INCREF(value);
  if (ss_api.TVMFFIObjectCreateOpaque(value, kTVMFFIOpaquePyObject, release_opaque, &object) != 0) {
    Py_DECREF(value);
    ss_raise_native();
    return NULL;
  }
  return object;
}

// 1 found and called, 0 the class has no such method, -1 error.
static int call_protocol(PyObject* value, const char* name, PyObject** out) {
  PyObject* method = PyObject_GetAttrString((PyObject*)Py_TYPE(value), name);
  if (method == NULL) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
    PyErr_Clear();
    return 0;
  }
  *out = PyObject_CallFunctionObjArgs(method, value, NULL);
  Py_DECREF(method);
  return *out == NULL ? -1 : 1;
}

// Converts what a protocol method returned; keeps it alive by owning it natively.
static int from_protocol_value(PyObject* result, TVMFFIAny* out, SsTemps* temps) {
  TVMFFIAny owned;
  int rc = Py_EnterRecursiveCall(" while converting a protocol's value");
  if (rc == 0) {
    rc = ss_to_owned(result, &owned);
    Py_LeaveRecursiveCall();
  }
  Py_DECREF(result);
  if (rc != 0) return -1;
  if (owned.type_index >= kTVMFFIStaticObjectBegin) return ss_set_temporary(out, owned.v_obj, temps);
  *out = owned;
  return 0;
}

static int is_instance_of(PyObject* value, const char* abc) {
  static PyObject* numbers;
  if (numbers == NULL) numbers = PyImport_ImportModule("numbers");
  if (numbers == NULL) return -1;
  PyObject* cls = PyObject_GetAttrString(numbers, abc);
  if (cls == NULL) return -1;
  int is = PyObject_IsInstance(value, cls);
  Py_DECREF(cls);
  return is;
}

static int from_integral(PyObject* value, TVMFFIAny* out) {
  PyObject* number = PyNumber_Index(value);
  if (number == NULL) return -1;
  int rc = ss_view_int(number, out);
  Py_DECREF(number);
  return rc;
}

static int from_pointer_number(PyObject* number, TVMFFIAny* out) {
  void* pointer = NULL;
  if (number != Py_None) {
    pointer = PyLong_AsVoidPtr(number);
    if (pointer == NULL && PyErr_Occurred()) return -1;
  }
  ss_set_plain(out, kTVMFFIOpaquePtr, 0);
  out->v_ptr = pointer;
  return 0;
}

static int from_c_void_p(PyObject* value, TVMFFIAny* out) {
  PyObject* number = PyObject_GetAttrString(value, "value");
  if (number == NULL) return -1;
  int rc = from_pointer_number(number, out);
  Py_DECREF(number);
  return rc;
}

int ss_view_other(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  PyObject* result = NULL;
  int found = call_protocol(value, "__tvm_ffi_object__", &result);
  if (found != 0) return found < 0 ? -1 : from_protocol_value(result, out, temps);
  if (PyLong_Check(value)) return ss_view_int(value, out);
  if (PyFloat_Check(value)) return ss_view_float(value, out);
  if (PyUnicode_Check(value)) return ss_view_str(value, out, temps);
  if (PyBytes_Check(value)) return ss_view_bytes(PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value), out, temps);
  if (PyList_Check(value) || PyTuple_Check(value)) return ss_set_temporary(out, ss_array_from_sequence(value), temps);
  if (PyDict_Check(value)) return ss_set_temporary(out, ss_map_from_mapping(value, SS_FN_MAP), temps);
  if (PyByteArray_Check(value)) {
    // A bytearray can be resized by other threads during the call: copy.
    PyObject* copy = PyBytes_FromObject(value);
    return copy == NULL ? -1 : from_protocol_value(copy, out, temps);
  }
  if (PyExceptionInstance_Check(value)) return ss_set_temporary(out, ss_error_from_exception(value), temps);
  PyTypeObject* c_void_p = ss_c_void_p();
  if (c_void_p == NULL) return -1;
  if (PyObject_TypeCheck(value, c_void_p)) return from_c_void_p(value, out);
  found = call_protocol(value, "__tvm_ffi_opaque_ptr__", &result);
  if (found != 0) {
    if (found < 0) return -1;
    int rc = from_pointer_number(result, out);
    Py_DECREF(result);
    return rc;
  }
  if (PyCallable_Check(value)) return ss_set_temporary(out, ss_function_from_callable(value), temps);
  static const char* const values[] = {"__tvm_ffi_int__", "__tvm_ffi_float__", "__tvm_ffi_value__"};
  for (int i = 0; i < 3; i++) {
    found = call_protocol(value, values[i], &result);
    if (found != 0) return found < 0 ? -1 : from_protocol_value(result, out, temps);
  }
  int is = is_instance_of(value, "Integral");
  if (is != 0) return is < 0 ? -1 : from_integral(value, out);
  is = is_instance_of(value, "Real");
  if (is != 0) return is < 0 ? -1 : ss_view_float(value, out);
  return ss_set_temporary(out, make_opaque(value), temps);
}
