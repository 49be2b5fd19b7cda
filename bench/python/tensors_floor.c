// What the DLPack C exchange itself costs: each function makes the calls of the protocol alone, and gives up what it
// gets.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <dlpack/dlpack.h>
#include <stdlib.h>

static const DLPackExchangeAPI* table;

// What the ABI passes to a function, and an object of it that owns a reference to one of Python.
typedef struct {
  uint64_t counts;
  int32_t type_index, padding;
  void (*deleter)(void* self, int flags);
  PyObject* value;  // owned
} Opaque;

typedef struct {
  int32_t type_index, padding;
  union {
    Opaque* object;
    DLTensor* tensor;
    double number;
  };
} Any;

enum { ANY_FLOAT = 3, ANY_TENSOR = 7, ANY_OPAQUE = 74 };

static int takes_any(void* handle, const Any* args, int32_t count, Any* result) {
  (void)handle;
  for (int32_t i = 0; i < count; i++) {
    if (args[i].type_index == 0) return -1;
  }
  *result = (Any){.type_index = 0};
  return 0;
}

static int (*volatile safe_call)(void*, const Any*, int32_t, Any*) = takes_any;

static PyObject* use(PyObject* module, PyObject* cls) {
  (void)module;
  PyObject* capsule = PyObject_GetAttrString(cls, "__dlpack_c_exchange_api__");
  if (capsule == NULL) return NULL;
  table = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
  Py_DECREF(capsule);
  if (table == NULL) return NULL;
  Py_RETURN_NONE;
}

// As arguments of TensorView parameters, and as those of Tensor parameters that nobody keeps.
static PyObject* view(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  for (Py_ssize_t i = 0; i < count; i++) {
    DLTensor tensor;
    if (table->dltensor_from_py_object_no_sync(args[i], &tensor) != 0) return NULL;
  }
  Py_RETURN_NONE;
}

// As arguments of a kernel in Go: one crossing by a bare cgo callback, without the GIL, as a call of a kernel has it.
static int64_t (*into_go)(int64_t);

static PyObject* set_into_go(PyObject* module, PyObject* address) {
  (void)module;
  into_go = (int64_t(*)(int64_t))PyLong_AsVoidPtr(address);
  if (into_go == NULL) return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "set_into_go: got NULL");
  Py_RETURN_NONE;
}

static PyObject* view_in_go(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  PyObject* described = view(module, args, count);
  if (described == NULL) return NULL;
  PyThreadState* state = PyEval_SaveThread();
  into_go((int64_t)count);
  PyEval_RestoreThread(state);
  return described;
}

// The same for a kernel in C, called by its address with values that have a type.
static PyObject* view_released(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  DLTensor tensors[8];
  Any packed[8], result;
  if (count > 8) return PyErr_Format(PyExc_TypeError, "view_released: too many arguments");
  for (Py_ssize_t i = 0; i < count; i++) {
    if (table->dltensor_from_py_object_no_sync(args[i], &tensors[i]) != 0) return NULL;
    packed[i] = (Any){.type_index = ANY_TENSOR, .tensor = &tensors[i]};
  }
  PyThreadState* state = PyEval_SaveThread();
  int rc = safe_call(NULL, packed, (int32_t)count, &result);
  PyEval_RestoreThread(state);
  if (rc != 0) return PyErr_Format(PyExc_RuntimeError, "the call failed");
  Py_RETURN_NONE;
}

// As a Tensor of from_dlpack, which owns the memory.
static PyObject* own(PyObject* module, PyObject* arg) {
  (void)module;
  DLManagedTensorVersioned* managed;
  if (table->managed_tensor_from_py_object_no_sync(arg, &managed) != 0) return NULL;
  managed->deleter(managed);
  Py_RETURN_NONE;
}

static float memory[8];
static int64_t shape[] = {8}, strides[] = {1};
static void keep(DLManagedTensorVersioned* managed) { (void)managed; }

// What another package asks a Tensor for by the Python protocol: its device, and a capsule with a new description.
static void delete_managed(DLManagedTensorVersioned* managed) { free(managed); }

static void delete_capsule(PyObject* capsule) {
  DLManagedTensorVersioned* managed =
      PyCapsule_IsValid(capsule, "dltensor_versioned") ? PyCapsule_GetPointer(capsule, "dltensor_versioned") : NULL;
  if (managed != NULL) managed->deleter(managed);
}

