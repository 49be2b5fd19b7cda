// Values without parts, by schema: None, numbers, text, devices, data types, pointers, tensors, functions.
#include "convert/builtin.h"
#include "convert/convert.h"
#include "convert/function.h"
#include "convert/internal.h"
#include "convert/protocols.h"
#include "convert/schema.h"
#include "convert/to_python.h"

// ---- messages ----

int ss_mismatch_text(SsConversion* state, const char* format, ...) {
  if (state->quiet) return SS_MISMATCH;
  va_list arguments;
  va_start(arguments, format);
  PyObject* text = PyUnicode_FromFormatV(format, arguments);
  va_end(arguments);
  if (text == NULL) return SS_FAILED;
  Py_XSETREF(state->message, text);
  return SS_MISMATCH;
}

int ss_mismatch_in(SsConversion* state, const char* format, ...) {
  if (state->quiet || state->message == NULL) return SS_MISMATCH;
  va_list arguments;
  va_start(arguments, format);
  PyObject* front = PyUnicode_FromFormatV(format, arguments);
  va_end(arguments);
  PyObject* text = front == NULL ? NULL : PyUnicode_Concat(front, state->message);
  Py_XDECREF(front);
  Py_CLEAR(state->message);
  state->message = text;
  return text == NULL ? SS_FAILED : SS_MISMATCH;
}

PyObject* ss_describe_type(PyObject* value) {
  if (value == Py_None) return PyUnicode_FromString("None");
  if (PyBool_Check(value)) return PyUnicode_FromString("bool");
  if (PyLong_Check(value)) return PyUnicode_FromString("int");
  if (PyFloat_Check(value)) return PyUnicode_FromString("float");
  if (PyUnicode_Check(value)) return PyUnicode_FromString("str");
  if (PyBytes_Check(value) || PyByteArray_Check(value)) return PyUnicode_FromString("bytes");
  if (ss_is_wrapper(value)) {
    const TVMFFIObject* native = ss_wrapper(value)->handle;
    const TVMFFITypeInfo* info = native == NULL ? NULL : ss_api.SelfsameFindTypeInfo(native->type_index);
    if (info != NULL) return ss_text(&info->type_key);
  }
  return PyObject_GetAttrString((PyObject*)Py_TYPE(value), "__qualname__");
}

// Puts the module of a value's class before the name of the class. Takes over the name; NULL with an error set.
static PyObject* with_module(PyObject* name, PyObject* value) {
  PyObject* module = PyObject_GetAttrString((PyObject*)Py_TYPE(value), "__module__");
  PyObject* whole = module == NULL ? NULL : PyUnicode_FromFormat("%S.%U", module, name);
  Py_XDECREF(module);
  Py_DECREF(name);
  return whole;
}

int ss_mismatch(const SsSchema* schema, PyObject* value, SsConversion* state) {
  if (state->quiet) return SS_MISMATCH;
  PyObject* got = ss_describe_type(value);
  // A class of another module may have the name of the type that is expected.
  if (got != NULL && !ss_is_wrapper(value) && PyUnicode_Compare(got, schema->expected) == 0)
    got = with_module(got, value);
  if (got == NULL) return SS_FAILED;
  int rc = ss_mismatch_text(state, "expected %U, got %U", schema->expected, got);
  Py_DECREF(got);
  return rc;
}

int ss_mismatch_explained(const SsSchema* schema, PyObject* value, SsConversion* state, SsExplain explain) {
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  int rc = ss_mismatch(schema, value, state);
  if (rc == SS_MISMATCH && !state->quiet && error != NULL) {
    PyObject* text = PyObject_Str(error);
    PyObject* whole = text == NULL ? NULL : explain(state->message, text);
    Py_XDECREF(text);
    Py_XSETREF(state->message, whole);
    if (whole == NULL) rc = SS_FAILED;
  }
  Py_XDECREF(type);
  Py_XDECREF(error);
  Py_XDECREF(traceback);
  return rc;
}

static PyObject* behind_colon(PyObject* message, PyObject* reason) {
  return PyUnicode_FromFormat("%U: %U", message, reason);
}

int ss_mismatch_from_error(const SsSchema* schema, PyObject* value, SsConversion* state) {
  if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_RecursionError)) return SS_FAILED;
  return ss_mismatch_explained(schema, value, state, behind_colon);
}

int ss_schema_pack(const SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  return ss_to_owned(value, out) == 0 ? SS_CONVERTED : ss_mismatch_from_error(schema, value, state);
}

// ---- numbers ----

// numbers.Integral, numbers.Real. Borrowed, NULL with an error set.
static PyObject* number_class(const char* name, PyObject** cache) {
  if (*cache == NULL) {
    PyObject* numbers = PyImport_ImportModule("numbers");
    if (numbers == NULL) return NULL;
    *cache = PyObject_GetAttrString(numbers, name);
    Py_DECREF(numbers);
  }
  return *cache;
}

static int is_integral(PyObject* value) {
  static PyObject* cls;
  PyObject* integral = number_class("Integral", &cls);
  return integral == NULL ? -1 : PyObject_IsInstance(value, integral);
}

