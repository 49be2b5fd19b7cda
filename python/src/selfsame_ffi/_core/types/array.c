// Array, the immutable sequence; reading is in sequence.c.
#include "types/types.h"

#include "wrapper/classes.h"
#include "convert/convert.h"
#include "types/sequence.h"
#include "wrapper/fetch.h"
#include "wrapper/tp_slots.h"

static PyObject* array_concat(PyObject* self, PyObject* other) {
  PyObject* sum = ss_seq_joined(self, other);
  TVMFFIObject* array = sum == NULL ? NULL : ss_array_from_sequence(sum, NULL);
  Py_XDECREF(sum);
  return array == NULL ? NULL : ss_fetch(array);
}

static int array_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* items;
  if (ss_seq_init_items(self, args, kwargs, "|O:Array", 1, &items) != 0) return -1;
  TVMFFIObject* array = ss_array_from_sequence(items, NULL);
  Py_DECREF(items);
  if (array == NULL) ss_prefix_error("%.100s: ", Py_TYPE(self)->tp_name);
  return array == NULL ? -1 : ss_construct(ss_wrapper(self), array);
}

static PyMethodDef methods[] = {
    {"_find", ss_seq_find, METH_VARARGS,
     "_find($self, value, start, stop, /)\n--\n\nThe index of the first element that equals a value, or -1."},
    {"count", ss_seq_count, METH_O, "count($self, value, /)\n--\n\nThe number of elements that equal a value."},
    {NULL, NULL, 0, NULL}};

static PyMappingMethods as_mapping = {.mp_length = SS_GUARDED(ss_seq_length), .mp_subscript = ss_seq_subscript};
static PySequenceMethods as_sequence = {.sq_length = SS_GUARDED(ss_seq_length),
                                        .sq_item = SS_GUARDED(ss_seq_item),
                                        .sq_contains = ss_seq_contains,
                                        .sq_concat = array_concat};

PyTypeObject SsArray_Type = {
    SS_WRAPPER_TYPE("selfsame_ffi._core.ArrayBase", "The native half of selfsame_ffi.Array.", &SsObject_Type, SsWrapper,
                    Py_TPFLAGS_BASETYPE),
    .tp_init = array_init,
    .tp_iter = ss_seq_iter,
    .tp_methods = methods,
    .tp_as_mapping = &as_mapping,
    .tp_as_sequence = &as_sequence,
};
