#include "wrapper/weak_references.h"

#include "tie/replaced_function.h"
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
static PyCFunction before[3];

static PyObject* objects(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  return counted(((WithNames)(void (*)(void))before[OBJECTS])(self, args, count, names));
}
static PyObject* referrers_of_tuple(PyObject* self, PyObject* args) {
  return counted(((WithTuple)before[REFERRERS])(self, args));
}
static PyObject* referrers_of_array(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  return counted(((WithArray)(void (*)(void))before[REFERRERS])(self, args, count));
}
static PyObject* referents_of_tuple(PyObject* self, PyObject* args) {
  return counted(((WithTuple)before[REFERENTS])(self, args));
}
static PyObject* referents_of_array(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  return counted(((WithArray)(void (*)(void))before[REFERENTS])(self, args, count));
}

// The signatures of CPython 3.9 to 3.15.
#define METHOD(function) (PyCFunction)(void (*)(void))(function)
static const struct {
  const char* name;  // in the module gc
  PyCFunction own;   // what stands there instead
  int which;         // the place of CPython's own function
  int flags;         // METH_ bits of both
} known[] = {
    {"get_objects", METHOD(objects), OBJECTS, METH_FASTCALL | METH_KEYWORDS},
    {"get_referrers", METHOD(referrers_of_tuple), REFERRERS, METH_VARARGS},
    {"get_referrers", METHOD(referrers_of_array), REFERRERS, METH_FASTCALL},
    {"get_referents", METHOD(referents_of_tuple), REFERENTS, METH_VARARGS},
    {"get_referents", METHOD(referents_of_array), REFERENTS, METH_FASTCALL},
};

int ss_gc_functions_init(void) {
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
    if (ss_replace_function("gc", known[i].name, known[i].flags, known[i].own, &before[known[i].which]) != 0) return -1;
  }
  return 0;
}
