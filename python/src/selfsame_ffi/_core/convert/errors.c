// Python exceptions to native Errors and back.
//
// An exception of Python's own becomes an Error whose extra_context is an opaque object that owns the exception, so
// that the caller gets the same exception object. An Error of native code becomes an exception with the Error's wrapper
// as __tvm_ffi_error__; that exception is the same Error when it goes into native code again, with the frames through
// which it has gone added to its backtrace. An exception never refers to an Error that owns it, so there is no cycle.
#include "convert/errors.h"

#include "convert/backtrace.h"
#include "convert/in_flight.h"
#include "convert/kept_errors.h"
#include "selfsame/internal/error_links.h"
#include "tie/attach.h"
#include "tie/python_owner.h"
#include "wrapper/classes.h"
#include "convert/to_python.h"

static PyObject* kind_to_class;
static PyObject* class_to_kind;
static PyObject* wrap_exception;
static PyObject* make_combined;

enum { MAX_BACKTRACE = 1 << 16 };  // bytes up to which the frames of another traceback are added to a backtrace

int ss_errors_set_tables(PyObject* kinds, PyObject* classes, PyObject* wrap, PyObject* combined) {
  if (!PyDict_Check(kinds) || !PyDict_Check(classes)) {
    PyErr_SetString(PyExc_TypeError, "set_error_tables: expected two dicts");
    return -1;
  }
  Py_INCREF(kinds);
  Py_XSETREF(kind_to_class, kinds);
  Py_INCREF(classes);
  Py_XSETREF(class_to_kind, classes);
  Py_INCREF(wrap);
  Py_XSETREF(wrap_exception, wrap);
  Py_INCREF(combined);
  Py_XSETREF(make_combined, combined);
  return 0;
}

int ss_errors_traverse(visitproc visit, void* arg) {
  Py_VISIT(kind_to_class);
  Py_VISIT(wrap_exception);
  Py_VISIT(make_combined);
  Py_VISIT(class_to_kind);
  return 0;
}

