// Array: the immutable sequence. Elements are read where they lie.
#include "array.h"

#include "classes.h"
#include "convert.h"
#include "function.h"
#include "tie_states.h"
#include "value.h"

static const TVMFFISeqCell* cell_of(PyObject* self) {
  TVMFFIObject* object = ss_wrapper(self)->handle;
  if (SS_UNLIKELY(object == NULL)) {
    ss_no_handle(self);
    return NULL;
  }
  if (SS_UNLIKELY(object->type_index != kTVMFFIArray)) {
    PyErr_Format(PyExc_TypeError, "this %.100s object does not hold an Array", Py_TYPE(self)->tp_name);
    return NULL;
  }
  return SS_CELL(TVMFFISeqCell, object);
}

static inline PyObject* element(const TVMFFISeqCell* cell, Py_ssize_t i) {
  return ss_value_from_view((const TVMFFIAny*)cell->data + i);
}

static Py_ssize_t array_length(PyObject* self) {
  const TVMFFISeqCell* cell = cell_of(self);
  return cell == NULL ? -1 : (Py_ssize_t)cell->size;
}

static PyObject* array_item(PyObject* self, Py_ssize_t i) {
  const TVMFFISeqCell* cell = cell_of(self);
  if (cell == NULL) return NULL;
  if (i < 0 || i >= cell->size) {
    PyErr_Format(PyExc_IndexError, "Array index out of range: %zd of %lld", i, (long long)cell->size);
    return NULL;
  }
  return element(cell, i);
}

static PyObject* array_slice(PyObject* self, const TVMFFISeqCell* cell, PyObject* slice) {
  Py_ssize_t start, stop, step;
  if (PySlice_Unpack(slice, &start, &stop, &step) != 0) return NULL;
  Py_ssize_t count = PySlice_AdjustIndices((Py_ssize_t)cell->size, &start, &stop, step);
  PyObject* list = PyList_New(count);
  for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
    PyObject* value = array_item(self, start + i * step);
    if (value == NULL) {
      Py_CLEAR(list);
    } else {
      PyList_SET_ITEM(list, i, value);
    }
  }
  return list;
}

static PyObject* array_subscript(PyObject* self, PyObject* key) {
  const TVMFFISeqCell* cell = cell_of(self);
  if (cell == NULL) return NULL;
  if (SS_LIKELY(PyIndex_Check(key))) {
    Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred()) return NULL;
    cell = cell_of(self);  // __index__ is Python code
    if (cell == NULL) return NULL;
    if (i < 0) i += (Py_ssize_t)cell->size;
    return array_item(self, i);
  }
  if (PySlice_Check(key)) return array_slice(self, cell, key);
  PyErr_Format(PyExc_TypeError, "Array indices must be integers or slices, not %.100s", Py_TYPE(key)->tp_name);
  return NULL;
}

static int array_contains(PyObject* self, PyObject* wanted) {
  int found = 0;
  for (Py_ssize_t i = 0; found == 0; i++) {
    const TVMFFISeqCell* cell = cell_of(self);  // again each time: comparing runs Python code
    if (cell == NULL) return -1;
    if (i >= cell->size) break;
    PyObject* value = element(cell, i);
    if (value == NULL) return -1;
    found = PyObject_RichCompareBool(value, wanted, Py_EQ);
    Py_DECREF(value);
  }
  return found;
}

static PyObject* array_concat(PyObject* self, PyObject* other) {
  PyObject* all = PySequence_List(self);
  PyObject* tail = all == NULL ? NULL : PySequence_List(other);
  PyObject* sum = tail == NULL ? NULL : PySequence_InPlaceConcat(all, tail);
  TVMFFIObject* array = sum == NULL ? NULL : ss_array_from_sequence(sum);
  Py_XDECREF(all);
  Py_XDECREF(tail);
  Py_XDECREF(sum);
  return array == NULL ? NULL : ss_fetch(array);
}

static int array_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  static char* names[] = {"input_list", NULL};
  PyObject* items = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Array", names, &items)) return -1;
  if (ss_wrapper(self)->handle != NULL) {
    PyErr_SetString(PyExc_TypeError, "Array.__init__: the object is initialised already");
    return -1;
  }
  PyObject* sequence = items == NULL ? PyTuple_New(0) : PySequence_Tuple(items);
  if (sequence == NULL) return -1;
  TVMFFIObject* array = ss_array_from_sequence(sequence);
  Py_DECREF(sequence);
  return array == NULL ? -1 : ss_adopt(ss_wrapper(self), array);
}

// ---- iterator ----

typedef struct {
  PyObject_HEAD PyObject* array;  // NULL once exhausted
  Py_ssize_t next;
} ArrayIter;

static PyObject* array_iter(PyObject* self) {
  if (cell_of(self) == NULL) return NULL;
  ArrayIter* iter = PyObject_GC_New(ArrayIter, &SsArrayIter_Type);
  if (iter == NULL) return NULL;
  Py_INCREF(self);
  iter->array = self;
  iter->next = 0;
  PyObject_GC_Track(iter);
  return (PyObject*)iter;
}

static PyObject* iter_next(PyObject* self) {
  ArrayIter* iter = (ArrayIter*)self;
  if (iter->array == NULL) return NULL;
  const TVMFFISeqCell* cell = cell_of(iter->array);
  if (cell == NULL) return NULL;
  if (iter->next < cell->size) return element(cell, iter->next++);
  Py_CLEAR(iter->array);
  return NULL;
}

static PyObject* iter_length_hint(PyObject* self, PyObject* unused) {
  (void)unused;
  ArrayIter* iter = (ArrayIter*)self;
  if (iter->array == NULL) return PyLong_FromLong(0);
  Py_ssize_t length = array_length(iter->array);
  return length < 0 ? NULL : PyLong_FromSsize_t(length > iter->next ? length - iter->next : 0);
}

static void iter_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Py_XDECREF(((ArrayIter*)self)->array);
  PyObject_GC_Del(self);
}

static int iter_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(((ArrayIter*)self)->array);
  return 0;
}

static PyMethodDef iter_methods[] = {{"__length_hint__", iter_length_hint, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};

PyTypeObject SsArrayIter_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)  //
        .tp_name = "selfsame._core.ArrayIterator",
    .tp_basicsize = sizeof(ArrayIter),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = iter_dealloc,
    .tp_traverse = iter_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = iter_next,
    .tp_methods = iter_methods,
};

static PyMappingMethods as_mapping = {.mp_length = array_length, .mp_subscript = array_subscript};
static PySequenceMethods as_sequence = {
    .sq_length = array_length, .sq_item = array_item, .sq_contains = array_contains, .sq_concat = array_concat};

PyTypeObject SsArray_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)  //
        .tp_name = "selfsame._core.ArrayBase",
    .tp_doc = "The native half of selfsame.Array.",
    .tp_basicsize = sizeof(SsWrapper),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_base = &SsObject_Type,
    .tp_dealloc = ss_dealloc_static,
    .tp_traverse = ss_traverse,
    .tp_clear = ss_clear,
    .tp_init = array_init,
    .tp_iter = array_iter,
    .tp_as_mapping = &as_mapping,
    .tp_as_sequence = &as_sequence,
};