static int is_real(PyObject* value) {
  static PyObject* cls;
  PyObject* real = number_class("Real", &cls);
  return real == NULL ? -1 : PyObject_IsInstance(value, real);
}

// The call of a conversion method such as __int__ failed.
static int conversion_failed(const char* function, PyObject* value, SsConversion* state) {
  if (!PyErr_ExceptionMatches(PyExc_Exception)) return SS_FAILED;
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  PyObject* text = error == NULL ? NULL : PyObject_Str(error);
  int rc = text == NULL ? SS_FAILED
                        : ss_mismatch_text(state, "%s() failed for %s: %U", function, Py_TYPE(value)->tp_name, text);
  Py_XDECREF(text);
  Py_XDECREF(type);
  Py_XDECREF(error);
  Py_XDECREF(traceback);
  return rc;
}

static int from_long(PyObject* number, SsConversion* state, TVMFFIAny* out) {
  int overflow = 0;
  long long bits = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (overflow == 0) {
    if (bits == -1 && PyErr_Occurred()) return SS_FAILED;
    ss_set_bits(out, kTVMFFIInt, (uint64_t)bits);
    return SS_CONVERTED;
  }
  PyObject* shown = PyObject_Str(number);
  if (shown == NULL) PyErr_Clear();  // more digits than CPython prints
  int rc = ss_mismatch_text(state, "integer %V out of int64 range [-9223372036854775808, 9223372036854775807]", shown,
                            "of very many digits");
  Py_XDECREF(shown);
  return rc;
}

static int from_numpy_bool(PyObject* value, int32_t type_index, SsConversion* state, TVMFFIAny* out) {
  int truth = PyObject_IsTrue(value);
  if (truth < 0) return conversion_failed("bool", value, state);
  state->changed = 1;
  ss_set_bits(out, type_index, (uint64_t)truth);
  return SS_CONVERTED;
}

static int to_int(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  if (PyBool_Check(value)) {
    state->changed = 1;
    ss_set_bits(out, kTVMFFIInt, value == Py_True);
    return SS_CONVERTED;
  }
  if (PyLong_Check(value)) return from_long(value, state, out);
  if (ss_is_numpy_bool(value)) return from_numpy_bool(value, kTVMFFIInt, state, out);
  int is = is_integral(value);
  if (is < 0) return SS_FAILED;
  state->changed = 1;
  if (is) {
    PyObject* number = PyNumber_Long(value);
    if (number == NULL) return conversion_failed("int", value, state);
    int rc = from_long(number, state, out);
    Py_DECREF(number);
    return rc;
  }
  if (ss_has_protocol(value, SS_PROTOCOL_INT)) return ss_schema_pack(schema, value, state, out);
  return ss_mismatch(schema, value, state);
}

static int from_double(double number, TVMFFIAny* out) {
  ss_set_bits(out, kTVMFFIFloat, 0);
  out->v_float64 = number;
  return SS_CONVERTED;
}

static int to_float(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  if (SS_LIKELY(PyFloat_Check(value))) return from_double(PyFloat_AS_DOUBLE(value), out);
  state->changed = 1;
  if (ss_is_numpy_bool(value)) {
    int truth = PyObject_IsTrue(value);
    return truth < 0 ? conversion_failed("float", value, state) : from_double(truth, out);
  }
  if (!PyLong_Check(value)) {
    int is = is_real(value);
    if (is < 0) return SS_FAILED;
    if (!is) {
      if (!ss_has_protocol(value, SS_PROTOCOL_FLOAT)) return ss_mismatch(schema, value, state);
      PyObject* result = NULL;
      if (ss_call_protocol(value, SS_PROTOCOL_FLOAT, &result) < 0) return ss_mismatch_from_error(schema, value, state);
      double number = PyFloat_AsDouble(result);
      Py_DECREF(result);
      if (number == -1 && PyErr_Occurred()) return ss_mismatch_from_error(schema, value, state);
      return from_double(number, out);
    }
  }
  PyObject* converted = PyNumber_Float(value);
  if (converted == NULL) return conversion_failed("float", value, state);
  int rc = from_double(PyFloat_AS_DOUBLE(converted), out);
  Py_DECREF(converted);
  return rc;
}

static int to_bool(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  if (ss_is_numpy_bool(value)) return from_numpy_bool(value, kTVMFFIBool, state, out);
  if (!PyBool_Check(value)) {
    int is = PyLong_Check(value) ? 1 : is_integral(value);
    if (is < 0) return SS_FAILED;
    if (!is) return ss_mismatch(schema, value, state);
    state->changed = 1;
  }
  int truth = PyObject_IsTrue(value);
  if (truth < 0) return conversion_failed("bool", value, state);
  ss_set_bits(out, kTVMFFIBool, (uint64_t)truth);
  return SS_CONVERTED;
}

// ---- other values ----

