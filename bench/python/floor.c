// The floor of the comparison: for each operation the least work that CPython's C API allows, without a native object.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

typedef struct {
  PyObject_HEAD PyObject* x;
  long long i;
} Node;

static PyTypeObject node_type;

static PyObject* get_x(PyObject* self, void* closure) {
  (void)closure;
  PyObject* x = ((Node*)self)->x;
  Py_INCREF(x);
  return x;
}

// A fetch after the wrapper was dropped must make at least a new Python object.
static PyObject* get_fresh(PyObject* self, void* closure) {
  (void)self;
  (void)closure;
  Node* fresh = PyObject_GC_New(Node, &node_type);
  if (fresh == NULL) return NULL;
  fresh->x = NULL;
  fresh->i = 7;
  PyObject_GC_Track(fresh);
  return (PyObject*)fresh;
}

static PyObject* get_i(PyObject* self, void* closure) {
  (void)closure;
  return PyLong_FromLongLong(((Node*)self)->i);
}

static int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(((Node*)self)->x);
  return 0;
}

static void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Py_XDECREF(((Node*)self)->x);
  PyObject_GC_Del(self);
}

static PyGetSetDef getset[] = {{"x", get_x, NULL, NULL, NULL},
                               {"fresh", get_fresh, NULL, NULL, NULL},
                               {"i", get_i, NULL, NULL, NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

static PyTypeObject node_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "floor.Node",
                                 .tp_basicsize = sizeof(Node),
                                 .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                                 .tp_dealloc = dealloc,
                                 .tp_traverse = traverse,
                                 .tp_getset = getset};

static PyObject* echo(PyObject* module, PyObject* x) {
  (void)module;
  Py_INCREF(x);
  return x;
}

static PyObject* echo_released(PyObject* module, PyObject* x) {
  (void)module;
  PyEval_RestoreThread(PyEval_SaveThread());
  Py_INCREF(x);
  return x;
}

static PyObject* make(PyObject* module, PyObject* x) {
  (void)module;
  Node* node = PyObject_GC_New(Node, &node_type);
  if (node == NULL) return NULL;
  Py_INCREF(x);
  node->x = x;
  node->i = 7;
  PyObject_GC_Track(node);
  return (PyObject*)node;
}

static PyMethodDef methods[] = {{"echo", echo, METH_O, NULL},
                                {"echo_released", echo_released, METH_O, NULL},
                                {"make", make, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "floor_ext", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_floor_ext(void) {
  if (PyType_Ready(&node_type) < 0) return NULL;
  return PyModule_Create(&module);
}
