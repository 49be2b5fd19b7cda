// The pieces conversions are made of; see convert.h.
#ifndef SELFSAME_PY_CONVERT_INTERNAL_H_
#define SELFSAME_PY_CONVERT_INTERNAL_H_

#include "convert/builtin.h"
#include "convert/convert.h"
#include "convert/function.h"

// The view of a wrapper's native, pinned for the call. 0, or -1 with an error set.
static inline int ss_view_wrapper(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  TVMFFIObject* handle = ss_pin(ss_wrapper(value));
  if (SS_UNLIKELY(handle == NULL)) {
    ss_no_handle(value);
    return -1;
  }
  temps->wrappers = 1;
  ss_set_object(out, handle);
  return 0;
}

// The view of an object made for this call, whose reference the temporaries take over. -1 for NULL: an error is set.
static inline int ss_set_temporary(TVMFFIAny* out, TVMFFIObject* object, SsTemps* temps) {
  if (object == NULL) return -1;
  SsTemp* temp = &temps->items[temps->used++];
  temp->owned = object;
  temp->source = NULL;
  ss_set_object(out, object);
  return 0;
}

// Builtin types and their subclasses. 0, or -1 with an error set.
SS_HIDDEN int ss_view_int(PyObject* value, TVMFFIAny* out);
SS_HIDDEN int ss_view_float(PyObject* value, TVMFFIAny* out);
SS_HIDDEN int ss_view_str(PyObject* value, TVMFFIAny* out, SsTemps* temps);
SS_HIDDEN int ss_view_bytes(const char* data, Py_ssize_t size, TVMFFIAny* out, SsTemps* temps);

// Everything that is no wrapper and not of an exact builtin type.
SS_HIDDEN int ss_view_other(PyObject* value, TVMFFIAny* out, SsTemps* temps);

// An opaque object that keeps `value`. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_opaque_new(PyObject* value);

// Methods by which a class says what its instances are to native code.
typedef enum {
  SS_PROTOCOL_OBJECT,         // __tvm_ffi_object__
  SS_PROTOCOL_OPAQUE_PTR,     // __tvm_ffi_opaque_ptr__
  SS_PROTOCOL_INT,            // __tvm_ffi_int__
  SS_PROTOCOL_FLOAT,          // __tvm_ffi_float__
  SS_PROTOCOL_VALUE,          // __tvm_ffi_value__
  SS_PROTOCOL_DLPACK,         // __dlpack__
  SS_PROTOCOL_DLPACK_TYPE,    // __dlpack_data_type__
  SS_PROTOCOL_DLPACK_DEVICE,  // __dlpack_device__
  SS_PROTOCOL_COUNT,
} SsProtocol;

// Whether the class of `value` has the method.
SS_HIDDEN int ss_has_protocol(PyObject* value, SsProtocol protocol);

// Calls the method, without arguments. 1 *out is its result (new reference), 0 the class has no such method, -1 with an
// error set.
SS_HIDDEN int ss_call_protocol(PyObject* value, SsProtocol protocol, PyObject** out);

// A new Map or Dict (`maker` says which) of a mapping's entries, an iterable's pairs, or none for NULL. New reference,
// NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_map_from_mapping(PyObject* source, SsBuiltin maker);

#endif  // SELFSAME_PY_CONVERT_INTERNAL_H_
