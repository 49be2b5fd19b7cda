// Protocol methods: special methods by which a Python class defines what its instances are for native code.
#ifndef SELFSAME_CORE_CONVERT_PROTOCOLS_H_
#define SELFSAME_CORE_CONVERT_PROTOCOLS_H_

#include "tie/core.h"

typedef enum {
  SS_PROTOCOL_OBJECT,         // __tvm_ffi_object__
  SS_PROTOCOL_OPAQUE_PTR,     // __tvm_ffi_opaque_ptr__
  SS_PROTOCOL_STREAM,         // __cuda_stream__
  SS_PROTOCOL_INT,            // __tvm_ffi_int__
  SS_PROTOCOL_FLOAT,          // __tvm_ffi_float__
  SS_PROTOCOL_VALUE,          // __tvm_ffi_value__
  SS_PROTOCOL_DLPACK,         // __dlpack__
  SS_PROTOCOL_DLPACK_TYPE,    // __dlpack_data_type__
  SS_PROTOCOL_DLPACK_DEVICE,  // __dlpack_device__
  SS_PROTOCOL_COUNT,
} SsProtocol;

// Whether a class, or the class of `value`, has the method. Sets no error.
SS_HIDDEN int ss_class_has_protocol(PyTypeObject* cls, SsProtocol protocol);
static inline int ss_has_protocol(PyObject* value, SsProtocol protocol) {
  return ss_class_has_protocol(Py_TYPE(value), protocol);
}

// Calls the method without arguments. 1: *out is its result, a new reference; 0: the class has no such method; -1 with
// an error set.
SS_HIDDEN int ss_call_protocol(PyObject* value, SsProtocol protocol, PyObject** out);

// Calls the method, which the class had when it was looked for. New reference, NULL with an error set: also when another
// thread has taken the method away.
SS_HIDDEN PyObject* ss_ask_protocol(PyObject* value, SsProtocol protocol);

#endif  // SELFSAME_CORE_CONVERT_PROTOCOLS_H_
