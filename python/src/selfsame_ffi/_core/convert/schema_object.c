// Objects by schema: an object of the type, the member of an enum for its payload, or what the type's own
// __ffi_convert__ makes of a value.
#include "convert/convert.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "convert/schema.h"

// The type's __ffi_convert__. Borrowed from the type table; NULL when it has none.
static TVMFFIObject* converter_of(int32_t type_index) {
  TVMFFIByteArray name = ss_bytes("__ffi_convert__");
  const TVMFFITypeAttrColumn* column = ss_api.TVMFFIGetTypeAttrColumn(&name);
  if (column == NULL) return NULL;
  int64_t i = (int64_t)type_index - column->begin_index;
  if (i < 0 || i >= column->size || column->data[i].type_index != kTVMFFIFunction) return NULL;
  return column->data[i].v_obj;
}

static int is_of_type(const SsSchema* schema, const TVMFFIAny* value) {
  return value->type_index >= kTVMFFIStaticObjectBegin && ss_type_derives(value->type_index, schema->type_index);
}

// What the type's own conversion says stands below the message, indented.
static PyObject* below(PyObject* message, PyObject* reason) {
  PyObject* indented = PyObject_CallMethod(reason, "replace", "ss", "\n", "\n    ");
  if (indented == NULL) return NULL;
  PyObject* whole = PyUnicode_FromFormat("%U\n  __ffi_convert__ failed:\n    %U", message, indented);
  Py_DECREF(indented);
  return whole;
}

static int conversion_error(const SsSchema* schema, PyObject* value, SsConversion* state) {
  if (!PyErr_ExceptionMatches(PyExc_Exception)) return SS_FAILED;
  return ss_mismatch_explained(schema, value, state, below);
}

static int by_own_conversion(const SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  TVMFFIAny packed;
  int rc = ss_schema_pack(schema, value, state, &packed);
  if (rc != SS_CONVERTED) return rc;
  TVMFFIObject* converter = converter_of(schema->type_index);
  if (converter != NULL) {
    TVMFFIAny result = {.type_index = kTVMFFINone};
    int called = ss_invoke(converter, 0, &packed, 1, &result);
    PyObject *type, *error, *traceback;
    PyErr_Fetch(&type, &error, &traceback);
    ss_any_clear(&packed);
    PyErr_Restore(type, error, traceback);
    if (called != 0) return conversion_error(schema, value, state);
    packed = result;
  }
  if (is_of_type(schema, &packed)) {
    *out = packed;
    return SS_CONVERTED;
  }
  ss_any_clear(&packed);
  return ss_mismatch(schema, value, state);
}

// The enum's member for a payload: SS_CONVERTED, or SS_MISMATCH without a message when there is none.
static int by_payload(const SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  PyObject* member = PyObject_CallOneArg(schema->helper, value);
  if (member == NULL) return ss_mismatch_from_error(schema, value, state);
  int rc = SS_MISMATCH;
  if (member != Py_None) rc = ss_to_owned(member, out) == 0 ? SS_CONVERTED : SS_FAILED;
  Py_DECREF(member);
  return rc;
}

int ss_convert_object(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  if (ss_is_wrapper(value)) {
    TVMFFIObject* native = ss_pin(ss_wrapper(value));
    if (native != NULL) {
      int fits = ss_type_derives(native->type_index, schema->type_index);
      if (fits) {
        ss_incref(native);
        ss_set_object(out, native);
      }
      ss_unpin(ss_wrapper(value));
      if (fits) return SS_CONVERTED;
    }
  }
  state->changed = 1;
  if (schema->kind == SS_SCHEMA_ENUM && schema->helper != NULL) {
    int rc = by_payload(schema, value, state, out);
    if (rc != SS_MISMATCH || state->message != NULL) return rc;
  }
  return by_own_conversion(schema, value, state, out);
}
