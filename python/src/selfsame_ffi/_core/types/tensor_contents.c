// The elements of a Tensor as bytes, and a Tensor from bytes: for pickles and copies.
#include "wrapper/classes.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "types/tensor.h"
#include "wrapper/fetch.h"

#include <stdlib.h>

enum { MAX_DIMENSIONS = 64, ALIGNMENT = 64 };

// Size of `count` contiguous elements in bytes; -1 when it is negative or too large.
static int64_t packed_size(DLDataType dtype, int64_t count) {
  int64_t bits = (int64_t)dtype.bits * dtype.lanes, total;
  if (bits <= 0 || count < 0 || __builtin_mul_overflow(bits, count, &total) || total > INT64_MAX - 7) return -1;
  return (total + 7) / 8;
}

// Number of elements; -1 when it is negative or too large.
static int64_t element_count(const int64_t* shape, int32_t ndim) {
  int64_t count = 1;
  for (int32_t i = 0; i < ndim; i++) {
    if (shape[i] < 0) return -1;
    if (shape[i] == 0) return 0;
  }
  for (int32_t i = 0; i < ndim; i++) {
    if (__builtin_mul_overflow(count, shape[i], &count)) return -1;
  }
  return count;
}

static int is_packed(const DLTensor* tensor) {
  int64_t expected = 1;
  for (int32_t i = tensor->ndim - 1; tensor->strides != NULL && i >= 0; i--) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != expected) return 0;
    expected *= tensor->shape[i];
  }
  return 1;
}

// Copies the elements of a tensor with strides, the last dimension fastest. `element` is the size of one in bytes;
// there is at least one.
static void gather(char* out, const DLTensor* tensor, const char* data, size_t element) {
  int64_t index[MAX_DIMENSIONS] = {0};
  int32_t last = tensor->ndim - 1;
  for (;;) {
    const char* from = data;
    for (int32_t i = 0; i < tensor->ndim; i++) from += index[i] * tensor->strides[i] * (int64_t)element;
    memcpy(out, from, element);
    out += element;
    int32_t i = last;
    while (i >= 0 && ++index[i] == tensor->shape[i]) index[i--] = 0;
    if (i < 0) return;
  }
}

// The size in bytes of a tensor's elements, contiguous. -1 with an error of the class `error` set when they cannot be
// read here; `operation` completes "cannot be ...".
static int64_t readable_size(const DLTensor* tensor, PyObject* error, const char* operation) {
  if (tensor->device.device_type != kDLCPU) {
    PyErr_Format(error, "Tensor: memory of another device than the CPU cannot be %s", operation);
    return -1;
  }
  int64_t size = packed_size(tensor->dtype, element_count(tensor->shape, tensor->ndim));
  int whole_bytes = (tensor->dtype.bits * tensor->dtype.lanes) % 8 == 0;
  if (size < 0 || tensor->ndim > MAX_DIMENSIONS || (!whole_bytes && !is_packed(tensor))) {
    PyErr_Format(error, "Tensor: this shape and data type cannot be %s", operation);
    return -1;
  }
  return size;
}

// Copies the elements; readable_size returned `size` for the tensor.
static void read_elements(char* out, const DLTensor* tensor, size_t size) {
  if (size == 0) return;
  const char* data = (const char*)tensor->data + tensor->byte_offset;
  if (is_packed(tensor)) {
    memcpy(out, data, size);
  } else {
    gather(out, tensor, data, (size_t)(tensor->dtype.bits * tensor->dtype.lanes / 8));
  }
}

static PyObject* contents(const DLTensor* tensor) {
  int64_t size = readable_size(tensor, PyExc_TypeError, "pickled or copied");
  PyObject* bytes = size < 0 ? NULL : PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (bytes != NULL) read_elements(PyBytes_AS_STRING(bytes), tensor, (size_t)size);
  return bytes;
}

PyObject* ss_tensor_bytes(PyObject* module, PyObject* object) {
  (void)module;
  if (!PyObject_TypeCheck(object, &SsTensor_Type)) {
    return PyErr_Format(PyExc_TypeError, "tensor_bytes: expected a Tensor, got %.100s", Py_TYPE(object)->tp_name);
  }
  TVMFFIObject* handle = ss_pin(ss_wrapper(object));
  if (handle == NULL) return ss_no_handle(object);
  PyObject* bytes = NULL;
  if (handle->type_index == kTVMFFITensor) {
    bytes = contents(SS_CELL(DLTensor, handle));
  } else {
    ss_wrong_native(object, "a Tensor");
  }
  ss_unpin(ss_wrapper(object));
  return bytes;
}

