// The floor of the comparison: for each operation the least work that CPython's C API allows, without a native object.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <stdint.h>

#include "floor_elements.h"
#include "floor_record.h"

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

// The least that the ABI allows: functions are objects of a type of their own, not builtin functions, and are called by the
// address in their cell, with values that have a type, which the callee checks. It takes a reference to the argument's native
// object for its result, which the caller gives back.
typedef struct {
  int32_t type_index, length;
  int64_t bits;
} Any;
enum { ANY_INT = 1, ANY_OBJECT = 64 };

static uint64_t count = 1;

typedef struct {
  PyObject_HEAD vectorcallfunc call;
} Function;

static int echo_any(void* handle, const Any* args, int32_t num_args, Any* result) {
  (void)handle;
  if (num_args != 1 || args[0].type_index < ANY_OBJECT) return -1;
  __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  *result = args[0];
  return 0;
}

static int (*volatile echo_by_address)(void*, const Any*, int32_t, Any*) = echo_any;

static PyObject* echo_counted(PyObject* self, PyObject* const* args, size_t count_of_args, PyObject* names) {
  Any arg = {ANY_OBJECT, 0, (int64_t)(intptr_t)args[0]}, result = {0, 0, 0};
  if (names != NULL || echo_by_address(self, &arg, (int32_t)PyVectorcall_NARGS(count_of_args), &result) != 0) {
    return PyErr_Format(PyExc_TypeError, "echo: expected an object");
  }
  __atomic_fetch_sub(&count, 1, __ATOMIC_RELEASE);
  PyObject* echoed = (PyObject*)(intptr_t)result.bits;
  Py_INCREF(echoed);
  return echoed;
}

static PyObject* echo_released_counted(PyObject* self, PyObject* const* args, size_t count_of_args, PyObject* names) {
  PyEval_RestoreThread(PyEval_SaveThread());  // before the call: it costs the same
  return echo_counted(self, args, count_of_args, names);
}

static PyTypeObject function_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "floor.Function",
                                     .tp_basicsize = sizeof(Function),
                                     .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
                                     .tp_call = PyVectorcall_Call, .tp_vectorcall_offset = offsetof(Function, call)};

