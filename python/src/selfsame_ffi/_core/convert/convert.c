// Python values to native values: wrappers and builtin types, and the release of temporaries. other_values.c converts
// all other types.
#include "convert/convert.h"

#include "wrapper/classes.h"
#include "convert/internal.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "convert/move.h"
#include "wrapper/fetch.h"
#include "convert/text.h"
#include "convert/to_python.h"

// ss_prefix_error for the error of a str that is not UTF-8, whose message has the reason at its end. Clears an error of
// its own.
static void prefix_reason(PyObject* error, PyObject* prefix) {
  PyObject* reason = PyUnicodeEncodeError_GetReason(error);
  int is_codec = reason != NULL && PyUnicode_CompareWithASCIIString(reason, "surrogates not allowed") == 0;
  PyObject* text = NULL;
  if (reason != NULL)
    text = PyUnicode_FromFormat("%U%V", prefix, is_codec ? NULL : reason, "expected a str without lone surrogates");
  const char* bytes = text == NULL ? NULL : PyUnicode_AsUTF8(text);
  if (bytes == NULL || PyUnicodeEncodeError_SetReason(error, bytes) != 0) PyErr_Clear();
  Py_XDECREF(reason);
  Py_XDECREF(text);
}

void ss_prefix_error(const char* format, ...) {
  PyObject* raised = PyErr_Occurred();
  int encoding = raised == PyExc_UnicodeEncodeError;
  if (raised != PyExc_TypeError && raised != PyExc_ValueError && raised != PyExc_OverflowError &&
      raised != PyExc_BufferError && !encoding) {
    return;
  }
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  va_list rest;
  va_start(rest, format);
  PyObject* prefix = PyUnicode_FromFormatV(format, rest);
  va_end(rest);
  if (encoding) {
    if (prefix == NULL) {
      PyErr_Clear();
    } else {
      prefix_reason(value, prefix);
      Py_DECREF(prefix);
    }
    PyErr_Restore(type, value, traceback);
    return;
  }
  PyObject* text = prefix == NULL ? NULL : PyUnicode_FromFormat("%U%S", prefix, value);
  PyObject* args = text == NULL ? NULL : PyTuple_Pack(1, text);
  if (args == NULL || PyObject_SetAttrString(value, "args", args) != 0) PyErr_Clear();
  Py_XDECREF(prefix);
  Py_XDECREF(text);
  Py_XDECREF(args);
  PyErr_Restore(type, value, traceback);
}

PyObject* ss_repr_for_error(PyObject* value) {
  PyErr_Clear();
  PyObject* text = PyObject_Repr(value);
  if (text == NULL) PyErr_Clear();
  return text;
}

int ss_no_native_value(void) {
  if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return 0;
  PyErr_Clear();
  return 1;
}

static __attribute__((noinline)) int view_big_int(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  TVMFFIAny made;
  if (ss_big_int_make(value, &made) != 0) return -1;
  return ss_set_temporary(out, made.v_obj, temps);
}

int ss_view_int(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  int overflow = 0;
  long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (SS_UNLIKELY(overflow != 0)) return view_big_int(value, out, temps);
  if (SS_UNLIKELY(number == -1 && PyErr_Occurred())) return -1;
  ss_set_bits(out, kTVMFFIInt, number);
  return 0;
}

int ss_view_int64(PyObject* value, TVMFFIAny* out) {
  int overflow = 0;
  long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (SS_UNLIKELY(overflow != 0)) {
    PyObject* text = ss_repr_for_error(value);
    PyErr_Format(PyExc_OverflowError, "expected an int of 64 bits (-2**63 to 2**63 - 1), got %V", text,
                 "one that cannot be printed");
    Py_XDECREF(text);
    return -1;
  }
  if (SS_UNLIKELY(number == -1 && PyErr_Occurred())) return -1;
  ss_set_bits(out, kTVMFFIInt, number);
  return 0;
}

int ss_view_float(PyObject* value, TVMFFIAny* out) {
  double number = PyFloat_AsDouble(value);
  if (number == -1.0 && PyErr_Occurred()) return -1;
  ss_set_bits(out, kTVMFFIFloat, 0);
  out->v_float64 = number;
  return 0;
}

int ss_view_str(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  Py_ssize_t size;
  const char* data = PyUnicode_AsUTF8AndSize(value, &size);
  if (data == NULL) return -1;
  if (size <= SS_SMALL_MAX || memchr(data, 0, (size_t)size) == NULL) {
    ss_set_text(out, data, (size_t)size);
    return 0;
  }
  TVMFFIByteArray bytes = {data, (size_t)size};
  TVMFFIAny owned;
  if (ss_api.TVMFFIStringFromByteArray(&bytes, &owned) != 0) return ss_raise_native();
  return ss_set_temporary(out, owned.v_obj, temps);
}

int ss_view_bytes(const char* data, Py_ssize_t size, TVMFFIAny* out, SsTemps* temps) {
  SsTemp* temp = &temps->items[temps->used];
  temp->owned = NULL;
  temp->source = NULL;
  temp->bytes = (TVMFFIByteArray){data, (size_t)size};
  ss_set_byte_array(out, &temp->bytes);
  if (size > SS_SMALL_MAX) temps->used++;
  return 0;
}

