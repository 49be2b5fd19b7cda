// Protocol methods; see protocols.h.
#include "convert/protocols.h"

#include "convert/recursion.h"

// The interned name of a protocol's method. Borrowed, NULL with an error set.
static PyObject* name_of(SsProtocol protocol) {
  static const char* const texts[SS_PROTOCOL_COUNT] = {
      [SS_PROTOCOL_OBJECT] = "__tvm_ffi_object__",
      [SS_PROTOCOL_OPAQUE_PTR] = "__tvm_ffi_opaque_ptr__",
      [SS_PROTOCOL_STREAM] = "__cuda_stream__",
      [SS_PROTOCOL_INT] = "__tvm_ffi_int__",
      [SS_PROTOCOL_FLOAT] = "__tvm_ffi_float__",
      [SS_PROTOCOL_VALUE] = "__tvm_ffi_value__",
      [SS_PROTOCOL_DLPACK] = "__dlpack__",
      [SS_PROTOCOL_DLPACK_TYPE] = "__dlpack_data_type__",
      [SS_PROTOCOL_DLPACK_DEVICE] = "__dlpack_device__",
  };
  static PyObject* names[SS_PROTOCOL_COUNT];
  if (SS_UNLIKELY(names[protocol] == NULL)) names[protocol] = PyUnicode_InternFromString(texts[protocol]);
  return names[protocol];
}

int ss_class_has_protocol(PyTypeObject* cls, SsProtocol protocol) {
  PyObject* name = name_of(protocol);
  if (name == NULL) PyErr_Clear();
  return name != NULL && _PyType_Lookup(cls, name) != NULL;
}

int ss_call_protocol(PyObject* value, SsProtocol protocol, PyObject** out) {
  PyObject* name = name_of(protocol);
  if (name == NULL) return -1;
  // Looks at the class only, and sets no AttributeError in the usual case that there is no such method.
  if (SS_LIKELY(_PyType_Lookup(Py_TYPE(value), name) == NULL)) return 0;
  if (ss_enter_recursion(" while a value is asked for its native form") != 0) return -1;
  *out = PyObject_CallMethodNoArgs(value, name);
  ss_leave_recursion();
  return *out == NULL ? -1 : 1;
}

PyObject* ss_ask_protocol(PyObject* value, SsProtocol protocol) {
  PyObject* result = NULL;
  if (ss_call_protocol(value, protocol, &result) == 0) {
    PyErr_Format(PyExc_TypeError, "%.100s lost a protocol method during its conversion", Py_TYPE(value)->tp_name);
  }
  return result;
}
