// The conversion of a value by a schema: protocol methods, then the schema's kind; see schema.h.
#include "convert/schema.h"

#include "convert/convert.h"
#include "convert/errors.h"
#include "convert/internal.h"
#include "convert/protocols.h"
#include "convert/schema_unchanged.h"
#include "convert/to_python.h"
#include "tie/attach.h"
#include "tie/python_owner.h"

enum { MAX_PROTOCOL_STEPS = 64 };

// ---- protocol methods ----

// Whether a value of the type can have protocol methods: the types that most values have cannot.
static int may_have_protocols(PyObject* value) {
  PyTypeObject* type = Py_TYPE(value);
  return !(value == Py_None || type == &PyLong_Type || type == &PyUnicode_Type || type == &PyFloat_Type ||
           type == &PyBool_Type || type == &PyList_Type || type == &PyTuple_Type || type == &PyDict_Type ||
           type == &PyBytes_Type || type == &PyFunction_Type || ss_is_wrapper(value));
}

static int call_failed(PyObject* value, SsConversion* state) {
  if (!PyErr_ExceptionMatches(PyExc_Exception)) return SS_FAILED;
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  PyObject* described = ss_describe_type(value);
  PyObject* text = error == NULL ? NULL : PyObject_Str(error);
  int rc = described == NULL || text == NULL
               ? SS_FAILED
               : ss_mismatch_text(state, "__tvm_ffi_object__() failed for %U: %U", described, text);
  Py_XDECREF(described);
  Py_XDECREF(text);
  Py_XDECREF(type);
  Py_XDECREF(error);
  Py_XDECREF(traceback);
  return rc;
}

// A value that gives no other value by its __tvm_ffi_value__ fits no schema.
static int stalled(const SsSchema* schema, PyObject* value, SsConversion* state) {
  while (schema->kind == SS_SCHEMA_OPTIONAL) schema = schema->parts[0];
  if (schema->kind != SS_SCHEMA_ANY) return ss_mismatch(schema, value, state);
  PyObject* described = ss_describe_type(value);
  if (described == NULL) return SS_FAILED;
  int rc = ss_mismatch_text(state, "failed to convert Any from %U", described);
  Py_DECREF(described);
  return rc;
}

// Replaces *value, which is owned, by the value that its protocol methods give, until one has none.
static int follow_protocols(SsSchema* schema, PyObject** value, SsConversion* state) {
  for (int steps = 0; may_have_protocols(*value); steps++) {
    PyObject* inner = NULL;
    int found = ss_call_protocol(*value, SS_PROTOCOL_OBJECT, &inner);
    if (found < 0) return call_failed(*value, state);
    if (found == 0) {
      found = ss_call_protocol(*value, SS_PROTOCOL_VALUE, &inner);
      if (found < 0) {
        if (!PyErr_ExceptionMatches(PyExc_Exception)) return SS_FAILED;
        PyErr_Clear();
        return stalled(schema, *value, state);
      }
      if (found > 0 && inner == *value) {
        Py_DECREF(inner);
        return stalled(schema, *value, state);
      }
    }
    if (found == 0) return SS_CONVERTED;
    state->changed = 1;
    Py_SETREF(*value, inner);
    if (steps == MAX_PROTOCOL_STEPS) return ss_mismatch_text(state, "infinite __tvm_ffi_value__ cycle detected");
  }
  return SS_CONVERTED;
}

// ---- alternatives ----

static int convert_bare(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out);

static int convert_union(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  for (Py_ssize_t i = 0; i < Py_SIZE(schema); i++) {
    SsConversion attempt = {.quiet = 1};
    int rc = convert_bare(schema->parts[i], value, &attempt, out);
    if (rc == SS_CONVERTED) state->changed |= attempt.changed;
    if (rc != SS_MISMATCH) return rc;
  }
  return ss_mismatch(schema, value, state);
}

static int convert_bare(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  switch (schema->kind) {
    case SS_SCHEMA_OPTIONAL:
      if (value == Py_None) {
        ss_set_none(out);
        return SS_CONVERTED;
      }
      return ss_schema_convert(schema->parts[0], value, state, out);
    case SS_SCHEMA_UNION:
      return convert_union(schema, value, state, out);
    case SS_SCHEMA_ARRAY:
    case SS_SCHEMA_LIST:
    case SS_SCHEMA_TUPLE:
      return ss_convert_sequence(schema, value, state, out);
    case SS_SCHEMA_MAP:
    case SS_SCHEMA_DICT:
      return ss_convert_mapping(schema, value, state, out);
    case SS_SCHEMA_OBJECT:
    case SS_SCHEMA_ENUM:
      return ss_convert_object(schema, value, state, out);
    default:
      return ss_convert_scalar(schema, value, state, out);
  }
}

int ss_schema_convert(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  if (SS_LIKELY(ss_fits_unchanged(schema, value, out))) return SS_CONVERTED;
  Py_INCREF(value);
  int rc = follow_protocols(schema, &value, state);
  if (rc == SS_CONVERTED) rc = convert_bare(schema, value, state, out);
  Py_DECREF(value);
  return rc;
}