// A view of an rvalue reference: the address of a reference that the callee may take. See move.h.
static int from_rvalue(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  SsWrapper* wrapper = ss_rvalue_take(value);
  if (wrapper == NULL) return -1;
  TVMFFIObject* handle = ss_pin(wrapper);
  if (handle == NULL) {
    ss_no_handle((PyObject*)wrapper);
    Py_DECREF((PyObject*)wrapper);
    return -1;
  }
  SsTemp* temp = &temps->items[temps->used++];
  temp->owned = handle;
  temp->source = NULL;
  ss_set_bits(out, kTVMFFIObjectRValueRef, 0);
  out->v_ptr = &temp->owned;
  if (ss_take_handle(wrapper, handle)) {
    temp->source = wrapper;
    return 0;
  }
  // The callee takes a further reference. A share is the one that the wrapper of the name would have had, which is moved.
  if (!ss_give_share(wrapper)) ss_incref(handle);
  ss_unpin(wrapper);
  Py_DECREF((PyObject*)wrapper);  // where no name refers to it, native code counts nothing for Python
  return 0;
}

int ss_to_view(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  PyTypeObject* type = Py_TYPE(value);
  if (type->tp_dealloc == ss_dealloc_heap || type->tp_dealloc == ss_dealloc_static ||
      type->tp_finalize == ss_finalize) {
    return ss_view_wrapper(value, out, temps);
  }
  if (type == &PyLong_Type) return ss_view_int(value, out, temps);
  if (type == &PyUnicode_Type) return ss_view_str(value, out, temps);
  if (type == &PyFloat_Type) {
    ss_set_bits(out, kTVMFFIFloat, 0);
    out->v_float64 = PyFloat_AS_DOUBLE(value);
    return 0;
  }
  if (value == Py_None) {
    ss_set_bits(out, kTVMFFINone, 0);
    return 0;
  }
  if (type == &PyBool_Type) {
    ss_set_bits(out, kTVMFFIBool, value == Py_True);
    return 0;
  }
  if (type == &SsString_Type) return ss_view_string(value, out, temps);
  if (type == &SsBytes_Type) return ss_view_bytes_value(value, out, temps);
  if (PyObject_TypeCheck(value, &SsObject_Type)) return ss_view_wrapper(value, out, temps);
  if (type == &SsRValueRef_Type) return from_rvalue(value, out, temps);
  return ss_view_other(value, out, temps);
}

static void release_temp(SsTemp* temp) {
  if (temp->source == NULL) {
    ss_xdecref(temp->owned);
    return;
  }
  if (temp->source->handle != NULL) {
    // The wrapper has a new handle: only release a reference that the callee did not take.
    ss_xdecref(temp->owned);
  } else if (temp->owned != NULL && ss_construct(temp->source, temp->owned) != 0) {
    // The callee did not take the object, but the object got another wrapper during the call: this one stays moved.
    PyErr_Clear();
  }
  Py_DECREF((PyObject*)temp->source);
}

void ss_views_done_slow(SsTemps* temps, PyObject* const* values, Py_ssize_t count) {
  if (temps->used != 0) {
    // A release may run Python code, which must not see or replace the error of the call.
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    for (int32_t i = 0; i < temps->used; i++) release_temp(&temps->items[i]);
    PyErr_Restore(type, value, traceback);
    temps->used = 0;
  }
  for (Py_ssize_t i = 0; temps->wrappers && i < count; i++) {
    if (!ss_is_wrapper(values[i])) continue;
    ss_unpin(ss_wrapper(values[i]));
  }
}

int ss_to_owned_using(PyObject* value, TVMFFIAny* out, SsExchangeUse* use) {
  SsTemp item;
  SsTemps temps = {.items = &item};
  TVMFFIAny view;
  if (ss_to_view(value, &view, &temps) != 0) return -1;
  if (SS_UNLIKELY(use != NULL && temps.use.results != NULL)) ss_exchange_use_inside(use, &temps.use);
  int rc = 0;
  if (view.type_index >= kTVMFFIStaticObjectBegin) {
    ss_incref(view.v_obj);
    *out = view;
  } else if (view.type_index == kTVMFFIObjectRValueRef) {
    ss_set_object(out, item.owned);
    item.owned = NULL;
  } else if (view.type_index != kTVMFFIRawStr && view.type_index != kTVMFFIByteArrayPtr) {
    *out = view;
  } else if (ss_api.TVMFFIAnyViewToOwnedAny(&view, out) != 0) {
    rc = ss_raise_native();
  }
  ss_views_done(&temps, &value, 1);
  return rc;
}

PyObject* ss_convert(PyObject* value) {
  if (ss_is_wrapper(value) || value == Py_None || PyLong_Check(value) || PyFloat_Check(value) ||
      Py_TYPE(value) == &SsShape_Type) {
    return ss_new_ref(value);
  }
  if (PyUnicode_Check(value) || PyBytes_Check(value)) return ss_text_convert(value);
  if (PyByteArray_Check(value)) {
    PyObject* copy = PyBytes_FromObject(value);
    PyObject* made = copy == NULL ? NULL : ss_text_convert(copy);
    Py_XDECREF(copy);
    return made;
  }
  TVMFFIAny owned;
  return ss_to_owned(value, &owned) == 0 ? ss_value_take(&owned) : NULL;
}
