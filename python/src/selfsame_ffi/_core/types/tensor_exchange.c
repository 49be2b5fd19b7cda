// DLTensorTestWrapper: holds a Tensor, and offers it by the DLPack C exchange as another package's tensor class does.
#include "types/types.h"

#include <structmember.h>

#include "convert/convert.h"
#include "convert/errors.h"
#include "wrapper/fetch.h"

typedef struct {
  PyObject_HEAD PyObject* tensor;  // NULL before __init__
} TestWrapper;

// The native Tensor inside, pinned: the caller unpins it. NULL with an error set, and nothing to undo.
static TVMFFIObject* pin_tensor(PyObject* self) {
  PyObject* tensor = ((TestWrapper*)self)->tensor;
  if (tensor == NULL) {
    PyErr_SetString(PyExc_RuntimeError, "DLTensorTestWrapper: the object is not initialised");
    return NULL;
  }
  TVMFFIObject* native = ss_pin(ss_wrapper(tensor));
  return native == NULL ? (TVMFFIObject*)ss_no_handle(tensor) : native;
}

// ---- the table ----

static int from_python(void* value, DLManagedTensorVersioned** out) {
  TVMFFIObject* native = pin_tensor(value);
  if (native == NULL) return -1;
  int rc = ss_api.TVMFFITensorToDLPackVersioned(native, out);
  ss_unpin(ss_wrapper(((TestWrapper*)value)->tensor));
  return rc == 0 ? 0 : ss_raise_native();
}

static int to_python(DLManagedTensorVersioned* managed, void** out) {
  PyObject* tensor = ss_exchange_take(managed);
  if (tensor == NULL) return -1;
  *out = PyObject_CallOneArg((PyObject*)&SsTensorTestWrapper_Type, tensor);
  Py_DECREF(tensor);
  return *out == NULL ? -1 : 0;
}

static int view(void* value, DLTensor* out) {
  TVMFFIObject* native = pin_tensor(value);
  if (native == NULL) return -1;
  *out = *SS_CELL(DLTensor, native);
  ss_unpin(ss_wrapper(((TestWrapper*)value)->tensor));
  return 0;
}

static const SsExchange exchange = {
    .header = {.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}},
    .from_python = from_python,
    .to_python = to_python,
    .view = view,
    .current_stream = ss_exchange_stream,
};

// ---- the class ----

static int init(PyObject* self, PyObject* args, PyObject* kwargs) {
  static char* names[] = {"tensor", NULL};
  PyObject* tensor;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!:DLTensorTestWrapper", names, &SsTensor_Type, &tensor)) return -1;
  Py_INCREF(tensor);
  Py_XSETREF(((TestWrapper*)self)->tensor, tensor);
  return 0;
}

static void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Py_XDECREF(((TestWrapper*)self)->tensor);
  Py_TYPE(self)->tp_free(self);
}

static int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(((TestWrapper*)self)->tensor);
  return 0;
}

static int clear(PyObject* self) {
  Py_CLEAR(((TestWrapper*)self)->tensor);
  return 0;
}

static PyObject* call_tensor(PyObject* self, const char* name, PyObject* kwargs) {
  PyObject* tensor = ((TestWrapper*)self)->tensor;
  if (tensor == NULL) return PyErr_Format(PyExc_RuntimeError, "DLTensorTestWrapper: the object is not initialised");
  PyObject* method = PyObject_GetAttrString(tensor, name);
  PyObject* none = method == NULL ? NULL : PyTuple_New(0);
  PyObject* result = none == NULL ? NULL : PyObject_Call(method, none, kwargs);
  Py_XDECREF(none);
  Py_XDECREF(method);
  return result;
}

static PyObject* dlpack(PyObject* self, PyObject* args, PyObject* kwargs) {
  if (PyTuple_GET_SIZE(args) != 0) {
    return PyErr_Format(PyExc_TypeError, "DLTensorTestWrapper.__dlpack__: expected no positional arguments, got %zd",
                        PyTuple_GET_SIZE(args));
  }
  return call_tensor(self, "__dlpack__", kwargs);
}

static PyObject* dlpack_device(PyObject* self, PyObject* unused) {
  (void)unused;
  return call_tensor(self, "__dlpack_device__", NULL);
}

static PyObject* env_stream(PyObject* self, PyObject* unused) {
  (void)unused;
  TVMFFIObject* native = pin_tensor(self);
  if (native == NULL) return NULL;
  DLDevice device = SS_CELL(DLTensor, native)->device;
  ss_unpin(ss_wrapper(((TestWrapper*)self)->tensor));
  return PyLong_FromVoidPtr(ss_api.TVMFFIEnvGetStream(device.device_type, device.device_id));
}

static PyMethodDef methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))dlpack, METH_VARARGS | METH_KEYWORDS, "The Tensor's __dlpack__."},
    {"__dlpack_device__", dlpack_device, METH_NOARGS, "The Tensor's __dlpack_device__."},
    {"__tvm_ffi_env_stream__", env_stream, METH_NOARGS, "This thread's stream for the Tensor's device, as an int."},
    {NULL, NULL, 0, NULL}};

static PyMemberDef members[] = {{"tensor", T_OBJECT_EX, offsetof(TestWrapper, tensor), READONLY, "The Tensor."},
                                {NULL, 0, 0, 0, NULL}};

PyTypeObject SsTensorTestWrapper_Type = {
    SS_TYPE("selfsame_ffi.core.DLTensorTestWrapper",
            "DLTensorTestWrapper(tensor)\n--\n\nA Tensor as a tensor of another package that offers the DLPack C "
            "exchange. For tests.",
            sizeof(TestWrapper), Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC),
    .tp_new = PyType_GenericNew,
    .tp_init = init,
    .tp_dealloc = dealloc,
    .tp_traverse = traverse,
    .tp_clear = clear,
    .tp_methods = methods,
    .tp_members = members,
};

int ss_tensor_exchange_init(void) { return ss_exchange_offer(&SsTensorTestWrapper_Type, &exchange); }
