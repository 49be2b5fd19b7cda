// What the DLPack C exchange itself costs: each function makes the calls of the protocol alone, and gives up what it
// gets.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <dlpack/dlpack.h>

static const DLPackExchangeAPI* table;

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

static PyMethodDef methods[] = {{"use", use, METH_O, NULL},
                                {"view", (PyCFunction)(void (*)(void))view, METH_FASTCALL, NULL},
                                {"own", own, METH_O, NULL},
                                {"fresh", fresh, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "tensors_floor_ext", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_tensors_floor_ext(void) { return PyModule_Create(&module); }
