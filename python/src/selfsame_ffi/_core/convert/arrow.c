#include "convert/arrow.h"

#include <errno.h>

#include "selfsame/internal/arrow.h"
#include "tie/attach.h"

static const char schema_name[] = "arrow_schema";
static const char array_name[] = "arrow_array";
static const char stream_name[] = "arrow_array_stream";

static void delete_schema(PyObject* capsule) {
  SsArrowSchema* schema = PyCapsule_GetPointer(capsule, schema_name);
  if (schema->release != NULL) schema->release(schema);
  PyMem_RawFree(schema);
}

static void delete_array(PyObject* capsule) {
  SsArrowArray* array = PyCapsule_GetPointer(capsule, array_name);
  if (array->release != NULL) array->release(array);
  PyMem_RawFree(array);
}

static void delete_stream(PyObject* capsule) {
  SsArrowStream* stream = PyCapsule_GetPointer(capsule, stream_name);
  if (stream->release != NULL) stream->release(stream);
  PyMem_RawFree(stream);
}

// Calls a function with an address. Returns 0, or -1 with an error set.
static int call_with_address(PyObject* function, void* address) {
  PyObject* result = PyObject_CallFunction(function, "N", PyLong_FromVoidPtr(address));
  Py_XDECREF(result);
  return result == NULL ? -1 : 0;
}

PyObject* ss_arrow_capsule(PyObject* module, PyObject* args) {
  (void)module;
  const char* name;
  PyObject* fill;
  if (!PyArg_ParseTuple(args, "sO:arrow_capsule", &name, &fill)) return NULL;
  int is_schema = strcmp(name, schema_name) == 0;
  if (!is_schema && strcmp(name, array_name) != 0) {
    return PyErr_Format(PyExc_ValueError,
                        "arrow_capsule: argument 'name': expected arrow_schema or arrow_array, got %s", name);
  }
  void* made = PyMem_RawCalloc(1, is_schema ? sizeof(SsArrowSchema) : sizeof(SsArrowArray));
  if (made == NULL) return PyErr_NoMemory();
  PyObject* capsule =
      is_schema ? PyCapsule_New(made, schema_name, delete_schema) : PyCapsule_New(made, array_name, delete_array);
  if (capsule == NULL) {
    PyMem_RawFree(made);
  } else if (call_with_address(fill, made) != 0) {
    Py_CLEAR(capsule);
  }
  return capsule;
}

// What a stream's functions work with.
typedef struct {
  PyObject* schema;  // fills a schema, owned
  PyObject* next;    // fills the next array, owned
  char* error;       // of the last failure, from PyMem_RawMalloc, owned; or NULL
} Source;

// Keeps the text of the exception that is set, and clears that.
static void keep_error(Source* source) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  PyObject* text = value == NULL ? NULL : PyUnicode_FromFormat("%s: %S", ((PyTypeObject*)type)->tp_name, value);
  Py_ssize_t size = 0;
  const char* utf8 = text == NULL ? NULL : PyUnicode_AsUTF8AndSize(text, &size);
  if (utf8 != NULL && (source->error = PyMem_RawMalloc((size_t)size + 1)) != NULL) {
    memcpy(source->error, utf8, (size_t)size + 1);
  }
  Py_XDECREF(text);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  PyErr_Clear();
}

// Has a function fill a struct. Returns 0 or an errno.
static int run(SsArrowStream* stream, int is_schema, void* out) {
  Source* source = stream->private_data;
  SsAttachment attachment;
  ss_attachment_begin(&attachment);
  if (attachment.how == SS_ATTACH_NO_MEMORY) return ENOMEM;
  if (attachment.how == SS_ATTACH_REFUSED) return ECANCELED;
  PyMem_RawFree(source->error);
  source->error = NULL;
  int rc = call_with_address(is_schema ? source->schema : source->next, out);
  if (rc != 0) keep_error(source);
  ss_attachment_end(&attachment);
  return rc == 0 ? 0 : EIO;
}

static int get_schema(SsArrowStream* stream, SsArrowSchema* out) {
  out->release = NULL;
  return run(stream, 1, out);
}

static int get_next(SsArrowStream* stream, SsArrowArray* out) {
  out->release = NULL;
  return run(stream, 0, out);
}

static const char* get_last_error(SsArrowStream* stream) { return ((Source*)stream->private_data)->error; }

// Leaks the functions when the interpreter has ended.
static void release_stream(SsArrowStream* stream) {
  Source* source = stream->private_data;
  stream->release = NULL;
  SsAttachment attachment;
  ss_attachment_begin(&attachment);
  if (attachment.how == SS_ATTACH_NO_MEMORY || attachment.how == SS_ATTACH_REFUSED) return;
  Py_XDECREF(source->schema);
  Py_XDECREF(source->next);
  PyMem_RawFree(source->error);
  PyMem_RawFree(source);
  ss_attachment_end(&attachment);
}

PyObject* ss_arrow_stream(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *schema, *next;
  if (!PyArg_ParseTuple(args, "OO:arrow_stream", &schema, &next)) return NULL;
  SsArrowStream* made = PyMem_RawCalloc(1, sizeof(SsArrowStream));
  Source* source = PyMem_RawCalloc(1, sizeof(Source));
  PyObject* capsule = NULL;
  if (made == NULL || source == NULL) {
    PyErr_NoMemory();
  } else {
    capsule = PyCapsule_New(made, stream_name, delete_stream);
  }
  if (capsule == NULL) {
    PyMem_RawFree(made);
    PyMem_RawFree(source);
    return NULL;
  }
  Py_INCREF(schema);
  Py_INCREF(next);
  *source = (Source){.schema = schema, .next = next};
  *made = (SsArrowStream){.get_schema = get_schema,
                          .get_next = get_next,
                          .get_last_error = get_last_error,
                          .release = release_stream,
                          .private_data = source};
  return capsule;
}

PyObject* ss_arrow_address(PyObject* module, PyObject* args) {
  (void)module;
  PyObject* capsule;
  const char* name;
  if (!PyArg_ParseTuple(args, "Os:arrow_address", &capsule, &name)) return NULL;
  void* address = PyCapsule_GetPointer(capsule, name);
  return address == NULL ? NULL : PyLong_FromVoidPtr(address);
}
