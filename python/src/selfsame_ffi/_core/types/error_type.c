// Error, the class of the wrappers of native Error objects. convert/errors.c converts them to exceptions.
#include "wrapper/classes.h"
#include "convert/convert.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "convert/kept_errors.h"
#include "convert/to_python.h"
#include "selfsame/internal/error_links.h"
#include "types/guard.h"
#include "wrapper/fetch.h"
#include "wrapper/tp_slots.h"

static TVMFFIErrorCell* cell_of(PyObject* self) {
  TVMFFIObject* object = ss_wrapper(self)->handle;
  if (object == NULL || object->type_index != kTVMFFIError) return ss_wrong_native(self, "an Error");
  return SS_CELL(TVMFFIErrorCell, object);
}

static PyObject* get_text(PyObject* self, void* offset) {
  TVMFFIErrorCell* cell = cell_of(self);
  return cell == NULL ? NULL : ss_text((TVMFFIByteArray*)((char*)cell + (size_t)offset));
}

// In its critical section: update_backtrace on another thread replaces the backtrace. The other texts never change.
SS_DEFINE_GUARDED(PyObject*, NULL, get_text, (PyObject * self, void* offset), (self, offset), 1);

static PyObject* get_cause(PyObject* self, void* closure) {
  (void)closure;
  TVMFFIErrorCell* cell = cell_of(self);
  if (cell == NULL) return NULL;
  TVMFFIObject* cause = ss_error_cause(cell);
  if (cause == NULL) Py_RETURN_NONE;
  return ss_fetch_borrowed(cause);
}
SS_DEFINE_GUARDED(PyObject*, NULL, get_cause, (PyObject * self, void* closure), (self, closure), 0);

static PyObject* get_extra_context(PyObject* self, void* closure) {
  (void)closure;
  TVMFFIErrorCell* cell = cell_of(self);
  if (cell == NULL) return NULL;
  TVMFFIObject* extra = ss_error_context(cell);
  if (extra == NULL || ss_error_is_kept(cell)) Py_RETURN_NONE;
  TVMFFIAny view = {.type_index = extra->type_index, .v_obj = extra};
  return ss_value_from_view(&view);
}
SS_DEFINE_GUARDED(PyObject*, NULL, get_extra_context, (PyObject * self, void* closure), (self, closure), 0);

static PyObject* update_backtrace(PyObject* self, PyObject* text) {
  TVMFFIErrorCell* cell = cell_of(self);
  if (cell == NULL) return NULL;
  Py_ssize_t size;
  const char* data = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &size) : NULL;
  if (data == NULL) {
    if (!PyErr_Occurred()) {
      PyErr_Format(PyExc_TypeError, "Error.update_backtrace: argument 'backtrace': expected a str, got %.100s",
                   Py_TYPE(text)->tp_name);
    }
    return NULL;
  }
  TVMFFIByteArray bytes = {data, (size_t)size};
  cell->update_backtrace(ss_pin(ss_wrapper(self)), &bytes, kTVMFFIBacktraceUpdateModeReplace);
  ss_unpin(ss_wrapper(self));
  Py_RETURN_NONE;
}
SS_DEFINE_GUARDED(PyObject*, NULL, update_backtrace, (PyObject * self, PyObject* text), (self, text), 1);

static PyObject* py_error(PyObject* self, PyObject* unused) {
  (void)unused;
  if (cell_of(self) == NULL) return NULL;
  ss_pin(ss_wrapper(self));  // making the exception may run Python code
  PyObject* exception = ss_exception_from_error(ss_wrapper(self)->handle);
  ss_unpin(ss_wrapper(self));
  return exception;
}
SS_DEFINE_GUARDED(PyObject*, NULL, py_error, (PyObject * self, PyObject* unused), (self, unused), 1);