static int to_device_or_dtype(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  const char* what = schema->kind == SS_SCHEMA_DEVICE ? "device" : "dtype";
  int32_t wanted = schema->kind == SS_SCHEMA_DEVICE ? kTVMFFIDevice : kTVMFFIDataType;
  int found = ss_view_dtype_or_device(value, out);  // before str: dtype is a subclass of str
  // A tensor tells its device too, but is no device.
  if (found > 0 && ss_has_protocol(value, SS_PROTOCOL_DLPACK)) return ss_mismatch(schema, value, state);
  if (found > 0 && out->type_index == wanted) return SS_CONVERTED;
  if (found < 0) return ss_mismatch_from_error(schema, value, state);
  if (found > 0 || !PyUnicode_Check(value) || schema->helper == NULL) return ss_mismatch(schema, value, state);
  PyObject* made = PyObject_CallOneArg(schema->helper, value);
  if (made == NULL) {
    if (!PyErr_ExceptionMatches(PyExc_Exception)) return SS_FAILED;
    PyErr_Clear();
    return ss_mismatch_text(state, "expected %U, got invalid %s string %R", schema->expected, what, value);
  }
  state->changed = 1;
  int rc = ss_schema_pack(schema, made, state, out);
  Py_DECREF(made);
  return rc;
}

static int to_pointer(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  if (value == Py_None) {
    state->changed = 1;
    ss_set_bits(out, kTVMFFIOpaquePtr, 0);
    return SS_CONVERTED;
  }
  PyTypeObject* c_void_p = ss_c_void_p();
  if (c_void_p == NULL) return SS_FAILED;
  if (!PyObject_TypeCheck(value, c_void_p)) {
    state->changed = 1;
    if (!ss_has_protocol(value, SS_PROTOCOL_OPAQUE_PTR) && !ss_has_protocol(value, SS_PROTOCOL_STREAM)) {
      int found = ss_view_by_pointer_handler(value, out);
      if (found < 0) return ss_mismatch_from_error(schema, value, state);
      return found > 0 ? SS_CONVERTED : ss_mismatch(schema, value, state);
    }
  }
  return ss_schema_pack(schema, value, state, out);
}

static int to_tensor(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  if (ss_is_wrapper(value)) {
    const TVMFFIObject* native = ss_wrapper(value)->handle;
    if (native == NULL || native->type_index != kTVMFFITensor) return ss_mismatch(schema, value, state);
  } else {
    const SsExchange* exchange;
    int offers = ss_has_protocol(value, SS_PROTOCOL_DLPACK) ? 1 : ss_exchange_of(Py_TYPE(value), &exchange);
    if (offers < 0) return ss_mismatch_from_error(schema, value, state);
    if (offers == 0) return ss_mismatch(schema, value, state);
    state->changed = 1;
  }
  return ss_schema_pack(schema, value, state, out);
}

static int to_callable(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  if (ss_is_wrapper(value)) {
    const TVMFFIObject* native = ss_wrapper(value)->handle;
    if (native == NULL || native->type_index != kTVMFFIFunction) return ss_mismatch(schema, value, state);
    return ss_schema_pack(schema, value, state, out);
  }
  if (!PyCallable_Check(value)) return ss_mismatch(schema, value, state);
  state->changed = 1;
  return ss_schema_pack(schema, value, state, out);
}

static int to_bytes(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  if (PyMemoryView_Check(value)) {  // which, where any value is allowed, is a Python object to native code
    PyObject* copy = PyBytes_FromObject(value);
    if (copy == NULL) return conversion_failed("bytes", value, state);
    state->changed = 1;
    int rc = ss_schema_pack(schema, copy, state, out);
    Py_DECREF(copy);
    return rc;
  }
  if (!PyBytes_Check(value) && !PyByteArray_Check(value)) return ss_mismatch(schema, value, state);
  state->changed |= PyByteArray_Check(value);
  return ss_schema_pack(schema, value, state, out);
}

int ss_convert_scalar(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  switch (schema->kind) {
    case SS_SCHEMA_NONE:
      if (value != Py_None) return ss_mismatch(schema, value, state);
      ss_set_none(out);
      return SS_CONVERTED;
    case SS_SCHEMA_INT:
      return to_int(schema, value, state, out);
    case SS_SCHEMA_FLOAT:
      return to_float(schema, value, state, out);
    case SS_SCHEMA_BOOL:
      return to_bool(schema, value, state, out);
    case SS_SCHEMA_STR:
      return PyUnicode_Check(value) ? ss_schema_pack(schema, value, state, out) : ss_mismatch(schema, value, state);
    case SS_SCHEMA_BYTES:
      return to_bytes(schema, value, state, out);
    case SS_SCHEMA_DEVICE:
    case SS_SCHEMA_DTYPE:
      return to_device_or_dtype(schema, value, state, out);
    case SS_SCHEMA_POINTER:
      return to_pointer(schema, value, state, out);
    case SS_SCHEMA_TENSOR:
      return to_tensor(schema, value, state, out);
    case SS_SCHEMA_CALLABLE:
      return to_callable(schema, value, state, out);
    default:  // Any
      return ss_schema_pack(schema, value, state, out);
  }
}
