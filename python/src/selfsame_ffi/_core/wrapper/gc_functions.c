#include "wrapper/gc_functions.h"

#include "wrapper/classes.h"

// The wrappers in the result of one of the functions, which may be NULL.
static PyObject* counted(PyObject* result) {
  for (Py_ssize_t i = 0; result != NULL && PyList_CheckExact(result) && i < PyList_GET_SIZE(result); i++) {
    PyObject* item = PyList_GET_ITEM(result, i);
    if (!ss_is_wrapper(item) || !(ss_flags(ss_wrapper(item)) & SS_HELD)) continue;
    if (ss_pin(ss_wrapper(item)) != NULL) ss_unpin_as_is(ss_wrapper(item));
  }
  return result;
}

typedef PyObject* (*WithTuple)(PyObject*, PyObject*);
typedef PyObject* (*WithArray)(PyObject*, PyObject* const*, Py_ssize_t);
typedef PyObject* (*WithNames)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

enum { OBJECTS, REFERRERS, REFERENTS };
static PyMethodDef before[3], after[3];

static PyObject* objects(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  return counted(((WithNames)(void (*)(void))before[OBJECTS].ml_meth)(self, args, count, names));
}
static PyObject* referrers_of_tuple(PyObject* self, PyObject* args) {
  return counted(((WithTuple)before[REFERRERS].ml_meth)(self, args));
}
static PyObject* referrers_of_array(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  return counted(((WithArray)(void (*)(void))before[REFERRERS].ml_meth)(self, args, count));
}
static PyObject* referents_of_tuple(PyObject* self, PyObject* args) {
  return counted(((WithTuple)before[REFERENTS].ml_meth)(self, args));
}
static PyObject* referents_of_array(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  return counted(((WithArray)(void (*)(void))before[REFERENTS].ml_meth)(self, args, count));
}

// The signatures of CPython 3.9 to 3.15.
#define METHOD(function) (PyCFunction)(void (*)(void))(function)
static const struct {
  const char* name;
  PyCFunction own;
  int which;
  int flags;
} known[] = {
    {"get_objects", METHOD(objects), OBJECTS, METH_FASTCALL | METH_KEYWORDS},
    {"get_referrers", METHOD(referrers_of_tuple), REFERRERS, METH_VARARGS},
    {"get_referrers", METHOD(referrers_of_array), REFERRERS, METH_FASTCALL},
    {"get_referents", METHOD(referents_of_tuple), REFERENTS, METH_VARARGS},
    {"get_referents", METHOD(referents_of_array), REFERENTS, METH_FASTCALL},
};

int ss_gc_functions_init(void) {
  PyObject* module = PyImport_ImportModule("gc");
  for (size_t i = 0; module != NULL && i < sizeof(known) / sizeof(known[0]); i++) {
    PyObject* function = PyObject_GetAttrString(module, known[i].name);
    if (function == NULL) {
      Py_CLEAR(module);
      break;
    }
    if (PyCFunction_CheckExact(function) && PyCFunction_GET_FLAGS(function) == known[i].flags &&
        before[known[i].which].ml_meth == NULL) {
      PyMethodDef* method = &after[known[i].which];
      *method = before[known[i].which] = *((PyCFunctionObject*)function)->m_ml;
      method->ml_meth = known[i].own;
      __atomic_store_n(&((PyCFunctionObject*)function)->m_ml, method, __ATOMIC_RELEASE);
    }
    Py_DECREF(function);
  }
  Py_XDECREF(module);
  return module == NULL ? -1 : 0;
}