void ss_errors_clear(void) {
  Py_CLEAR(kind_to_class);
  Py_CLEAR(wrap_exception);
  Py_CLEAR(make_combined);
  Py_CLEAR(class_to_kind);
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

// The name of a class as C has it, for when there is no memory for kind_of's result.
static TVMFFIByteArray short_name(PyTypeObject* cls) {
  const char* dot = strrchr(cls->tp_name, '.');
  const char* name = dot == NULL ? cls->tp_name : dot + 1;
  return (TVMFFIByteArray){name, strlen(name)};
}

static void discard(PyObject* object) {
  Py_XDECREF(object);
  PyErr_Clear();
}

static int ends_with(TVMFFIByteArray text, TVMFFIByteArray end) {
  return text.size >= end.size && memcmp(text.data + text.size - end.size, end.data, end.size) == 0;
}

// Adds to an Error's backtrace the frames through which its exception has gone since.
static void extend_backtrace(TVMFFIObject* error, PyObject* exception) {
  TVMFFIErrorCell* cell = SS_CELL(TVMFFIErrorCell, error);
  SsBacktrace text = ss_backtrace_of(exception);
  if (text.data == NULL || cell->update_backtrace == NULL) {
    ss_backtrace_free(&text);
    return;
  }
  TVMFFIByteArray known = cell->backtrace, frames = {text.data, text.size}, rest;
  int32_t mode = kTVMFFIBacktraceUpdateModeAppend;
  if (ss_backtrace_rest(known, frames, &rest) || ends_with(known, frames)) {
    rest.size = 0;  // the Error has them already
  } else if (!ss_backtrace_rest(frames, known, &rest)) {
    // The exception was given another traceback, or is a copy without one that was raised again.
    rest = frames;
    if (known.size + frames.size > MAX_BACKTRACE) mode = kTVMFFIBacktraceUpdateModeReplace;
  }
  if (rest.size > 0) {
    const TVMFFIByteArray newline = {"\n", 1};
    int unended = known.size > 0 && known.data[known.size - 1] != '\n';
    if (unended && mode == kTVMFFIBacktraceUpdateModeAppend) cell->update_backtrace(error, &newline, mode);
    cell->update_backtrace(error, &rest, mode);
  }
  ss_backtrace_free(&text);
}

// The Error that an exception was made from, as its attribute __tvm_ffi_error__ says, with the exception's frames in
// its backtrace. New reference, or NULL; sets no error. The attribute is looked up as any other, so that a class may
// define it.
static TVMFFIObject* own_error(PyObject* exception) {
  PyObject* wrapper = PyObject_GetAttrString(exception, "__tvm_ffi_error__");
  TVMFFIObject* error = NULL;
  TVMFFIObject* handle = wrapper != NULL && ss_is_wrapper(wrapper) ? ss_pin(ss_wrapper(wrapper)) : NULL;
  if (handle != NULL) {
    if (handle->type_index == kTVMFFIError) {
      error = handle;
      ss_incref(error);
      SS_BEGIN_CRITICAL_SECTION(wrapper);  // as Error.update_backtrace
      extend_backtrace(error, exception);
      SS_END_CRITICAL_SECTION();
    }
    ss_unpin(ss_wrapper(wrapper));
  }
  discard(wrapper);
  return error;
}

// The Error that is made for an exception of Python, and owns it.
static TVMFFIObject* make_error(PyObject* exception, TVMFFIObject* cause) {
  TVMFFIObjectHandle extra = NULL, error = NULL;
  PyObject* kind_text = kind_of(Py_TYPE(exception));
  PyObject* kind = utf8(kind_text);
  PyObject* message_text = PyObject_Str(exception);
  PyObject* message = utf8(message_text);
  SsBacktrace frames = ss_backtrace_of(exception);
  TVMFFIByteArray kind_view = kind == NULL ? short_name(Py_TYPE(exception)) : view_bytes(kind);
  TVMFFIByteArray message_view = view_bytes(message);
  TVMFFIByteArray frames_view = {frames.data, frames.size};
  extra = ss_opaque_alloc(exception, (TVMFFIAny){.type_index = kTVMFFINone});
  if (extra == NULL) ss_forget_raised();
  if (ss_api.TVMFFIErrorCreateWithCauseAndExtraContext(&kind_view, &message_view, &frames_view, cause, extra, &error) !=
      0) {
    error = NULL;
    ss_forget_raised();
  }
  ss_xdecref(extra);
  Py_XDECREF(kind_text);
  Py_XDECREF(kind);
  Py_XDECREF(message_text);
  Py_XDECREF(message);
  ss_backtrace_free(&frames);
  PyErr_Clear();
  return error;
}

// *own: whether the exception was made from the Error.
static TVMFFIObject* error_from(PyObject* exception, int depth, int* own) {
  TVMFFIObject* error = own_error(exception);
  *own = error != NULL;
  if (error != NULL) return error;
  TVMFFIObject* cause = NULL;
  PyObject* parent = PyException_GetCause(exception);
  int unused;
  if (parent != NULL && depth < SS_MAX_CAUSES) cause = error_from(parent, depth + 1, &unused);
  discard(parent);  // without memory the cause is left out
  error = make_error(exception, cause);
  ss_xdecref(cause);
  return error;
}

TVMFFIObject* ss_error_from_exception(PyObject* exception) {
  int own;
  TVMFFIObject* error = error_from(exception, 0, &own);
  if (error == NULL) PyErr_NoMemory();
  return error;
}

void ss_raise_to_native(void) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != NULL) PyException_SetTraceback(value, traceback);
  int own;
  TVMFFIObject* error = error_from(value, 0, &own);
  if (error != NULL) {
    if (own) {
      ss_flight_add(value, error);
    } else {
      ss_kept_errors_note(error);
    }
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

// New reference, NULL with an error set.
static PyObject* class_of_kind(const TVMFFIByteArray* kind) {
  PyObject* name = ss_text(kind);
  if (name == NULL) return NULL;
  PyObject* cls = kind_to_class == NULL ? NULL : ss_dict_find(kind_to_class, name);
  int several = kind->size > 0 && memchr(kind->data, ',', kind->size) != NULL;
  if (cls == NULL && several && make_combined != NULL && !PyErr_Occurred()) {
    cls = PyObject_CallFunctionObjArgs(make_combined, name, NULL);
  }
  Py_DECREF(name);
  if (cls == NULL && PyErr_Occurred()) return NULL;
  if (cls != NULL && PyExceptionClass_Check(cls)) return cls;
  Py_XDECREF(cls);
  return ss_new_ref(PyExc_RuntimeError);
}

static PyObject* instantiate(const TVMFFIErrorCell* cell) {
  PyObject* cls = class_of_kind(&cell->kind);
  PyObject* message = cls == NULL ? NULL : ss_text(&cell->message);
  PyObject* exception = message == NULL ? NULL : PyObject_CallFunctionObjArgs(cls, message, NULL);
  Py_XDECREF(cls);
  if (message == NULL) return NULL;
  if (exception == NULL && !ss_class_refuses()) {
    Py_DECREF(message);
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

// An exception that is also of its cause's class, for an Error that native code made around that one. New reference; NULL, mostly without
// an error set, when the Error's kind is not that of its cause too, or the class is known by its kind.
static PyObject* as_its_cause(const TVMFFIErrorCell* cell, PyObject* cause) {
  PyObject* kind = cause == NULL || wrap_exception == NULL ? NULL : ss_text(&cell->kind);
  PyObject* message = kind == NULL ? NULL : ss_text(&cell->message);
  PyObject* made = message == NULL ? NULL : PyObject_CallFunctionObjArgs(wrap_exception, cause, kind, message, NULL);
  Py_XDECREF(kind);
  Py_XDECREF(message);
  if (made != NULL && PyExceptionInstance_Check(made)) return made;
  Py_XDECREF(made);
  return NULL;
}

static PyObject* exception_from(TVMFFIObject* error, int depth) {
  const TVMFFIErrorCell* cell = SS_CELL(TVMFFIErrorCell, error);
  PyObject* exception = ss_error_exception(cell);
  if (exception == NULL) exception = ss_flight_find(error);
  if (exception != NULL) {
    // The exception returns to Python: native code may have appended frames of its own to the backtrace.
    SsBacktrace own = ss_backtrace_of(exception);
    TVMFFIByteArray rest;
    if (own.data != NULL && ss_backtrace_rest(cell->backtrace, (TVMFFIByteArray){own.data, own.size}, &rest)) {
      ss_backtrace_add(exception, rest.data, rest.size);
    }
    ss_backtrace_free(&own);
    return exception;
  }
  PyObject* cause = NULL;
  TVMFFIObject* cause_error = ss_error_cause(cell);
  if (cause_error != NULL && depth < SS_MAX_CAUSES) {
    cause = exception_from(cause_error, depth + 1);
    if (cause == NULL) PyErr_Clear();
  }
  exception = ss_error_remake(cell);
  if (exception == NULL && !PyErr_Occurred()) exception = as_its_cause(cell, cause);
  if (exception == NULL && !PyErr_Occurred()) exception = instantiate(cell);
  if (exception == NULL) {
    Py_XDECREF(cause);
    return NULL;
  }
  ss_incref(error);
  PyObject* wrapper = ss_fetch(error);
  if (wrapper == NULL || PyObject_SetAttrString(exception, "__tvm_ffi_error__", wrapper) != 0) PyErr_Clear();
  Py_XDECREF(wrapper);
  if (cause != NULL) PyException_SetCause(exception, cause);
  ss_backtrace_add(exception, cell->backtrace.data, cell->backtrace.size);
  return exception;
}

PyObject* ss_exception_from_error(TVMFFIObject* error) { return exception_from(error, 0); }

static int is_already_set(const TVMFFIErrorCell* cell) {
  static const char kind[] = "EnvErrorAlreadySet";
  return cell->kind.size == sizeof(kind) - 1 && memcmp(cell->kind.data, kind, sizeof(kind) - 1) == 0;
}

// Sets an exception, with the one that the thread handles as its context. The exception of a callback has the context
// that its raise statement gave it, and keeps it. Takes over `exception`.
static void raise_exception(PyObject* exception) {
  PyObject* type = (PyObject*)Py_TYPE(exception);
  PyObject* context = PyException_GetContext(exception);
  if (context == NULL) {
    PyErr_SetObject(type, exception);
    Py_DECREF(exception);
    return;
  }
  Py_DECREF(context);
  Py_INCREF(type);
  PyErr_Restore(type, exception, PyException_GetTraceback(exception));
}

int ss_raise_native(void) {
  if (SS_UNLIKELY(!ss_python_alive())) ss_attach_halt();
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
  if (exception != NULL) raise_exception(exception);
  // This may be the last reference: its release can run Python code.
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  ss_decref(error);
  PyErr_Restore(type, value, traceback);
  return -1;
}