static int add_function(PyObject* module, const char* name, vectorcallfunc call) {
  Function* made = PyObject_New(Function, &function_type);
  if (made == NULL) return -1;
  made->call = call;
  return PyModule_AddObject(module, name, (PyObject*)made);
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

// Calls a function with the 8 objects of a list, n times.
static PyObject* call8(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *function, *nodes;
  Py_ssize_t n;
  if (!PyArg_ParseTuple(args, "OO!n", &function, &PyList_Type, &nodes, &n)) return NULL;
  PyObject* values[9] = {NULL};
  for (Py_ssize_t i = 0; i < 8; i++) values[i + 1] = PyList_GET_ITEM(nodes, i);
  for (Py_ssize_t k = 0; k < n; k++) {
    PyObject* result = PyObject_Vectorcall(function, values + 1, 8 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    if (result == NULL) return NULL;
    Py_DECREF(result);
  }
  Py_RETURN_NONE;
}

// The same by the rules of the ABI: the callee is called by an address, with values that have a type, and finds each object
// by the record of its native object.
typedef struct {
  uint64_t counts;
  PyObject** record;  // has the wrapper, or a word with tags
} Native;

static int call_objects(void* handle, const Any* args, int32_t num_args, Any* result) {
  PyObject* values[9] = {NULL};
  if (num_args != 8 || !PyGILState_Check() || PyErr_Occurred()) return -1;
  for (int i = 0; i < 8; i++) {
    if (args[i].type_index < ANY_OBJECT) return -1;
    values[i + 1] = *((Native*)(intptr_t)args[i].bits)->record;
    if (((uintptr_t)values[i + 1] & 7) != 0) return -1;
  }
  for (int i = 1; i < 9; i++) Py_INCREF(values[i]);
  Py_INCREF((PyObject*)handle);  // the call may release the last other reference
  PyObject* answer = PyObject_Vectorcall(handle, values + 1, 8 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
  Py_DECREF((PyObject*)handle);
  for (int i = 1; i < 9; i++) Py_DECREF(values[i]);
  Py_XDECREF(answer);
  *result = (Any){0, 0, 0};
  return answer == Py_None ? 0 : -1;
}

static int (*volatile objects_by_address)(void*, const Any*, int32_t, Any*) = call_objects;

static PyObject* call8_abi(PyObject* module, PyObject* args) {
  PyObject *function, *nodes;
  Py_ssize_t n;
  if (module == NULL || !PyArg_ParseTuple(args, "OO!n", &function, &PyList_Type, &nodes, &n)) return NULL;
  Native natives[8];
  for (int i = 0; i < 8; i++) natives[i] = (Native){1, &((PyListObject*)nodes)->ob_item[i]};
  for (Py_ssize_t k = 0; k < n; k++) {
    Any packed[8], result;
    for (int i = 0; i < 8; i++) packed[i] = (Any){ANY_OBJECT, 0, (int64_t)(intptr_t)&natives[i]};
    if (objects_by_address(function, packed, 8, &result) != 0) return NULL;
  }
  Py_RETURN_NONE;
}

// The least of a call from Python into Go: an int to C, a bare callback of cgo (gocalls.bare_address), an int to
// Python. The least of a call from Go into Python: what bare_calls of gocalls calls through cgo for each item.
static int64_t (*into_go)(int64_t);
static PyObject* callee;

static PyObject* set_into_go(PyObject* module, PyObject* address) {
  (void)module;
  into_go = (int64_t(*)(int64_t))PyLong_AsVoidPtr(address);
  if (into_go == NULL) return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "set_into_go: got NULL");
  Py_RETURN_NONE;
}

static PyObject* int_to_int(PyObject* module, PyObject* x) {
  (void)module;
  int64_t n = PyLong_AsLongLong(x);
  if (n == -1 && PyErr_Occurred()) return NULL;
  return PyLong_FromLongLong(into_go(n));
}

static PyObject* int_to_int_released(PyObject* module, PyObject* x) {
  (void)module;
  int64_t n = PyLong_AsLongLong(x);
  if (n == -1 && PyErr_Occurred()) return NULL;
  PyThreadState* state = PyEval_SaveThread();
  n = into_go(n);
  PyEval_RestoreThread(state);
  return PyLong_FromLongLong(n);
}

static int64_t call_item(int64_t n) {
  PyObject* args[2] = {NULL, PyLong_FromLongLong(n)};
  PyObject* result = PyObject_Vectorcall(callee, args + 1, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
  int64_t made = result == NULL ? -1 : PyLong_AsLongLong(result);
  Py_XDECREF(result);
  Py_DECREF(args[1]);
  return made;
}

// The same by the rules of the ABI: a safe call, whose arguments and result are values with a type. It may come on a
// thread without the GIL and while an exception is set, and it reports every error.
static int safe_call(void* handle, const Any* args, int32_t count, Any* result) {
  if (count < 0 || (count > 0 && args == NULL) || !PyGILState_Check() || PyErr_Occurred()) return -1;
  PyObject* function = handle;
  PyObject* values[2] = {NULL, NULL};
  if (count != 1 || args[0].type_index != ANY_INT) return -1;
  values[1] = PyLong_FromLongLong(args[0].bits);
  if (values[1] == NULL) return -1;
  Py_INCREF(function);  // the call may release the last other reference
  PyObject* answer = PyObject_Vectorcall(function, values + 1, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
  Py_DECREF(function);
  Py_DECREF(values[1]);
  int overflow = 0, rc = -1;
  if (answer != NULL && PyLong_CheckExact(answer)) {
    *result = (Any){ANY_INT, 0, PyLong_AsLongLongAndOverflow(answer, &overflow)};
    rc = overflow == 0 ? 0 : -1;
  }
  Py_XDECREF(answer);
  return rc;
}

static int (*volatile by_address)(void*, const Any*, int32_t, Any*) = safe_call;  // as in the cell of a Function

static int64_t call_item_abi(int64_t n) {
  Any arg = {ANY_INT, 0, n}, result = {0, 0, 0};
  return by_address(callee, &arg, 1, &result) == 0 && result.type_index == ANY_INT ? result.bits : -1;
}

// The address of a C function that calls `function` with an int and returns its int.
static PyObject* item_caller(PyObject* module, PyObject* function) {
  (void)module;
  Py_INCREF(function);
  Py_XSETREF(callee, function);
  return PyLong_FromVoidPtr((void*)call_item);
}

static PyObject* item_caller_abi(PyObject* module, PyObject* function) {
  PyObject* other = item_caller(module, function);
  Py_XDECREF(other);
  return other == NULL ? NULL : PyLong_FromVoidPtr((void*)call_item_abi);
}

// An entry of a native map, which owns the bytes of its key and an int.
typedef struct {
  char* key;
  Py_ssize_t size;
  int64_t value;
} Entry;

static void free_entries(Entry* entries, Py_ssize_t count) {
  for (Py_ssize_t i = 0; i < count; i++) free(entries[i].key);
  free(entries);
}

static Entry* copy_entries(PyObject* dict, Py_ssize_t* count) {
  Entry* entries = malloc(((size_t)PyDict_GET_SIZE(dict) + 1) * sizeof(Entry));
  if (entries == NULL) return (Entry*)PyErr_NoMemory();
  PyObject *key, *value;
  for (Py_ssize_t at = 0, size = 0; PyDict_Next(dict, &at, &key, &value);) {
    const char* text = PyUnicode_AsUTF8AndSize(key, &size);
    if (text == NULL) break;
    int64_t number = PyLong_AsLongLong(value);
    if (number == -1 && PyErr_Occurred()) break;
    char* bytes = malloc((size_t)size + 1);
    if (bytes == NULL) {
      PyErr_NoMemory();
      break;
    }
    memcpy(bytes, text, (size_t)size + 1);
    entries[(*count)++] = (Entry){bytes, size, number};
  }
  if (!PyErr_Occurred()) return entries;
  free_entries(entries, *count);
  return NULL;
}

// The least that a dict's way there and back takes: an array of entries without a table, and Python's own objects.
static PyObject* entries_there_and_back(PyObject* module, PyObject* dict) {
  (void)module;
  if (!PyDict_Check(dict)) return PyErr_Format(PyExc_TypeError, "expected a dict");
  Py_ssize_t count = 0;
  Entry* entries = copy_entries(dict, &count);
  if (entries == NULL) return NULL;
  PyObject* made = PyDict_New();
  for (Py_ssize_t i = 0; made != NULL && i < count; i++) {
    PyObject* key = PyUnicode_FromStringAndSize(entries[i].key, entries[i].size);
    PyObject* value = PyLong_FromLongLong(entries[i].value);
    if (key == NULL || value == NULL || PyDict_SetItem(made, key, value) != 0) Py_CLEAR(made);
    Py_XDECREF(key);
    Py_XDECREF(value);
  }
  free_entries(entries, count);
  return made;
}

// The same of a list of ints: an array of numbers, and Python's own ints.
static PyObject* ints_there_and_back(PyObject* module, PyObject* list) {
  (void)module;
  if (!PyList_Check(list)) return PyErr_Format(PyExc_TypeError, "expected a list");
  Py_ssize_t count = PyList_GET_SIZE(list);
  long long* numbers = malloc((size_t)count * sizeof(*numbers) + 1);
  if (numbers == NULL) return PyErr_NoMemory();
  for (Py_ssize_t i = 0; i < count; i++) numbers[i] = PyLong_AsLongLong(PyList_GET_ITEM(list, i));
  PyObject* made = PyErr_Occurred() ? NULL : PyList_New(count);
  for (Py_ssize_t i = 0; made != NULL && i < count; i++) {
    PyObject* number = PyLong_FromLongLong(numbers[i]);
    if (number == NULL) {
      Py_CLEAR(made);
    } else {
      PyList_SET_ITEM(made, i, number);
    }
  }
  free(numbers);
  return made;
}

static PyMethodDef methods[] = {{"echo", echo, METH_O, NULL},
                                {"echo_released", echo_released, METH_O, NULL},
                                {"make", make, METH_O, NULL},
                                {"call8", call8, METH_VARARGS, NULL},
                                {"set_into_go", set_into_go, METH_O, NULL},
                                {"int_to_int", int_to_int, METH_O, NULL},
                                {"int_to_int_released", int_to_int_released, METH_O, NULL},
                                {"item_caller", item_caller, METH_O, NULL},
                                {"item_caller_abi", item_caller_abi, METH_O, NULL},
                                {"make_abi", make, METH_O, NULL},
                                {"entries_there_and_back", entries_there_and_back, METH_O, NULL},
                                {"call8_abi", call8_abi, METH_VARARGS, NULL},
                                {"ints_there_and_back", ints_there_and_back, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "floor_ext", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_floor_ext(void) {
  PyTypeObject* types[] = {&node_type, &function_type, &elements_type, &elements_iter_type, &record_type};
  for (int i = 0; i < 5; i++) {
    if (PyType_Ready(types[i]) < 0) return NULL;
  }
  PyObject* made = PyModule_Create(&module);
  if (made != NULL && (add_function(made, "echo_abi", echo_counted) != 0 ||
                       add_function(made, "echo_released_abi", echo_released_counted) != 0 ||
                       PyModule_AddObject(made, "Elements", (PyObject*)&elements_type) != 0 ||
                       PyModule_AddObject(made, "Record", (PyObject*)&record_type) != 0)) {
    Py_CLEAR(made);
  }
  return made;
}
