// The steps of ss_to_view that several files of convert/ use; see convert.h.
#ifndef SELFSAME_CORE_CONVERT_INTERNAL_H_
#define SELFSAME_CORE_CONVERT_INTERNAL_H_

#include <Python.h>
#if PY_VERSION_HEX < 0x030B0000
#include <longintrepr.h>
#endif

#include "convert/convert.h"
#include "convert/function.h"

// A view of a wrapper's native object. Pins the wrapper until ss_views_done. 0, or -1 with an error set.
static inline int ss_view_wrapper(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  TVMFFIObject* handle = ss_pin(ss_wrapper(value));
  if (SS_UNLIKELY(handle == NULL)) {
    ss_no_handle(value);
    return -1;
  }
  temps->wrappers = 1;
  ss_trim_shares(ss_wrapper(value), handle);
  ss_set_object(out, handle);
  return 0;
}

// A view of an object that was made for this call. The temporaries take over its reference. 0; -1 when `object` is
// NULL, and then an error is set.
static inline int ss_set_temporary(TVMFFIAny* out, TVMFFIObject* object, SsTemps* temps) {
  if (object == NULL) return -1;
  SsTemp* temp = &temps->items[temps->used++];
  temp->owned = object;
  temp->source = NULL;
  ss_set_object(out, object);
  return 0;
}

enum { SS_SMALL_MAX = 7 };  // bytes of text that fit into a value

static inline void ss_set_small(TVMFFIAny* out, int32_t index, const char* data, size_t size) {
  out->type_index = index;
  out->small_str_len = (uint32_t)size;
  out->v_uint64 = 0;
  memcpy(out->v_bytes, data, size);
}

// A view of text, which must have a terminating zero, and no other when it is longer than SS_SMALL_MAX. Borrows `data`.
static inline void ss_set_text(TVMFFIAny* out, const char* data, size_t size) {
  if (size <= SS_SMALL_MAX) {
    ss_set_small(out, kTVMFFISmallStr, data, size);
  } else {
    out->type_index = kTVMFFIRawStr;
    out->zero_padding = 0;
    out->v_c_str = data;
  }
}

// A view of bytes. Borrows `bytes` and what it names when they do not fit into the value.
static inline void ss_set_byte_array(TVMFFIAny* out, TVMFFIByteArray* bytes) {
  if (bytes->size <= SS_SMALL_MAX) {
    ss_set_small(out, kTVMFFISmallBytes, bytes->data, bytes->size);
  } else {
    out->type_index = kTVMFFIByteArrayPtr;
    out->zero_padding = 0;
    out->v_ptr = bytes;
  }
}

// Whether a value is a truth value of NumPy, which is neither an int nor a bool of Python. Its class has the first name
// from NumPy 2 on.
static inline int ss_is_numpy_bool(PyObject* value) {
  const char* name = Py_TYPE(value)->tp_name;
  return strcmp(name, "numpy.bool") == 0 || strcmp(name, "numpy.bool_") == 0;
}

// The value of an int with one digit, without a call: nearly every int of a list has one. 1: *out is set; 0: the int has more.
static inline int ss_short_int(PyObject* value, int64_t* out) {
#if PY_VERSION_HEX >= 0x030C0000
  if (!PyUnstable_Long_IsCompact((PyLongObject*)value)) return 0;
  *out = PyUnstable_Long_CompactValue((PyLongObject*)value);
#else
  Py_ssize_t size = Py_SIZE(value);
  if (size < -1 || size > 1) return 0;
  *out = size == 0 ? 0 : size * (int64_t)((PyLongObject*)value)->ob_digit[0];
#endif
  return 1;
}

// A view of an int or a float, exactly of these types. 1: *out is set; 0: the value is neither, or needs more than 64
// bits. Runs no Python code, sets no error.
static inline __attribute__((always_inline)) int ss_view_number(PyObject* value, TVMFFIAny* out) {
  if (PyLong_CheckExact(value)) {
    int64_t number;
    int overflow = 0;
    if (SS_UNLIKELY(!ss_short_int(value, &number))) number = PyLong_AsLongLongAndOverflow(value, &overflow);
    ss_set_bits(out, kTVMFFIInt, number);
    return overflow == 0;
  }
  if (!PyFloat_CheckExact(value)) return 0;
  ss_set_bits(out, kTVMFFIFloat, 0);
  out->v_float64 = PyFloat_AS_DOUBLE(value);
  return 1;
}

// Whether a value is exactly of one of the types of ss_view_plain. A value of such a type may still need the general way.
static inline int ss_is_scalar(PyObject* value) {
  PyTypeObject* type = Py_TYPE(value);
  return type == &PyLong_Type || type == &PyFloat_Type || type == &PyUnicode_Type || type == &PyBytes_Type ||
         value == Py_None || type == &PyBool_Type;
}

// A view of a scalar: an int, float, str, bytes, bool or None, exactly of these types. `bytes` is memory for the view
// of bytes. 1: *out is set, valid while `value` lives; 0: the value is none of these, or needs the general way. Runs no
// Python code, sets no error, takes no reference.
static inline __attribute__((always_inline)) int ss_view_plain(PyObject* value, TVMFFIAny* out,
                                                               TVMFFIByteArray* bytes) {
  PyTypeObject* type = Py_TYPE(value);
  if (type == &PyLong_Type || type == &PyFloat_Type) return ss_view_number(value, out);
  if (type == &PyUnicode_Type) {
    Py_ssize_t size;
    const char* text = PyUnicode_AsUTF8AndSize(value, &size);
    if (SS_UNLIKELY(text == NULL)) {
      PyErr_Clear();  // the general way says it again, and where the value was
      return 0;
    }
    if (SS_UNLIKELY(size > SS_SMALL_MAX && memchr(text, 0, (size_t)size) != NULL)) return 0;
    ss_set_text(out, text, (size_t)size);
    return 1;
  }
  if (type == &PyBytes_Type) {
    *bytes = (TVMFFIByteArray){PyBytes_AS_STRING(value), (size_t)PyBytes_GET_SIZE(value)};
    ss_set_byte_array(out, bytes);
    return 1;
  }
  if (value == Py_None) {
    ss_set_bits(out, kTVMFFINone, 0);
    return 1;
  }
  ss_set_bits(out, kTVMFFIBool, value == Py_True);
  return type == &PyBool_Type;
}

// Builtin types and their subclasses. 0, or -1 with an error set.
SS_HIDDEN int ss_view_int(PyObject* value, TVMFFIAny* out, SsTemps* temps);
SS_HIDDEN int ss_view_float(PyObject* value, TVMFFIAny* out);
SS_HIDDEN int ss_view_str(PyObject* value, TVMFFIAny* out, SsTemps* temps);
SS_HIDDEN int ss_view_bytes(const char* data, Py_ssize_t size, TVMFFIAny* out, SsTemps* temps);

// A view of an int that must fit into 64 bits. 0, or -1 with OverflowError set.
SS_HIDDEN int ss_view_int64(PyObject* value, TVMFFIAny* out);

// Values of all other types (other_values.c): not a wrapper, and not exactly of a type that ss_to_view handles itself.
SS_HIDDEN int ss_view_other(PyObject* value, TVMFFIAny* out, SsTemps* temps);

#endif  // SELFSAME_CORE_CONVERT_INTERNAL_H_
