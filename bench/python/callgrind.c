// Lets profile.py tell callgrind, or step.c, when to count.
#include <Python.h>
#include <stdlib.h>
#include <valgrind/callgrind.h>

// Tells step.c; returns whether the process runs under it.
static int stop_for_step(void) {
  if (getenv("SELFSAME_STEP") == NULL) return 0;
  __asm__ volatile("int3");
  return 1;
}

static PyObject* begin(PyObject* module, PyObject* none) {
  (void)module;
  (void)none;
  if (stop_for_step()) Py_RETURN_NONE;
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  Py_RETURN_NONE;
}

// Writes what was counted since begin() to a file: callgrind names it by its number.
static PyObject* end(PyObject* module, PyObject* none) {
  (void)module;
  (void)none;
  if (stop_for_step()) Py_RETURN_NONE;
  CALLGRIND_DUMP_STATS;
  CALLGRIND_STOP_INSTRUMENTATION;
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"begin", begin, METH_NOARGS, NULL}, {"end", end, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "callgrind_ext", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_callgrind_ext(void) { return PyModule_Create(&module); }
