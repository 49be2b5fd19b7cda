// Lets profile.py tell callgrind when to count.
#include <Python.h>
#include <valgrind/callgrind.h>

static PyObject* begin(PyObject* module, PyObject* none) {
  (void)module;
  (void)none;
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  Py_RETURN_NONE;
}

// Writes what was counted since begin() to a file, which callgrind names by its number.
static PyObject* end(PyObject* module, PyObject* none) {
  (void)module;
  (void)none;
  CALLGRIND_DUMP_STATS;
  CALLGRIND_STOP_INSTRUMENTATION;
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"begin", begin, METH_NOARGS, NULL}, {"end", end, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "callgrind_ext", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_callgrind_ext(void) { return PyModule_Create(&module); }
