// An iterator over what a Go loop yields. It asks the loop's function for Arrays of elements: for two elements at first,
// and for twice as many each time, so that a loop that is left early has made at most twice the elements that were taken.
// The function returns fewer when the loop is slow or ends: a loop of one element takes one request.
//
// An element leaves its Array when it is given out, so that it dies when its last user drops it.
#include "types/types.h"

#include <structmember.h>

#include "convert/to_python.h"
#include "selfsame/internal/containers.h"
#include "wrapper/fetch.h"
#include "wrapper/tp_slots.h"

// The first request, and the largest. Go makes more ahead only for callers of other languages (mostAhead in iteration.go).
enum { FIRST = 2, MOST_AHEAD = 256 };

typedef struct {
  PyObject_HEAD PyObject* next;  // the loop's function, owned; NULL before __init__
  PyObject* batch;               // the wrapper of an Array with elements that are left, owned; or NULL
  PyObject* more;                // a list of such wrappers that other threads fetched at the same time, owned; or NULL
  int64_t at;                    // of the first element that is left in the batch
  int64_t want;                  // how many elements the next call asks for
} GoIterator;

// Takes the next element out of the batch: returns 1 with an owned value, or 0 when none is left. *spent becomes a
// reference that the caller releases afterwards, or NULL.
static int take(GoIterator* iter, TVMFFIAny* value, PyObject** spent) {
  *spent = NULL;
  TVMFFIObject* native = iter->batch == NULL ? NULL : ss_wrapper(iter->batch)->handle;
  if (native == NULL) return 0;
  TVMFFISeqCell* cell = SS_CELL(TVMFFISeqCell, native);
  TVMFFIAny* items = cell->data;
  *value = items[iter->at];
  items[iter->at] = (TVMFFIAny){.type_index = kTVMFFINone};
  if (++iter->at < cell->size) return 1;
  *spent = iter->batch;
  iter->batch = NULL;
  iter->at = 0;
  Py_ssize_t waiting = iter->more == NULL ? 0 : PyList_GET_SIZE(iter->more);
  if (waiting > 0) {
    iter->batch = PyList_GET_ITEM(iter->more, waiting - 1);
    Py_INCREF(iter->batch);
    if (PyList_SetSlice(iter->more, waiting - 1, waiting, NULL) != 0) PyErr_Clear();  // shrinking does not fail
  }
  return 1;
}

// Stores an Array of elements, which it takes over. Returns 0, or -1 with an error set.
static int store(GoIterator* iter, PyObject* batch) {
  if (iter->batch == NULL) {
    iter->batch = batch;
    iter->at = 0;
    return 0;
  }
  if (iter->more == NULL) iter->more = PyList_New(0);
  int rc = iter->more == NULL ? -1 : PyList_Append(iter->more, batch);
  Py_DECREF(batch);
  return rc;
}

// Whether the function returned elements: an Array that only its wrapper owns.
static int check_batch(PyObject* batch) {
  if (PyObject_TypeCheck(batch, &SsObject_Type)) {
    TVMFFIObject* native = ss_wrapper(batch)->handle;
    if (native != NULL && native->type_index == kTVMFFIArray && SS_CELL(TVMFFISeqCell, native)->size > 0) return 0;
  }
  PyErr_Format(PyExc_TypeError, "Iterator: expected an Array of elements from the Go loop, got %.200s",
               Py_TYPE(batch)->tp_name);
  return -1;
}

// Asks for the next elements. Returns 0, or -1 with an error set; StopIteration at the end.
static int fetch_batch(GoIterator* iter) {
  int64_t want;
  PyObject* next;
  SS_BEGIN_CRITICAL_SECTION(iter);
  want = iter->want;
  next = iter->next;
  Py_XINCREF(next);
  if (want < MOST_AHEAD) iter->want = 2 * want;
  SS_END_CRITICAL_SECTION();
  if (next == NULL) {
    PyErr_SetString(PyExc_RuntimeError, "Iterator: __init__ was not called");
    return -1;
  }
  PyObject* batch = PyObject_CallFunction(next, "L", (long long)want);
  Py_DECREF(next);
  if (batch == NULL) return -1;
  if (check_batch(batch) != 0) {
    Py_DECREF(batch);
    return -1;
  }
  int rc;
  SS_BEGIN_CRITICAL_SECTION(iter);
  rc = store(iter, batch);
  SS_END_CRITICAL_SECTION();
  return rc;
}