static PyObject* dlpack(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  (void)self;
  (void)args;
  (void)count;
  (void)names;
  DLManagedTensorVersioned* managed = malloc(sizeof(DLManagedTensorVersioned));
  if (managed == NULL) return PyErr_NoMemory();
  *managed = (DLManagedTensorVersioned){.version = {1, 0}, .deleter = delete_managed};
  managed->dl_tensor = (DLTensor){memory, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, strides, 0};
  PyObject* capsule = PyCapsule_New(managed, "dltensor_versioned", delete_capsule);
  if (capsule == NULL) free(managed);
  return capsule;
}

static PyObject* dlpack_device(PyObject* self, PyObject* unused) {
  (void)self;
  (void)unused;
  return Py_BuildValue("(ii)", (int)kDLCPU, 0);
}

static PyMethodDef exporter_methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))dlpack, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"__dlpack_device__", dlpack_device, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};
static PyTypeObject exporter_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "tensors_floor_ext.Exporter",
                                     .tp_basicsize = sizeof(PyObject), .tp_flags = Py_TPFLAGS_DEFAULT,
                                     .tp_new = PyType_GenericNew, .tp_methods = exporter_methods};

// The argument described, and a tensor of the package over other memory as the result.
static PyObject* fresh(PyObject* module, PyObject* arg) {
  static DLManagedTensorVersioned managed;
  DLTensor tensor;
  void* made;
  (void)module;
  if (table->dltensor_from_py_object_no_sync(arg, &tensor) != 0) return NULL;
  managed = (DLManagedTensorVersioned){.version = {1, 0}, .deleter = keep};
  managed.dl_tensor = (DLTensor){memory, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, strides, 0};
  return table->managed_tensor_to_py_object_no_sync(&managed, &made) == 0 ? made : NULL;
}

// An argument without a native form: an object of the ABI that owns a reference to it, made for the call, a call without the
// GIL by the address in a Function's cell, and the release. Nothing is looked up, noted or checked.
static void delete_opaque(void* self, int flags) {
  (void)flags;
  Py_DECREF(((Opaque*)self)->value);
  free(self);
}

static PyObject* call_released(const Any* arg) {
  Any result;
  PyThreadState* state = PyEval_SaveThread();
  int rc = safe_call(NULL, arg, 1, &result);
  PyEval_RestoreThread(state);
  if (rc != 0) return PyErr_Format(PyExc_RuntimeError, "the call failed");
  Py_RETURN_NONE;
}

static PyObject* opaque(PyObject* module, PyObject* value) {
  (void)module;
  Opaque* made = malloc(sizeof(Opaque));
  if (made == NULL) return PyErr_NoMemory();
  Py_INCREF(value);
  *made = (Opaque){.counts = 1, .type_index = ANY_OPAQUE, .deleter = delete_opaque, .value = value};
  PyObject* done = call_released(&(Any){.type_index = ANY_OPAQUE, .object = made});
  if (__atomic_sub_fetch(&made->counts, 1, __ATOMIC_ACQ_REL) == 0) made->deleter(made, 3);
  return done;
}

// A number of Python that is no float: what float(x) takes, and the call.
static PyObject* real(PyObject* module, PyObject* value) {
  (void)module;
  PyObject* number = PyNumber_Float(value);
  if (number == NULL) return NULL;
  Any arg = {.type_index = ANY_FLOAT, .number = PyFloat_AS_DOUBLE(number)};
  Py_DECREF(number);
  return call_released(&arg);
}

static PyMethodDef methods[] = {{"use", use, METH_O, NULL},
                                {"view", (PyCFunction)(void (*)(void))view, METH_FASTCALL, NULL},
                                {"set_into_go", set_into_go, METH_O, NULL},
                                {"view_in_go", (PyCFunction)(void (*)(void))view_in_go, METH_FASTCALL, NULL},
                                {"own", own, METH_O, NULL},
                                {"fresh", fresh, METH_O, NULL},
                                {"view_released", (PyCFunction)(void (*)(void))view_released, METH_FASTCALL, NULL},
                                {"opaque", opaque, METH_O, NULL},
                                {"real", real, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "tensors_floor_ext", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_tensors_floor_ext(void) {
  if (PyType_Ready(&exporter_type) < 0) return NULL;
  PyObject* made = PyModule_Create(&module);
  if (made != NULL && PyModule_AddObject(made, "Exporter", (PyObject*)&exporter_type) != 0) Py_CLEAR(made);
  return made;
}
