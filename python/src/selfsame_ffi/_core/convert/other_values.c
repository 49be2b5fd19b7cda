// Values of types that ss_to_view does not handle itself: subclasses of builtin types, protocol methods, numbers,
// callables, exceptions. A value of any other type becomes an opaque object.
#include "convert/convert.h"
#include "convert/class_ways.h"
#include "convert/dlpack.h"
#include "convert/errors.h"
#include "convert/internal.h"
#include "convert/lent_arrays.h"
#include "convert/protocols.h"
#include "convert/recursion.h"
#include "convert/tensor_view.h"
#include "convert/to_python.h"
#include "tie/python_owner.h"

TVMFFIObject* ss_opaque_new(PyObject* value) {
  TVMFFIAny number;
  if (!ss_view_number(value, &number)) ss_set_bits(&number, kTVMFFINone, 0);
  TVMFFIObject* object = ss_opaque_alloc(value, number);
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

// Takes over `number`; NULL with an error set gives -1.
static int from_int(PyObject* number, TVMFFIAny* out, SsTemps* temps) {
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

// The address that __tvm_ffi_opaque_ptr__ gives. Takes over `number`.
static int from_pointer_result(PyObject* number, TVMFFIAny* out) {
  int rc = from_pointer_number(number, out);
  Py_DECREF(number);
  return rc;
}

static int from_c_void_p(PyObject* value, TVMFFIAny* out) {
  PyObject* number = PyObject_GetAttrString(value, "value");
  return number == NULL ? -1 : from_pointer_result(number, out);
}

// The address that __cuda_stream__ gives: (version of the protocol, address). Takes over `pair`.
static int from_stream(PyObject* pair, TVMFFIAny* out) {
  PyObject* address = PySequence_GetItem(pair, 1);
  Py_DECREF(pair);
  return address == NULL ? -1 : from_pointer_result(address, out);
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

static inline int has_pointer_handlers(void) {
  return pointer_handlers != NULL && PyDict_GET_SIZE(pointer_handlers) != 0;
}

int ss_view_by_pointer_handler(PyObject* value, TVMFFIAny* out) {
  if (!has_pointer_handlers()) return 0;
  PyObject* handler = ss_dict_find(pointer_handlers, (PyObject*)Py_TYPE(value));
  if (handler == NULL) return PyErr_Occurred() ? -1 : 0;
  PyObject* address = PyObject_CallOneArg(handler, value);
  Py_DECREF(handler);
  if (address == NULL) return -1;
  return from_pointer_result(address, out) == 0 ? 1 : -1;
}

// The result of __tvm_ffi_int__, of which int() makes one. Takes it over.
static int from_int_protocol(PyObject* result, TVMFFIAny* out, SsTemps* temps) {
  PyObject* number = PyNumber_Long(result);
  Py_DECREF(result);
  return from_int(number, out, temps);
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

// Builtin types that are rare as arguments, and subclasses of all of them.
static int from_builtin(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  if (PyLong_Check(value)) return ss_view_int(value, out, temps);
  if (PyFloat_Check(value)) return ss_view_float(value, out);
  if (PyUnicode_Check(value)) return ss_view_str(value, out, temps);
  if (PyBytes_Check(value)) return ss_view_bytes(PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value), out, temps);
  if (PyExceptionInstance_Check(value)) return ss_set_temporary(out, ss_error_from_exception(value), temps);
  if (!PyByteArray_Check(value)) return from_sequence_or_dict(value, out, temps);
  // Copied: another thread may resize a bytearray during the call.
  PyObject* copy = PyBytes_FromObject(value);
  return copy == NULL ? -1 : from_protocol_value(copy, out, temps);
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

uint64_t ss_class_ways[SS_CLASS_WAYS];

// The number of times that a class was registered with an abstract one, which changes no version tag: classes noted as
// opaque can be numbers after it. -1 with an error set.
static long long abc_registrations(void) {
  static PyObject* token;  // abc.get_cache_token, called without an argument tuple where it is a function in C
  if (token == NULL) {
    PyObject* abc = PyImport_ImportModule("abc");
    token = abc == NULL ? NULL : PyObject_GetAttrString(abc, "get_cache_token");
    Py_XDECREF(abc);
    if (token == NULL) return -1;
  }
  int in_c = PyCFunction_CheckExact(token) && PyCFunction_GET_FLAGS(token) == METH_NOARGS;
  PyObject* number =
      in_c ? PyCFunction_GET_FUNCTION(token)(PyCFunction_GET_SELF(token), NULL) : PyObject_CallNoArgs(token);
  long long count = number == NULL ? -1 : PyLong_AsLongLong(number);
  Py_XDECREF(number);
  return count;
}

// The registrations at which the opaque classes were noted.
static long long noted_registrations;

// Forgets the opaque classes when there were registrations since. 0, or -1 with an error set.
static int forget_opaque(void) {
  long long now = abc_registrations();
  if (now < 0) return -1;
  if (now == __atomic_load_n(&noted_registrations, __ATOMIC_ACQUIRE)) return 0;
  for (int i = 0; i < SS_CLASS_WAYS; i++) __atomic_store_n(&ss_class_ways[i], 0, __ATOMIC_RELAXED);
  __atomic_store_n(&noted_registrations, now, __ATOMIC_RELEASE);
  return 0;
}

// Whether a value is of an abstract class of the module numbers. -1 with an error set.
static int is_number(PyObject* value, const char* abc) {
  static PyObject* numbers;
  if (numbers == NULL) numbers = PyImport_ImportModule("numbers");
  if (numbers == NULL) return -1;
  PyObject* cls = PyObject_GetAttrString(numbers, abc);
  if (cls == NULL) return -1;
  int is = PyObject_IsInstance(value, cls);
  Py_DECREF(cls);
  return is;
}

static int is_builtin(PyTypeObject* cls) {
  enum {
    BUILTIN = Py_TPFLAGS_LONG_SUBCLASS | Py_TPFLAGS_UNICODE_SUBCLASS | Py_TPFLAGS_BYTES_SUBCLASS |
              Py_TPFLAGS_LIST_SUBCLASS | Py_TPFLAGS_TUPLE_SUBCLASS | Py_TPFLAGS_DICT_SUBCLASS |
              Py_TPFLAGS_BASE_EXC_SUBCLASS
  };
  return PyType_HasFeature(cls, BUILTIN) || PyType_IsSubtype(cls, &PyFloat_Type) ||
         PyType_IsSubtype(cls, &PyByteArray_Type);
}

// The way of `value`, whose class has no table of the exchange. SS_WAY_UNKNOWN with an error set.
static SsWay way_of(PyObject* value) {
  PyTypeObject* cls = Py_TYPE(value);
  if (ss_class_has_protocol(cls, SS_PROTOCOL_OBJECT)) return SS_WAY_OBJECT;
  if (ss_class_has_protocol(cls, SS_PROTOCOL_DLPACK)) return SS_WAY_DLPACK;
  SsWay way = ss_dtype_or_device_way(cls);  // before str: dtype is a subclass of str
  if (way != SS_WAY_UNKNOWN) return way;
  if (is_builtin(cls)) return SS_WAY_BUILTIN;
  PyTypeObject* c_void_p = ss_c_void_p();
  if (c_void_p == NULL) return SS_WAY_UNKNOWN;
  if (PyType_IsSubtype(cls, c_void_p)) return SS_WAY_C_VOID_P;
  if (ss_class_has_protocol(cls, SS_PROTOCOL_OPAQUE_PTR)) return SS_WAY_OPAQUE_PTR;
  if (ss_class_has_protocol(cls, SS_PROTOCOL_STREAM)) return SS_WAY_STREAM;
  if (cls->tp_call != NULL) return SS_WAY_CALLABLE;
  if (ss_class_has_protocol(cls, SS_PROTOCOL_INT)) return SS_WAY_INT;
  if (ss_class_has_protocol(cls, SS_PROTOCOL_FLOAT)) return SS_WAY_FLOAT;
  if (ss_class_has_protocol(cls, SS_PROTOCOL_VALUE)) return SS_WAY_VALUE;
  if (ss_is_numpy_bool(value)) return SS_WAY_NUMPY_BOOL;
  int is = is_number(value, "Integral");
  if (is != 0) return is < 0 ? SS_WAY_UNKNOWN : SS_WAY_INTEGRAL;
  is = is_number(value, "Real");
  return is < 0 ? SS_WAY_UNKNOWN : is ? SS_WAY_REAL : SS_WAY_OPAQUE;
}

static int from_dlpack(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  ss_exchange_note_dlpack(Py_TYPE(value));
  ss_note_array_class(Py_TYPE(value));
  if (temps->use.lent != NULL) return ss_lend_by_dlpack(value, out, temps->use.lent, temps) > 0 ? 0 : -1;
  return ss_set_temporary(out, ss_tensor_from_dlpack(value, 0, 0), temps);
}

static int from_numpy_bool(PyObject* value, TVMFFIAny* out) {
  int truth = PyObject_IsTrue(value);
  ss_set_bits(out, kTVMFFIBool, truth == 1);
  return truth < 0 ? -1 : 0;
}

static int view_by(SsWay way, PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  PyObject* result = NULL;
  switch (way) {
    case SS_WAY_BUILTIN:
      return from_builtin(value, out, temps);
    case SS_WAY_INTEGRAL:
      return from_int(PyNumber_Index(value), out, temps);
    case SS_WAY_REAL:
      return ss_view_float(value, out);
    case SS_WAY_NUMPY_BOOL:
      return from_numpy_bool(value, out);
    case SS_WAY_CALLABLE:
      return ss_set_temporary(out, ss_function_from_callable(value), temps);
    case SS_WAY_DLPACK:
      return from_dlpack(value, out, temps);
    case SS_WAY_C_VOID_P:
      return from_c_void_p(value, out);
    case SS_WAY_OBJECT:
      result = ss_ask_protocol(value, SS_PROTOCOL_OBJECT);
      return result == NULL ? -1 : from_protocol_value(result, out, temps);
    case SS_WAY_INT:
      result = ss_ask_protocol(value, SS_PROTOCOL_INT);
      return result == NULL ? -1 : from_int_protocol(result, out, temps);
    case SS_WAY_VALUE:
      result = ss_ask_protocol(value, SS_PROTOCOL_VALUE);
      return result == NULL ? -1 : from_protocol_value(result, out, temps);
    case SS_WAY_FLOAT:
      result = ss_ask_protocol(value, SS_PROTOCOL_FLOAT);
      return result == NULL ? -1 : from_float_protocol(result, out);
    case SS_WAY_OPAQUE_PTR:
      result = ss_ask_protocol(value, SS_PROTOCOL_OPAQUE_PTR);
      return result == NULL ? -1 : from_pointer_result(result, out);
    case SS_WAY_STREAM:
      result = ss_ask_protocol(value, SS_PROTOCOL_STREAM);
      return result == NULL ? -1 : from_stream(result, out);
    case SS_WAY_OPAQUE:
      return ss_set_temporary(out, ss_opaque_new(value), temps);
    default:
      return ss_view_dtype_or_device_by(way, value, out);
  }
}

// Values of a class that is met for the first time, or that has a handler.
static __attribute__((noinline)) int view_new(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  const SsExchange* exchange;
  PyTypeObject* cls = Py_TYPE(value);
  if (!ss_class_has_protocol(cls, SS_PROTOCOL_OBJECT)) {
    int offers = ss_exchange_of(cls, &exchange);
    if (offers != 0) return offers < 0 ? -1 : from_exchange(value, exchange, out, temps);
  }
  unsigned int version = ss_version_of(cls);  // the look-up has given the class one
  SsWay way = forget_opaque() != 0 ? SS_WAY_UNKNOWN : way_of(value);
  if (way == SS_WAY_UNKNOWN) return -1;
  if (way >= SS_WAY_AFTER_HANDLERS) {
    int found = ss_view_by_pointer_handler(value, out);
    if (found != 0) return found < 0 ? -1 : 0;
  }
  ss_way_note(cls, version, way);
  return view_by(way, value, out, temps);
}

int ss_view_other(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  PyTypeObject* type = Py_TYPE(value);
  if (type == &PyList_Type || type == &PyTuple_Type || type == &PyDict_Type) {
    return from_sequence_or_dict(value, out, temps);
  }
  if (type == &PyBytes_Type) return from_builtin(value, out, temps);
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
  SsWay way = ss_way_noted(type);
  if (way == SS_WAY_OPAQUE) {
    if (forget_opaque() != 0) return -1;
    way = ss_way_noted(type);
  }
  int is_known = way != SS_WAY_UNKNOWN && (way < SS_WAY_AFTER_HANDLERS || !has_pointer_handlers());
  return is_known ? view_by(way, value, out, temps) : view_new(value, out, temps);
}