int ss_schema_to_owned(SsSchema* schema, PyObject* value, TVMFFIAny* out) {
  SsConversion state = {0};
  int rc = ss_schema_convert(schema, value, &state, out);
  if (SS_LIKELY(rc == SS_CONVERTED)) return 0;
  if (rc == SS_MISMATCH) {
    PyErr_SetObject(PyExc_TypeError, state.message);
    Py_XDECREF(state.message);
  }
  return -1;
}

// ---- values that come from native code ----

static int sequence_fits(const SsSchema* schema, const TVMFFIObject* sequence) {
  if (schema->bare || Py_SIZE(schema) == 0) return schema->kind != SS_SCHEMA_TUPLE || schema->bare;
  const TVMFFISeqCell* cell = SS_CELL(TVMFFISeqCell, sequence);
  const TVMFFIAny* items = cell->data;
  if (schema->kind == SS_SCHEMA_TUPLE && cell->size != Py_SIZE(schema)) return 0;
  for (int64_t i = 0; i < cell->size; i++) {
    if (!ss_schema_fits(schema->parts[schema->kind == SS_SCHEMA_TUPLE ? i : 0], &items[i])) return 0;
  }
  return 1;
}

int ss_schema_fits(const SsSchema* schema, const TVMFFIAny* value) {
  int32_t index = value->type_index;
  switch (schema->kind) {
    case SS_SCHEMA_ANY:
      return index != kTVMFFIRawStr && index != kTVMFFIByteArrayPtr && index != kTVMFFIObjectRValueRef;
    case SS_SCHEMA_NONE:
      return index == kTVMFFINone;
    case SS_SCHEMA_INT:
      return index == kTVMFFIInt;
    case SS_SCHEMA_FLOAT:
      return index == kTVMFFIFloat;
    case SS_SCHEMA_BOOL:
      return index == kTVMFFIBool;
    case SS_SCHEMA_STR:
      return index == kTVMFFISmallStr || index == kTVMFFIStr;
    case SS_SCHEMA_BYTES:
      return index == kTVMFFISmallBytes || index == kTVMFFIBytes;
    case SS_SCHEMA_DEVICE:
      return index == kTVMFFIDevice;
    case SS_SCHEMA_DTYPE:
      return index == kTVMFFIDataType;
    case SS_SCHEMA_POINTER:
      return index == kTVMFFIOpaquePtr;
    case SS_SCHEMA_TENSOR:
      return index == kTVMFFITensor;
    case SS_SCHEMA_CALLABLE:
      return index == kTVMFFIFunction;
    case SS_SCHEMA_ARRAY:
    case SS_SCHEMA_TUPLE:
      return index == kTVMFFIArray && sequence_fits(schema, value->v_obj);
    case SS_SCHEMA_LIST:
      return index == kTVMFFIList && sequence_fits(schema, value->v_obj);
    case SS_SCHEMA_MAP:
      return index == kTVMFFIMap && Py_SIZE(schema) == 0;
    case SS_SCHEMA_DICT:
      return index == kTVMFFIDict && Py_SIZE(schema) == 0;
    case SS_SCHEMA_OBJECT:
    case SS_SCHEMA_ENUM:
      return index >= kTVMFFIStaticObjectBegin && ss_type_derives(index, schema->type_index);
    case SS_SCHEMA_OPTIONAL:
      return index == kTVMFFINone || ss_schema_fits(schema->parts[0], value);
    case SS_SCHEMA_UNION:
      for (Py_ssize_t i = 0; i < Py_SIZE(schema); i++) {
        if (ss_schema_fits(schema->parts[i], value)) return 1;
      }
      return 0;
    case SS_SCHEMA_KINDS:
      break;
  }
  return 0;
}

static int convert_attached(SsSchema* schema, const TVMFFIAny* value, TVMFFIAny* result) {
  PyObject* python = ss_value_from_view(value);
  int rc = python == NULL ? -1 : ss_schema_to_owned(schema, python, result);
  Py_XDECREF(python);
  if (rc != 0) ss_raise_to_native();
  return rc;
}

int ss_schema_convert_native(void* schema, const TVMFFIAny* value, TVMFFIAny* result) {
  if (ss_schema_fits(schema, value)) {
    if (value->type_index >= kTVMFFIStaticObjectBegin) ss_incref(value->v_obj);
    *result = *value;
    return 0;
  }
  SsAttachment attachment;
  ss_attachment_begin(&attachment);
  if (attachment.how == SS_ATTACH_REFUSED || attachment.how == SS_ATTACH_NO_MEMORY) {
    ss_api.TVMFFIErrorSetRaisedFromCStr("RuntimeError",
                                        "field setter: the Python interpreter takes no more calls on this thread");
    return -1;
  }
  PyObject *type = NULL, *error = NULL, *traceback = NULL;
  if (attachment.how == SS_ATTACHED_BEFORE) PyErr_Fetch(&type, &error, &traceback);
  int rc = convert_attached(schema, value, result);
  if (attachment.how == SS_ATTACHED_BEFORE) PyErr_Restore(type, error, traceback);
  ss_attachment_end(&attachment);
  return rc;
}
