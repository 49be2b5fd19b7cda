// Array: the immutable sequence.
#include "types/array.h"

#include "wrapper/classes.h"
#include "convert/convert.h"
#include "types/sequence.h"
#include "wrapper/fetch.h"

static PyObject* array_concat(PyObject* self, PyObject* other) {
  PyObject* sum = ss_seq_joined(self, other);
  TVMFFIObject* array = sum == NULL ? NULL : ss_array_from_sequence(sum);
  Py_XDECREF(sum);
  return array == NULL ? NULL : ss_fetch(array);
}

static int array_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* items;
  if (ss_seq_init_items(self, args, kwargs, "|O:Array", &items) != 0) return -1;
  TVMFFIObject* array = ss_array_from_sequence(items);
  Py_DECREF(items);
  return array == NULL ? -1 : ss_adopt(ss_wrapper(self), array);
}

static PyMappingMethods as_mapping = {.mp_length = SS_GUARDED(ss_seq_length), .mp_subscript = ss_seq_subscript};
static PySequenceMethods as_sequence = {.sq_length = SS_GUARDED(ss_seq_length),
                                        .sq_item = SS_GUARDED(ss_seq_item),
                                        .sq_contains = ss_seq_contains,
                                        .sq_concat = array_concat};

PyTypeObject SsArray_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)  //
        .tp_name = "selfsame_ffi._core.ArrayBase",
    .tp_doc = "The native half of selfsame_ffi.Array.",
    .tp_basicsize = sizeof(SsWrapper),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_base = &SsObject_Type,
    .tp_dealloc = ss_dealloc_static,
    .tp_traverse = ss_traverse,
    .tp_clear = ss_clear,
    .tp_init = array_init,
    .tp_iter = ss_seq_iter,
    .tp_as_mapping = &as_mapping,
    .tp_as_sequence = &as_sequence,
};