static int error_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  static char* names[] = {"kind", "message", "backtrace", "cause", NULL};
  const char *kind, *message, *backtrace = "";
  Py_ssize_t kind_size, message_size, backtrace_size = 0;
  PyObject* cause = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#s#|s#O:Error", names, &kind, &kind_size, &message, &message_size,
                                   &backtrace, &backtrace_size, &cause)) {
    return -1;
  }
  if (ss_wrapper(self)->handle != NULL) {
    PyErr_SetString(PyExc_TypeError, "Error.__init__: the object is initialised already");
    return -1;
  }
  TVMFFIObject* cause_handle = NULL;
  if (cause != Py_None) {
    if (!PyObject_TypeCheck(cause, &SsError_Type)) {
      PyErr_Format(PyExc_TypeError, "Error: argument 'cause': expected an Error or None, got %.100s",
                   Py_TYPE(cause)->tp_name);
      return -1;
    }
    cause_handle = ss_pin(ss_wrapper(cause));
    if (cause_handle == NULL) {
      ss_no_handle(cause);
      return -1;
    }
    if (cell_of(cause) == NULL) {
      ss_unpin(ss_wrapper(cause));
      return -1;
    }
  }
  TVMFFIByteArray kind_view = {kind, (size_t)kind_size}, message_view = {message, (size_t)message_size};
  TVMFFIByteArray backtrace_view = {backtrace, (size_t)backtrace_size};
  TVMFFIObjectHandle error = NULL;
  int rc = ss_api.TVMFFIErrorCreateWithCauseAndExtraContext(&kind_view, &message_view, &backtrace_view, cause_handle,
                                                            NULL, &error);
  if (cause_handle != NULL) ss_unpin(ss_wrapper(cause));
  if (rc != 0) return ss_raise_native();
  return ss_construct(ss_wrapper(self), error);
}

static PyObject* error_repr(PyObject* self) {
  if (ss_wrapper(self)->handle == NULL) return ss_repr_without_handle(self);
  PyObject* kind = SS_GUARDED(get_text)(self, (void*)offsetof(TVMFFIErrorCell, kind));
  PyObject* message = kind == NULL ? NULL : SS_GUARDED(get_text)(self, (void*)offsetof(TVMFFIErrorCell, message));
  PyObject* text = kind == NULL || message == NULL ? NULL : PyUnicode_FromFormat("Error(%R, %R)", kind, message);
  Py_XDECREF(kind);
  Py_XDECREF(message);
  return text;
}

static PyGetSetDef getset[] = {
    {"kind", SS_GUARDED(get_text), NULL, "The error's kind: the name of an exception class.",
     (void*)offsetof(TVMFFIErrorCell, kind)},
    {"message", SS_GUARDED(get_text), NULL, "The error's message.", (void*)offsetof(TVMFFIErrorCell, message)},
    {"backtrace", SS_GUARDED(get_text), NULL, "One line per frame, the most recent call first.",
     (void*)offsetof(TVMFFIErrorCell, backtrace)},
    {"cause", SS_GUARDED(get_cause), NULL, "The Error that caused this one, or None.", NULL},
    {"extra_context", SS_GUARDED(get_extra_context), NULL,
     "What the code that raised the error attached to it, or None. For an error that began as an exception: that.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"update_backtrace", SS_GUARDED(update_backtrace), METH_O,
     "update_backtrace($self, backtrace, /)\n--\n\nReplace the backtrace."},
    {"py_error", SS_GUARDED(py_error), METH_NOARGS,
     "py_error($self, /)\n--\n\nThe exception for this error: the one that caused it, or a new one of its kind."},
    {NULL, NULL, 0, NULL}};

PyTypeObject SsError_Type = {
    SS_WRAPPER_TYPE("selfsame_ffi.Error",
                    "Error(kind, message, backtrace='', cause=None)\n--\n\n"
                    "A native error as a value. To raise it, raise error.py_error().",
                    &SsObject_Type, SsWrapper, Py_TPFLAGS_BASETYPE),
    .tp_init = error_init,
    .tp_repr = error_repr,
    .tp_getset = getset,
    .tp_methods = methods,
};
