// Python exceptions to native Errors and back.
//
// An exception that a callback raises becomes an Error whose extra_context is an opaque object that owns the exception,
// so that the caller gets the same exception object. An Error that began in native code becomes an exception with the
// Error's wrapper as __tvm_ffi_error__. An exception never refers to an Error that owns it, so there is no cycle.
#include "convert/errors.h"

#include "convert/backtrace.h"
#include "tie/python_owner.h"
#include "wrapper/fetch.h"
#include "convert/to_python.h"

static PyObject* kind_to_class;
static PyObject* class_to_kind;

enum { MAX_CAUSES = 64 };  // the causes after that many are left out

int ss_errors_set_tables(PyObject* kinds, PyObject* classes) {
  if (!PyDict_Check(kinds) || !PyDict_Check(classes)) {
    PyErr_SetString(PyExc_TypeError, "set_error_tables: expected two dicts");
    return -1;
  }
  Py_INCREF(kinds);
  Py_XSETREF(kind_to_class, kinds);
  Py_INCREF(classes);
  Py_XSETREF(class_to_kind, classes);
  return 0;
}

// ---- Python to native ----

// The UTF-8 bytes of a str; lone surrogates are escaped. New reference to bytes; NULL without memory. Sets no error.
static PyObject* utf8(PyObject* text) {
  PyObject* bytes = text == NULL ? NULL : PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
  if (bytes == NULL) {
    PyErr_Clear();
    bytes = PyBytes_FromString("<text unavailable>");
    PyErr_Clear();
  }
  return bytes;
}

static TVMFFIByteArray view_bytes(PyObject* bytes) {
  if (bytes == NULL) return (TVMFFIByteArray){"", 0};
  return (TVMFFIByteArray){PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes)};
}

static PyObject* kind_of(PyTypeObject* cls) {
  PyObject* kind = class_to_kind == NULL ? NULL : ss_dict_find(class_to_kind, (PyObject*)cls);
  if (kind != NULL && PyUnicode_Check(kind)) return kind;
  if (kind == NULL && PyErr_Occurred()) return NULL;  // the metaclass's __eq__ or __hash__ failed
  Py_XDECREF(kind);
  return PyObject_GetAttrString((PyObject*)cls, "__name__");
}

// Drops the raised error of a failure that is reported in another way or not at all.
static void forget_raised(void) {
  TVMFFIObjectHandle raised = NULL;
  ss_api.TVMFFIErrorMoveFromRaised(&raised);
  ss_xdecref(raised);
}

static TVMFFIObject* error_from(PyObject* exception, int depth) {
  TVMFFIObjectHandle cause = NULL, extra = NULL, error = NULL;
  PyObject* parent = PyException_GetCause(exception);
  if (parent != NULL && depth < MAX_CAUSES) cause = error_from(parent, depth + 1);
  Py_XDECREF(parent);
  PyErr_Clear();  // without memory the cause is left out
  PyObject* kind_text = kind_of(Py_TYPE(exception));
  PyObject* kind = utf8(kind_text);
  PyObject* message_text = PyObject_Str(exception);
  PyObject* message = utf8(message_text);
  PyObject* frames_text = ss_backtrace_of(exception);
  PyObject* frames = utf8(frames_text);
  TVMFFIByteArray kind_view = view_bytes(kind), message_view = view_bytes(message), frames_view = view_bytes(frames);
  if (frames_text == NULL) frames_view.size = 0;
  extra = ss_opaque_alloc(exception);
  if (extra == NULL) forget_raised();
  if (ss_api.TVMFFIErrorCreateWithCauseAndExtraContext(&kind_view, &message_view, &frames_view, cause, extra, &error) !=
      0) {
    error = NULL;
    forget_raised();
  }
  ss_xdecref(cause);
  ss_xdecref(extra);
  Py_XDECREF(kind_text);
  Py_XDECREF(kind);
  Py_XDECREF(message_text);
  Py_XDECREF(message);
  Py_XDECREF(frames_text);
  Py_XDECREF(frames);
  PyErr_Clear();
  return error;
}

TVMFFIObject* ss_error_from_exception(PyObject* exception) {
  TVMFFIObject* error = error_from(exception, 0);
  if (error == NULL) PyErr_NoMemory();
  return error;
}

void ss_raise_to_native(void) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != NULL) PyException_SetTraceback(value, traceback);
  TVMFFIObject* error = error_from(value, 0);
  if (error != NULL) {
    ss_api.TVMFFIErrorSetRaised(error);
    ss_decref(error);
  } else {
    ss_api.TVMFFIErrorSetRaisedFromCStr("MemoryError", "callback: no memory for the Error of a Python exception");
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
}

// ---- native to Python ----

// The exception that an Error owns. Borrowed, NULL for an Error of native code.
static PyObject* carried_exception(const TVMFFIErrorCell* cell) {
  TVMFFIObject* extra = cell->extra_context;
  if (extra == NULL || extra->type_index != kTVMFFIOpaquePyObject) return NULL;
  PyObject* owned = ss_opaque_python_object(extra);
  return owned != NULL && PyExceptionInstance_Check(owned) ? owned : NULL;
}

