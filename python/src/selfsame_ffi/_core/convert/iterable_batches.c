// Elements of an iterable in batches; see convert.h.
#include "convert/convert.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <time.h>
#endif

typedef struct {
  PyObject_HEAD PyObject* iterator;    // owned; NULL before __init__
  PyObject *type, *error, *traceback;  // owned: of an error that the next call raises; or NULL
} IterableBatches;

enum { PATIENCE_MS = 4 };

// Milliseconds of a clock that is cheap to read and may be some milliseconds late.
static int64_t now_ms(void) {
#ifdef _WIN32
  return (int64_t)GetTickCount64();
#else
#ifdef CLOCK_MONOTONIC_COARSE
  const clockid_t which = CLOCK_MONOTONIC_COARSE;
#else
  const clockid_t which = CLOCK_MONOTONIC;
#endif
  struct timespec at;
  return clock_gettime(which, &at) == 0 ? (int64_t)at.tv_sec * 1000 + at.tv_nsec / 1000000 : 0;
#endif
}

// Raises the error that is kept. Returns whether there was one.
static int raise_kept(IterableBatches* self) {
  PyObject *type, *error, *traceback;
  SS_BEGIN_CRITICAL_SECTION(self);
  type = self->type;
  error = self->error;
  traceback = self->traceback;
  self->type = self->error = self->traceback = NULL;
  SS_END_CRITICAL_SECTION();
  if (type == NULL) return 0;
  PyErr_Restore(type, error, traceback);
  return 1;
}

// Keeps the error that is set. An error that another thread's call has kept before is dropped.
static void keep_error(IterableBatches* self) {
  PyObject *type, *error, *traceback, *old[3];
  PyErr_Fetch(&type, &error, &traceback);
  SS_BEGIN_CRITICAL_SECTION(self);
  old[0] = self->type;
  old[1] = self->error;
  old[2] = self->traceback;
  self->type = type;
  self->error = error;
  self->traceback = traceback;
  SS_END_CRITICAL_SECTION();
  for (int i = 0; i < 3; i++) Py_XDECREF(old[i]);
}

// A tuple of the next elements, at most `most`. New reference, NULL with an error set.
static PyObject* next_elements(IterableBatches* self, PyObject* iterator, Py_ssize_t most) {
  PyObject* batch = PyTuple_New(most);
  if (batch == NULL) return NULL;
  iternextfunc next = Py_TYPE(iterator)->tp_iternext;
  int64_t end = most > 1 ? now_ms() + PATIENCE_MS : 0;
  Py_ssize_t count = 0;
  while (count < most) {
    PyObject* item = next(iterator);
    if (item == NULL) break;
    PyTuple_SET_ITEM(batch, count++, item);
    if (most > 1 && now_ms() > end) break;
  }
  if (PyErr_Occurred()) {
    if (PyErr_ExceptionMatches(PyExc_StopIteration)) {
      PyErr_Clear();
    } else if (count > 0) {
      keep_error(self);
    } else {
      Py_DECREF(batch);
      return NULL;
    }
  }
  if (count < most) (void)_PyTuple_Resize(&batch, count);  // NULL with an error set when it fails
  return batch;
}

static PyObject* take(PyObject* self, PyObject* number) {
  IterableBatches* batches = (IterableBatches*)self;
  Py_ssize_t most = PyNumber_AsSsize_t(number, PyExc_OverflowError);
  if (most == -1 && PyErr_Occurred()) return NULL;
  if (most < 1) return PyErr_Format(PyExc_ValueError, "take: expected a number of elements from 1, got %zd", most);
  if (raise_kept(batches)) return NULL;
  PyObject* iterator;
  SS_BEGIN_CRITICAL_SECTION(self);
  iterator = batches->iterator;
  Py_XINCREF(iterator);
  SS_END_CRITICAL_SECTION();
  if (iterator == NULL) return PyErr_Format(PyExc_RuntimeError, "IterableBatches: __init__ was not called");
  PyObject* batch = next_elements(batches, iterator, most);
  Py_DECREF(iterator);
  return batch;
}

static int batches_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  static char* names[] = {"iterable", NULL};
  PyObject *iterable, *old;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:IterableBatches", names, &iterable)) return -1;
  PyObject* iterator = PyObject_GetIter(iterable);
  if (iterator == NULL) return -1;
  SS_BEGIN_CRITICAL_SECTION(self);
  old = ((IterableBatches*)self)->iterator;
  ((IterableBatches*)self)->iterator = iterator;
  SS_END_CRITICAL_SECTION();
  Py_XDECREF(old);
  return 0;
}

static int batches_traverse(PyObject* self, visitproc visit, void* arg) {
  IterableBatches* batches = (IterableBatches*)self;
  Py_VISIT(batches->iterator);
  Py_VISIT(batches->type);
  Py_VISIT(batches->error);
  Py_VISIT(batches->traceback);
  return 0;
}

static int batches_clear(PyObject* self) {
  IterableBatches* batches = (IterableBatches*)self;
  Py_CLEAR(batches->iterator);
  Py_CLEAR(batches->type);
  Py_CLEAR(batches->error);
  Py_CLEAR(batches->traceback);
  return 0;
}

static void batches_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  batches_clear(self);
  Py_TYPE(self)->tp_free(self);
}

static PyMethodDef methods[] = {
    {"take", take, METH_O, "take($self, most, /)\n--\n\nA tuple of the next elements; an empty one at the end."},
    {NULL, NULL, 0, NULL}};

PyTypeObject SsIterableBatches_Type = {
    SS_TYPE("selfsame_ffi._core.IterableBatches",
            "IterableBatches(iterable)\n--\n\nThe elements of an iterable in batches, for a loop in Go.",
            sizeof(IterableBatches), Py_TPFLAGS_HAVE_GC),
    .tp_dealloc = batches_dealloc,
    .tp_traverse = batches_traverse,
    .tp_clear = batches_clear,
    .tp_new = PyType_GenericNew,
    .tp_init = batches_init,
    .tp_methods = methods,
};
