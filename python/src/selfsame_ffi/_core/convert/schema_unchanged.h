// The values that fit a schema as they are: most of those that fields and elements get.
#ifndef SELFSAME_CORE_CONVERT_SCHEMA_UNCHANGED_H_
#define SELFSAME_CORE_CONVERT_SCHEMA_UNCHANGED_H_

#include "convert/internal.h"
#include "convert/schema.h"

// An owned text. 0: it needs the general way, which also says why there is no memory.
static inline int ss_owned_text(PyObject* value, TVMFFIAny* out) {
  Py_ssize_t size;
  const char* text = PyUnicode_AsUTF8AndSize(value, &size);
  if (SS_UNLIKELY(text == NULL)) {
    PyErr_Clear();  // the general way says it again, and where the value was
    return 0;
  }
  if (size <= SS_SMALL_MAX) {
    ss_set_small(out, kTVMFFISmallStr, text, (size_t)size);
    return 1;
  }
  TVMFFIByteArray bytes = {text, (size_t)size};
  return ss_api.TVMFFIStringFromByteArray(&bytes, out) == 0;
}

// An owned reference to the native object of a wrapper that the schema takes: of any type, or of that which it names. 0: the
// value is no such wrapper.
static inline int ss_owned_object(const SsSchema* schema, PyObject* value, TVMFFIAny* out) {
  PyTypeObject* type = Py_TYPE(value);
  if (type->tp_dealloc != ss_dealloc_heap && type->tp_finalize != ss_finalize) return 0;
  TVMFFIObject* native = ss_pin(ss_wrapper(value));
  if (SS_UNLIKELY(native == NULL)) return 0;
  int fits = schema->kind == SS_SCHEMA_ANY || native->type_index == schema->type_index;
  if (SS_LIKELY(fits)) {
    ss_trim_shares(ss_wrapper(value), native);
    ss_incref(native);
    ss_set_object(out, native);
  }
  ss_unpin(ss_wrapper(value));
  return fits;
}

// Whether a value fits the schema as it is: a number, bool, None or text, exactly of Python's type, or a wrapper. Fills *out,
// which is owned. Runs no Python code, sets no error.
static inline __attribute__((always_inline)) int ss_fits_unchanged(const SsSchema* schema, PyObject* value,
                                                                   TVMFFIAny* out) {
  if (value == Py_None) {
    ss_set_none(out);
    return schema->kind == SS_SCHEMA_ANY || schema->kind == SS_SCHEMA_OPTIONAL || schema->kind == SS_SCHEMA_NONE;
  }
  if (schema->kind == SS_SCHEMA_OPTIONAL) schema = schema->parts[0];
  switch (schema->kind) {
    case SS_SCHEMA_INT:
      return PyLong_CheckExact(value) && ss_view_number(value, out);
    case SS_SCHEMA_FLOAT:
      return PyFloat_CheckExact(value) && ss_view_number(value, out);
    case SS_SCHEMA_BOOL:
      ss_set_bits(out, kTVMFFIBool, value == Py_True);
      return PyBool_Check(value);
    case SS_SCHEMA_STR:
      return PyUnicode_CheckExact(value) && ss_owned_text(value, out);
    case SS_SCHEMA_OBJECT:
      return ss_owned_object(schema, value, out);
    case SS_SCHEMA_ANY:
      if (PyLong_CheckExact(value) || PyFloat_CheckExact(value)) return ss_view_number(value, out);
      if (PyUnicode_CheckExact(value)) return ss_owned_text(value, out);
      ss_set_bits(out, kTVMFFIBool, value == Py_True);
      return PyBool_Check(value) || ss_owned_object(schema, value, out);
    default:
      return 0;
  }
}

#endif  // SELFSAME_CORE_CONVERT_SCHEMA_UNCHANGED_H_