// A managed tensor with its shape; the elements are in a second allocation.
typedef struct {
  DLManagedTensor managed;
  int64_t shape[];
} Owned;

static void delete_owned(DLManagedTensor* managed) {
  free(managed->dl_tensor.data);
  free(managed);
}

// A tensor in CPU memory whose shape and elements the caller fills in. NULL with MemoryError set.
static Owned* owned_new(DLDataType dtype, int32_t ndim, size_t size) {
  Owned* owned = calloc(1, sizeof(Owned) + (size_t)ndim * sizeof(int64_t));
  size_t room = (size + ALIGNMENT) & ~(size_t)(ALIGNMENT - 1);  // never 0
  void* memory = owned == NULL ? NULL : aligned_alloc(ALIGNMENT, room);
  if (memory == NULL) {
    free(owned);
    PyErr_NoMemory();
    return NULL;
  }
  owned->managed = (DLManagedTensor){.deleter = delete_owned};
  owned->managed.dl_tensor = (DLTensor){.data = memory, .ndim = ndim, .dtype = dtype, .shape = owned->shape};
  owned->managed.dl_tensor.device = (DLDevice){kDLCPU, 0};
  return owned;
}

// Makes a native Tensor that takes over `owned`, on failure too. New reference, NULL with an error set.
static TVMFFIObject* owned_tensor(Owned* owned) {
  TVMFFIObjectHandle object = NULL;
  if (ss_api.TVMFFITensorFromDLPack(&owned->managed, 0, 0, &object) == 0) return object;
  ss_raise_native();
  delete_owned(&owned->managed);
  return NULL;
}

TVMFFIObject* ss_tensor_copy(TVMFFIObject* object) {
  const DLTensor* tensor = SS_CELL(DLTensor, object);
  int64_t size = readable_size(tensor, PyExc_BufferError, "exported as a copy");
  Owned* owned = size < 0 ? NULL : owned_new(tensor->dtype, tensor->ndim, (size_t)size);
  if (owned == NULL) return NULL;
  // Without dimensions, tensor->shape may be NULL.
  for (int32_t i = 0; i < tensor->ndim; i++) owned->shape[i] = tensor->shape[i];
  read_elements(owned->managed.dl_tensor.data, tensor, (size_t)size);
  return owned_tensor(owned);
}

PyObject* ss_tensor_from_bytes(PyObject* module, PyObject* args) {
  (void)module;
  int code, bits, lanes;
  PyObject *shape, *bytes;
  if (!PyArg_ParseTuple(args, "(iii)O!S:tensor_from_bytes", &code, &bits, &lanes, &PyTuple_Type, &shape, &bytes)) {
    return NULL;
  }
  DLDataType dtype = {(uint8_t)code, (uint8_t)bits, (uint16_t)lanes};
  if (dtype.code != code || dtype.bits != bits || dtype.lanes != lanes || PyTuple_GET_SIZE(shape) > MAX_DIMENSIONS) {
    return PyErr_Format(PyExc_ValueError, "tensor_from_bytes: no such data type or number of dimensions");
  }
  Owned* owned = owned_new(dtype, (int32_t)PyTuple_GET_SIZE(shape), (size_t)PyBytes_GET_SIZE(bytes));
  if (owned == NULL) return NULL;
  DLTensor* tensor = &owned->managed.dl_tensor;
  memcpy(tensor->data, PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes));
  for (int32_t i = 0; i < tensor->ndim; i++) {
    owned->shape[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(shape, i));
    if (owned->shape[i] == -1 && PyErr_Occurred()) goto fail;
  }
  if (packed_size(dtype, element_count(tensor->shape, tensor->ndim)) != PyBytes_GET_SIZE(bytes)) {
    PyErr_Format(PyExc_ValueError, "tensor_from_bytes: %zd bytes do not fill a Tensor of this shape",
                 PyBytes_GET_SIZE(bytes));
    goto fail;
  }
  TVMFFIObject* object = owned_tensor(owned);
  return object == NULL ? NULL : ss_fetch(object);
fail:
  delete_owned(&owned->managed);
  return NULL;
}