// Takes the next element that is there. Returns a new reference to it, or NULL: with an error set, or without one when none is
// there and *taken is 0.
static PyObject* take_made(GoIterator* iter, int* taken) {
  TVMFFIAny value;
  PyObject* spent;
  SS_BEGIN_CRITICAL_SECTION(iter);
  *taken = take(iter, &value, &spent);
  SS_END_CRITICAL_SECTION();
  if (!*taken) return NULL;
  PyObject* element = ss_object_take(&value);
  Py_XDECREF(spent);
  return element;
}

static PyObject* iter_next(PyObject* self) {
  int taken;
  for (;;) {
    PyObject* element = take_made((GoIterator*)self, &taken);
    if (taken) return element;
    if (fetch_batch((GoIterator*)self) != 0) return NULL;
  }
}

static PyObject* made(PyObject* self, PyObject* otherwise) {
  int taken;
  PyObject* element = take_made((GoIterator*)self, &taken);
  if (taken) return element;
  return ss_new_ref(otherwise);
}

static PyObject* fetch(PyObject* self, PyObject* unused) {
  (void)unused;
  if (fetch_batch((GoIterator*)self) != 0) return NULL;
  Py_RETURN_NONE;
}

static PyObject* drop_ahead(PyObject* self, PyObject* unused) {
  (void)unused;
  GoIterator* iter = (GoIterator*)self;
  PyObject *batch, *more;
  SS_BEGIN_CRITICAL_SECTION(self);
  batch = iter->batch;
  more = iter->more;
  iter->batch = iter->more = NULL;
  iter->at = 0;
  SS_END_CRITICAL_SECTION();
  Py_XDECREF(batch);
  Py_XDECREF(more);
  Py_RETURN_NONE;
}

static int iter_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  GoIterator* iter = (GoIterator*)self;
  static char* names[] = {"next_", NULL};
  PyObject* next;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Iterator", names, &next)) return -1;
  if (!PyCallable_Check(next)) {
    PyErr_Format(PyExc_TypeError, "Iterator: argument 'next_': expected a function, got %.200s",
                 Py_TYPE(next)->tp_name);
    return -1;
  }
  PyObject* old;
  SS_BEGIN_CRITICAL_SECTION(self);
  old = iter->next;
  Py_INCREF(next);
  iter->next = next;
  iter->want = FIRST;
  SS_END_CRITICAL_SECTION();
  Py_XDECREF(old);
  return 0;
}

static int iter_traverse(PyObject* self, visitproc visit, void* arg) {
  GoIterator* iter = (GoIterator*)self;
  Py_VISIT(iter->next);
  Py_VISIT(iter->batch);
  Py_VISIT(iter->more);
  return 0;
}

static int iter_clear(PyObject* self) {
  GoIterator* iter = (GoIterator*)self;
  Py_CLEAR(iter->next);
  Py_CLEAR(iter->batch);
  Py_CLEAR(iter->more);
  return 0;
}

static void iter_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  iter_clear(self);
  Py_TYPE(self)->tp_free(self);
}

static PyMemberDef members[] = {{"_next", T_OBJECT, offsetof(GoIterator, next), READONLY, "The loop's function."},
                                {NULL, 0, 0, 0, NULL}};

static PyMethodDef methods[] = {
    {"_drop_ahead", drop_ahead, METH_NOARGS, "_drop_ahead($self, /)\n--\n\nRelease the elements that were made ahead."},
    {"_made", made, METH_O,
     "_made($self, otherwise, /)\n--\n\nTake the next element that is there, without a wait; `otherwise` if none is."},
    {"_fetch", fetch, METH_NOARGS,
     "_fetch($self, /)\n--\n\nWait for the next elements, which stay here. Raises StopIteration at the end."},
    {NULL, NULL, 0, NULL}};

PyTypeObject SsGoIterator_Type = {
    SS_TYPE("selfsame_ffi._core.GoIterator", "The native half of selfsame_ffi.Iterator.", sizeof(GoIterator),
            Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC),
    .tp_dealloc = iter_dealloc,
    .tp_traverse = iter_traverse,
    .tp_clear = iter_clear,
    .tp_new = PyType_GenericNew,
    .tp_init = iter_init,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = iter_next,
    .tp_methods = methods,
    .tp_members = members,
};
