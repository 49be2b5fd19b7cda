// CObject: the base of every wrapper class.
#include "classes.h"
#include "function.h"
#include "move.h"
#include "tie_states.h"

static PyObject* object_new(PyTypeObject* cls, PyObject* args, PyObject* kwargs) {
  (void)args;  // __init__ has them
  (void)kwargs;
  return ss_class_new_wrapper(cls);
}

static int object_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  (void)args;
  (void)kwargs;
  PyErr_Format(PyExc_TypeError, "%.100s has no constructor that Python can call", Py_TYPE(self)->tp_name);
  return -1;
}

static PyObject* chandle(PyObject* self, PyObject* unused) {
  (void)unused;
  return PyLong_FromVoidPtr(ss_wrapper(self)->handle);
}

static PyObject* same_as(PyObject* self, PyObject* other) {
  if (!ss_is_wrapper(other)) Py_RETURN_FALSE;
  return PyBool_FromLong(self == other ||
                         (ss_wrapper(self)->handle != NULL && ss_wrapper(self)->handle == ss_wrapper(other)->handle));
}

static PyObject* move(PyObject* self, PyObject* unused) {
  (void)unused;
  return ss_wrapper(self)->handle == NULL ? ss_no_handle(self) : ss_rvalue_ref(self);
}

static PyObject* refuse_pickle(PyObject* self, PyObject* unused) {
  (void)unused;
  PyErr_Format(PyExc_TypeError, "%.100s objects cannot be pickled or copied yet", Py_TYPE(self)->tp_name);
  return NULL;
}

static PyObject* refuse_setstate(PyObject* self, PyObject* state) {
  (void)state;
  return refuse_pickle(self, NULL);
}

static PyMethodDef methods[] = {
    {"__chandle__", chandle, METH_NOARGS, "__chandle__($self, /)\n--\n\nAddress of the native object, 0 without one."},
    {"id_", chandle, METH_NOARGS, "id_($self, /)\n--\n\nA number that names the native object while it lives."},
    {"same_as", same_as, METH_O, "same_as($self, other, /)\n--\n\nWhether other is the same native object."},
    {"is_", same_as, METH_O, "is_($self, other, /)\n--\n\nWhether other is the same native object."},
    {"_move", move, METH_NOARGS,
     "_move($self, /)\n--\n\nAn argument that hands the native object over to the function it is passed to. Every use "
     "of "
     "this wrapper raises an error from then on."},
    {"__reduce__", refuse_pickle, METH_NOARGS, "__reduce__($self, /)\n--\n\nNot supported: TypeError."},
    {"__reduce_ex__", refuse_setstate, METH_O, "__reduce_ex__($self, protocol, /)\n--\n\nNot supported: TypeError."},
    {"__copy__", refuse_pickle, METH_NOARGS, "__copy__($self, /)\n--\n\nNot supported: TypeError."},
    {"__deepcopy__", refuse_setstate, METH_O, "__deepcopy__($self, memo, /)\n--\n\nNot supported: TypeError."},
    {"__setstate__", refuse_setstate, METH_O, "__setstate__($self, state, /)\n--\n\nNot supported: TypeError."},
    {NULL, NULL, 0, NULL}};

PyTypeObject SsObject_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)  //
        .tp_name = "selfsame._core.CObject",
    .tp_doc = "The Python face of a native object: one per native object, equal only to itself.",
    .tp_basicsize = sizeof(SsWrapper),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_new = object_new,
    .tp_init = object_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_free = PyObject_GC_Del,
    .tp_dealloc = ss_dealloc_static,
    .tp_traverse = ss_traverse,
    .tp_clear = ss_clear,
    .tp_methods = methods,
};