// New reference, NULL with an error set.
static PyObject* class_of_kind(const TVMFFIByteArray* kind) {
  PyObject* name = ss_text(kind);
  if (name == NULL) return NULL;
  PyObject* cls = kind_to_class == NULL ? NULL : ss_dict_find(kind_to_class, name);
  Py_DECREF(name);
  if (cls == NULL && PyErr_Occurred()) return NULL;
  if (cls != NULL && PyExceptionClass_Check(cls)) return cls;
  Py_XDECREF(cls);
  Py_INCREF(PyExc_RuntimeError);
  return PyExc_RuntimeError;
}

static PyObject* instantiate(const TVMFFIErrorCell* cell) {
  PyObject* cls = class_of_kind(&cell->kind);
  PyObject* message = cls == NULL ? NULL : ss_text(&cell->message);
  PyObject* exception = message == NULL ? NULL : PyObject_CallFunctionObjArgs(cls, message, NULL);
  Py_XDECREF(cls);
  if (message == NULL) return NULL;
  if (exception == NULL && (PyErr_ExceptionMatches(PyExc_MemoryError) || !PyErr_ExceptionMatches(PyExc_Exception))) {
    Py_DECREF(message);  // such as KeyboardInterrupt: not a failure of the class
    return NULL;
  }
  if (exception == NULL || !PyExceptionInstance_Check(exception)) {
    // The class cannot be called with a message alone, as UnicodeDecodeError.
    Py_XDECREF(exception);
    PyErr_Clear();
    PyObject* kind = ss_text(&cell->kind);
    PyObject* text = kind == NULL ? NULL : PyUnicode_FromFormat("%U: %U", kind, message);
    exception = text == NULL ? NULL : PyObject_CallFunctionObjArgs(PyExc_RuntimeError, text, NULL);
    Py_XDECREF(kind);
    Py_XDECREF(text);
  }
  Py_DECREF(message);
  return exception;
}

static PyObject* exception_from(TVMFFIObject* error, int depth) {
  const TVMFFIErrorCell* cell = SS_CELL(TVMFFIErrorCell, error);
  PyObject* exception = carried_exception(cell);
  if (exception != NULL) {
    // The exception returns to Python: native code has appended its own frames to the backtrace.
    Py_INCREF(exception);
    PyObject* own_text = ss_backtrace_of(exception);
    PyObject* own = own_text == NULL ? NULL : PyUnicode_AsUTF8String(own_text);
    if (own != NULL && cell->backtrace.size > (size_t)PyBytes_GET_SIZE(own) &&
        memcmp(cell->backtrace.data, PyBytes_AS_STRING(own), (size_t)PyBytes_GET_SIZE(own)) == 0) {
      size_t skip = (size_t)PyBytes_GET_SIZE(own);
      ss_backtrace_add(exception, cell->backtrace.data + skip, cell->backtrace.size - skip);
    }
    Py_XDECREF(own_text);
    Py_XDECREF(own);
    PyErr_Clear();
    return exception;
  }
  exception = instantiate(cell);
  if (exception == NULL) return NULL;
  ss_incref(error);
  PyObject* wrapper = ss_fetch(error);
  if (wrapper == NULL || PyObject_SetAttrString(exception, "__tvm_ffi_error__", wrapper) != 0) PyErr_Clear();
  Py_XDECREF(wrapper);
  if (cell->cause_chain != NULL && depth < MAX_CAUSES) {
    PyObject* cause = exception_from(cell->cause_chain, depth + 1);
    if (cause == NULL) {
      PyErr_Clear();
    } else {
      PyException_SetCause(exception, cause);
    }
  }
  ss_backtrace_add(exception, cell->backtrace.data, cell->backtrace.size);
  return exception;
}

PyObject* ss_exception_from_error(TVMFFIObject* error) { return exception_from(error, 0); }

static int is_already_set(const TVMFFIErrorCell* cell) {
  static const char kind[] = "EnvErrorAlreadySet";
  return cell->kind.size == sizeof(kind) - 1 && memcmp(cell->kind.data, kind, sizeof(kind) - 1) == 0;
}

int ss_raise_native(void) {
  TVMFFIObjectHandle error = NULL;
  ss_api.TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_SystemError, "Function: the native function failed without an error");
    return -1;
  }
  if (is_already_set(SS_CELL(TVMFFIErrorCell, error)) && PyErr_Occurred()) {
    ss_decref(error);
    return -1;
  }
  PyErr_Clear();
  PyObject* exception = exception_from(error, 0);
  if (exception != NULL) {
    PyObject* type = (PyObject*)Py_TYPE(exception);
    Py_INCREF(type);
    PyErr_Restore(type, exception, PyException_GetTraceback(exception));
  }
  // This may be the last reference: its release can run Python code.
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  ss_decref(error);
  PyErr_Restore(type, value, traceback);
  return -1;
}
