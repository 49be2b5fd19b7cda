// Telling CPython's collectors apart. The versions listed are those that the suite has passed on, or, for free-threaded
// 3.15, its tests of cycles, identity, states and threads. A release candidate counts as its release.
#include "gc/cpython_gc.h"

SsGcKind ss_gc_kind = SS_GC_UNKNOWN;

enum {
  FIRST = 0x030900,
  FIRST_FREE_THREADED = 0x030D00,
  FIRST_INCREMENTAL = 0x030E00,
  FIRST_MARKING = 0x030E00,
  GENERATIONS_AGAIN = 0x030E05,
  LAST_MINOR = 0x030F,
  CANDIDATE = 0xC0,  // 3.15's early alphas had the incremental collector: alphas and betas are not known
};

static SsGcKind kind_of(unsigned long hexversion) {
  unsigned long release = hexversion >> 8;
  unsigned long level = hexversion & 0xF0;
  if (release >> 8 > LAST_MINOR || level < CANDIDATE) return SS_GC_UNKNOWN;
  if (SS_FREE_THREADED) {
    if (release < FIRST_FREE_THREADED) return SS_GC_UNKNOWN;
    return release < FIRST_MARKING ? SS_GC_WHOLE_HEAP : SS_GC_MARKS_FIRST;
  }
  if (release < FIRST) return SS_GC_UNKNOWN;
  return release >= FIRST_INCREMENTAL && release < GENERATIONS_AGAIN ? SS_GC_INCREMENTS : SS_GC_GENERATIONS;
}

int ss_gc_recognize(void) {
  PyObject* implementation = PySys_GetObject("implementation");
  PyObject* hexversion = PySys_GetObject("hexversion");
  PyObject* name = implementation == NULL ? NULL : PyObject_GetAttrString(implementation, "name");
  if (name == NULL || hexversion == NULL) {
    Py_XDECREF(name);
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ImportError, "sys has no implementation or no hexversion");
    return -1;
  }
  int cpython = PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "cpython") == 0;
  Py_DECREF(name);
  unsigned long version = PyLong_AsUnsignedLong(hexversion);
  if (version == (unsigned long)-1 && PyErr_Occurred()) return -1;
  ss_gc_kind = cpython ? kind_of(version) : SS_GC_UNKNOWN;
  return 0;
}

PyObject* ss_gc_name(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  static const char* const names[] = {
      [SS_GC_GENERATIONS] = "generations",
      [SS_GC_INCREMENTS] = "increments",
      [SS_GC_WHOLE_HEAP] = "whole heap",
      [SS_GC_MARKS_FIRST] = "marks first",
  };
  if (ss_gc_kind == SS_GC_UNKNOWN) Py_RETURN_NONE;
  return PyUnicode_FromString(names[ss_gc_kind]);
}
