// Values of types that ss_to_view does not handle itself: subclasses of builtin types, protocol methods, numbers,
// callables, exceptions. A value of any other type becomes an opaque object.
#include "convert/callback.h"
#include "convert/dlpack.h"
#include "convert/dtype_device.h"
#include "convert/errors.h"
#include "convert/internal.h"
#include "convert/lent_arrays.h"
#include "convert/make_container.h"
#include "convert/protocols.h"
#include "convert/recursion.h"
#include "convert/shape.h"
#include "convert/tensor_view.h"
#include "convert/to_python.h"
#include "tie/python_owner.h"

TVMFFIObject* ss_opaque_new(PyObject* value) {
  TVMFFIObject* object = ss_opaque_alloc(value);
  if (object == NULL) ss_raise_native();
  return object;
}

// A view of a protocol method's result. Takes over `result`; the temporaries own the native object. 0, or -1 with an
// error set.
static int from_protocol_value(PyObject* result, TVMFFIAny* out, SsTemps* temps) {
  TVMFFIAny owned;
  int rc = ss_enter_recursion(" while converting a protocol's value");
  if (rc == 0) {
    rc = ss_to_owned_using(result, &owned, &temps->use);
    ss_leave_recursion();
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

static int from_integral(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  PyObject* number = PyNumber_Index(value);
  if (number == NULL) return -1;
  int rc = ss_view_int(number, out, temps);
  Py_DECREF(number);
  return rc;
}

static int from_pointer_number(PyObject* number, TVMFFIAny* out) {
  void* pointer = NULL;
  if (number != Py_None) {
    pointer = PyLong_AsVoidPtr(number);
    if (pointer == NULL && PyErr_Occurred()) return -1;
  }
  ss_set_bits(out, kTVMFFIOpaquePtr, 0);
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

// The address that __cuda_stream__ gives: (version of the protocol, address). Takes over `pair`.
static int from_stream(PyObject* pair, TVMFFIAny* out) {
  PyObject* address = PySequence_GetItem(pair, 1);
  Py_DECREF(pair);
  if (address == NULL) return -1;
  int rc = from_pointer_number(address, out);
  Py_DECREF(address);
  return rc;
}

static PyObject* pointer_handlers;  // dict: class -> callable that gives an address

PyObject* ss_set_pointer_handlers(PyObject* module, PyObject* handlers) {
  (void)module;
  if (!PyDict_Check(handlers)) {
    return PyErr_Format(PyExc_TypeError, "set_pointer_handlers: expected a dict, got %.100s",
                        Py_TYPE(handlers)->tp_name);
  }
  Py_INCREF(handlers);
  Py_XSETREF(pointer_handlers, handlers);
  Py_RETURN_NONE;
}

int ss_view_by_pointer_handler(PyObject* value, TVMFFIAny* out) {
  if (pointer_handlers == NULL || PyDict_GET_SIZE(pointer_handlers) == 0) return 0;
  PyObject* handler = ss_dict_find(pointer_handlers, (PyObject*)Py_TYPE(value));
  if (handler == NULL) return PyErr_Occurred() ? -1 : 0;
  PyObject* address = PyObject_CallOneArg(handler, value);
  Py_DECREF(handler);
  if (address == NULL) return -1;
  int rc = from_pointer_number(address, out);
  Py_DECREF(address);
  return rc == 0 ? 1 : -1;
}

// The result of __tvm_ffi_float__, which may be any number. Takes it over.
static int from_float_protocol(PyObject* number, TVMFFIAny* out) {
  int rc = ss_view_float(number, out);
  Py_DECREF(number);
  return rc;
}

static int from_sequence_or_dict(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  SsExchangeUse inside = {.lent = temps->use.lent};
  TVMFFIObject* made = PyDict_Check(value) ? ss_map_from_mapping(value, SS_BUILTIN_MAP, NULL, &inside)
                                           : ss_array_from_sequence(value, &inside);
  if (SS_UNLIKELY(inside.results != NULL)) ss_exchange_use_inside(&temps->use, &inside);
  return ss_set_temporary(out, made, temps);
}

static int from_shape(PyObject* shape, TVMFFIAny* out, SsTemps* temps) {
  TVMFFIObject* native = ss_shape_native(shape);
  ss_incref(native);
  return ss_set_temporary(out, native, temps);
}

// Builtin types that are rare as arguments, and subclasses of all of them. 1: *out is set; 0: the value is none of
// them; -1 with an error set.
static int from_builtin(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  int rc;
  if (PyLong_Check(value)) {
    rc = ss_view_int(value, out, temps);
  } else if (PyFloat_Check(value)) {
    rc = ss_view_float(value, out);
  } else if (PyUnicode_Check(value)) {
    rc = ss_view_str(value, out, temps);
  } else if (PyBytes_Check(value)) {
    rc = ss_view_bytes(PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value), out, temps);
  } else if (PyList_Check(value) || PyTuple_Check(value) || PyDict_Check(value)) {
    rc = from_sequence_or_dict(value, out, temps);
  } else if (PyByteArray_Check(value)) {
    // Copied: another thread may resize a bytearray during the call.
    PyObject* copy = PyBytes_FromObject(value);
    rc = copy == NULL ? -1 : from_protocol_value(copy, out, temps);
  } else if (PyExceptionInstance_Check(value)) {
    rc = ss_set_temporary(out, ss_error_from_exception(value), temps);
  } else {
    return 0;
  }
  return rc == 0 ? 1 : -1;
}

static int from_exchange(PyObject* value, const SsExchange* exchange, TVMFFIAny* out, SsTemps* temps) {
  SsLentTensor** all = temps->use.lent;
  int lent = all == NULL ? 0 : ss_lend_tensor(value, exchange, out, all, &temps->use);
  if (lent > 0) ss_lent_tensor_hold(*all);
  if (lent != 0) return lent > 0 ? 0 : -1;
  TVMFFIObject* tensor = ss_exchange_import(exchange, value, 0, 0);
  if (ss_set_temporary(out, tensor, temps) != 0) return -1;
  ss_exchange_use(&temps->use, exchange, SS_CELL(DLTensor, tensor)->device);
  return 0;
}

int ss_view_other(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  PyTypeObject* type = Py_TYPE(value);
  if (type == &PyList_Type || type == &PyTuple_Type || type == &PyDict_Type) {
    return from_sequence_or_dict(value, out, temps);
  }
  if (type == &PyBytes_Type) return from_builtin(value, out, temps) > 0 ? 0 : -1;
  if (type == &SsShape_Type) return from_shape(value, out, temps);
  if (type == &SsTensorView_Type) {
    PyErr_SetString(PyExc_TypeError,
                    "expected a value that native code may keep, got a TensorView, which is valid "
                    "during its call only; copy its elements");
    return -1;
  }
  if (type == &PyFunction_Type || type == &PyMethod_Type || type == &PyCFunction_Type) {
    return ss_set_temporary(out, ss_function_from_callable(value), temps);
  }
  const SsExchange* exchange = ss_exchange_known(type);
  if (exchange != NULL) return from_exchange(value, exchange, out, temps);
  PyObject* result = NULL;
  int found = ss_call_protocol(value, SS_PROTOCOL_OBJECT, &result);
  if (found != 0) return found < 0 ? -1 : from_protocol_value(result, out, temps);
  found = ss_exchange_of(type, &exchange);
  if (found != 0) return found < 0 ? -1 : from_exchange(value, exchange, out, temps);
  if (ss_has_protocol(value, SS_PROTOCOL_DLPACK)) {
    ss_exchange_note_dlpack(type);
    ss_note_array_class(type);
    if (temps->use.lent != NULL) return ss_lend_by_dlpack(value, out, temps->use.lent, temps) > 0 ? 0 : -1;
    return ss_set_temporary(out, ss_tensor_from_dlpack(value, 0, 0), temps);
  }
  found = ss_view_dtype_or_device(value, out);  // before str: dtype is a subclass of str
  if (found == 0) found = from_builtin(value, out, temps);
  if (found != 0) return found < 0 ? -1 : 0;
  PyTypeObject* c_void_p = ss_c_void_p();
  if (c_void_p == NULL) return -1;
  if (PyObject_TypeCheck(value, c_void_p)) return from_c_void_p(value, out);
  found = ss_call_protocol(value, SS_PROTOCOL_OPAQUE_PTR, &result);
  if (found != 0) {
    if (found < 0) return -1;
    int rc = from_pointer_number(result, out);
    Py_DECREF(result);
    return rc;
  }
  found = ss_view_by_pointer_handler(value, out);
  if (found != 0) return found < 0 ? -1 : 0;
  found = ss_call_protocol(value, SS_PROTOCOL_STREAM, &result);
  if (found != 0) return found < 0 ? -1 : from_stream(result, out);
  if (PyCallable_Check(value)) return ss_set_temporary(out, ss_function_from_callable(value), temps);
  for (SsProtocol protocol = SS_PROTOCOL_INT; protocol <= SS_PROTOCOL_VALUE; protocol++) {
    found = ss_call_protocol(value, protocol, &result);
    if (found < 0) return -1;
    if (found > 0 && protocol == SS_PROTOCOL_FLOAT) return from_float_protocol(result, out);
    if (found > 0) return from_protocol_value(result, out, temps);
  }
  if (ss_is_numpy_bool(value)) {
    int truth = PyObject_IsTrue(value);
    ss_set_bits(out, kTVMFFIBool, truth == 1);
    return truth < 0 ? -1 : 0;
  }
  int is = is_instance_of(value, "Integral");
  if (is != 0) return is < 0 ? -1 : from_integral(value, out, temps);
  is = is_instance_of(value, "Real");
  if (is != 0) return is < 0 ? -1 : ss_view_float(value, out);
  return ss_set_temporary(out, ss_opaque_new(value), temps);
}
