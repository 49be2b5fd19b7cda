// The elements of a Tensor as bytes, and a Tensor from bytes or over a buffer: for pickles and copies.
#include "wrapper/classes.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "selfsame/internal/process.h"
#include "tie/imported_tensor.h"
#include "types/types.h"
#include "wrapper/fetch.h"

#include <stdlib.h>

enum { MAX_DIMENSIONS = 64, ALIGNMENT = 64 };

// Size of `count` contiguous elements in bytes; -1 when it is negative or too large, or the machine decides it, as for
// scalable vectors.
static int64_t packed_size(DLDataType dtype, int64_t count) {
  if ((int16_t)dtype.lanes < 0) return count == 0 ? 0 : -1;
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
  if (size > 0 && tensor->data == NULL) {
    PyErr_Format(error, "Tensor: a tensor without memory cannot be %s", operation);
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

static PyObject* ss_tensor_bytes(PyObject* module, PyObject* object) {
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
  DLManagedTensor managed;  // what the Tensor is made from; its context is this
  int64_t shape[];          // of the tensor
} Owned;

static void delete_owned(DLManagedTensor* managed) {
  ss_aligned_free(managed->dl_tensor.data);
  free(managed);
}

// A tensor in CPU memory whose shape and elements the caller fills in. NULL with MemoryError set.
static Owned* owned_new(DLDataType dtype, int32_t ndim, size_t size) {
  Owned* owned = calloc(1, sizeof(Owned) + (size_t)ndim * sizeof(int64_t));
  size_t room = (size + ALIGNMENT) & ~(size_t)(ALIGNMENT - 1);  // never 0
  void* memory = owned == NULL ? NULL : ss_aligned_new(ALIGNMENT, room);
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

// A data type from its parts. 0, or -1 with ValueError set.
static int dtype_of(int code, int bits, int lanes, PyObject* shape, DLDataType* out) {
  *out = (DLDataType){(uint8_t)code, (uint8_t)bits, (uint16_t)lanes};
  int has_lanes = out->lanes == lanes || (int16_t)out->lanes == lanes;  // negative for a scalable vector in Python
  if (out->code == code && out->bits == bits && has_lanes && PyTuple_GET_SIZE(shape) <= MAX_DIMENSIONS) {
    return 0;
  }
  PyErr_SetString(PyExc_ValueError, "Tensor: no such data type or number of dimensions");
  return -1;
}

// Fills in the extents, and checks that `size` bytes are the elements. 0, or -1 with an error set.
static int read_shape(int64_t* out, PyObject* shape, DLDataType dtype, Py_ssize_t size) {
  int32_t ndim = (int32_t)PyTuple_GET_SIZE(shape);
  for (int32_t i = 0; i < ndim; i++) {
    out[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(shape, i));
    if (out[i] == -1 && PyErr_Occurred()) return -1;
  }
  if (packed_size(dtype, element_count(out, ndim)) == size) return 0;
  PyErr_Format(PyExc_ValueError, "Tensor: %zd bytes do not fill a Tensor of this shape", size);
  return -1;
}

static TVMFFIObject* from_bytes(DLDataType dtype, PyObject* shape, const Py_buffer* bytes) {
  Owned* owned = owned_new(dtype, (int32_t)PyTuple_GET_SIZE(shape), (size_t)bytes->len);
  if (owned == NULL) return NULL;
  if (bytes->len > 0) memcpy(owned->managed.dl_tensor.data, bytes->buf, (size_t)bytes->len);
  if (read_shape(owned->shape, shape, dtype, bytes->len) == 0) return owned_tensor(owned);
  delete_owned(&owned->managed);
  return NULL;
}

static PyObject* ss_tensor_from_bytes(PyObject* module, PyObject* args) {
  (void)module;
  int code, bits, lanes;
  PyObject* shape;
  Py_buffer bytes;
  if (!PyArg_ParseTuple(args, "(iii)O!y*:tensor_from_bytes", &code, &bits, &lanes, &PyTuple_Type, &shape, &bytes)) {
    return NULL;
  }
  DLDataType dtype;
  TVMFFIObject* object = dtype_of(code, bits, lanes, shape, &dtype) == 0 ? from_bytes(dtype, shape, &bytes) : NULL;
  PyBuffer_Release(&bytes);
  return object == NULL ? NULL : ss_fetch(object);
}

// The owners of the memory of a Tensor over a buffer: a memoryview, and the Tensor's extents.
typedef struct {
  PyObject* view;   // the memoryview, owned
  int64_t shape[];  // of the tensor, then its strides
} BufferOwner;

static const char buffer_owner_name[] = "selfsame.buffer";

static void delete_buffer_owner(PyObject* capsule) {
  BufferOwner* owner = PyCapsule_GetPointer(capsule, buffer_owner_name);
  Py_DECREF(owner->view);
  PyMem_Free(owner);
}

// A capsule with the owner of a buffer's memory, which holds the buffer until it dies. New reference, NULL with an
// error set.
static PyObject* buffer_owner_new(PyObject* buffer, int32_t ndim) {
  BufferOwner* owner = PyMem_Calloc(1, sizeof(BufferOwner) + (size_t)ndim * sizeof(int64_t));
  if (owner == NULL) return PyErr_NoMemory();
  owner->view = PyMemoryView_FromObject(buffer);
  PyObject* capsule = owner->view == NULL ? NULL : PyCapsule_New(owner, buffer_owner_name, delete_buffer_owner);
  if (capsule == NULL) {
    Py_XDECREF(owner->view);
    PyMem_Free(owner);
  }
  return capsule;
}

// Whether a Tensor may use the memory itself: it is writable, without gaps, and aligned to the elements.
static int is_usable(const Py_buffer* memory, DLDataType dtype) {
  size_t bytes = ((size_t)dtype.bits * dtype.lanes + 7) / 8, alignment = bytes & (~bytes + 1);  // its power of two
  return !memory->readonly && PyBuffer_IsContiguous(memory, 'C') && memory->len > 0 && alignment > 0 &&
         (uintptr_t)memory->buf % alignment == 0;
}

static PyObject* ss_tensor_over(PyObject* module, PyObject* args) {
  (void)module;
  int code, bits, lanes;
  PyObject *shape, *buffer;
  DLDataType dtype;
  if (!PyArg_ParseTuple(args, "(iii)O!O:tensor_over", &code, &bits, &lanes, &PyTuple_Type, &shape, &buffer) ||
      dtype_of(code, bits, lanes, shape, &dtype) != 0) {
    return NULL;
  }
  int32_t ndim = (int32_t)PyTuple_GET_SIZE(shape);
  PyObject* capsule = buffer_owner_new(buffer, ndim);
  if (capsule == NULL) return NULL;
  BufferOwner* owner = PyCapsule_GetPointer(capsule, buffer_owner_name);
  const Py_buffer* memory = PyMemoryView_GET_BUFFER(owner->view);
  PyObject* result = NULL;
  if (!is_usable(memory, dtype)) {
    result = Py_None;
    Py_INCREF(result);
  } else if (read_shape(owner->shape, shape, dtype, memory->len) == 0) {
    DLTensor tensor = {.data = memory->buf, .device = {kDLCPU, 0}, .ndim = ndim, .dtype = dtype, .shape = owner->shape};
    int no_memory;
    TVMFFIObject* object = ss_imported_tensor_new(&tensor, capsule, owner->view, (SsMemoryFlags){0}, 0, 0, &no_memory);
    if (object != NULL) return ss_fetch(object);  // it has taken over the capsule
    if (no_memory) {
      PyErr_NoMemory();
    } else {
      ss_raise_native();
    }
  }
  Py_DECREF(capsule);
  return result;
}

PyMethodDef ss_tensor_contents_functions[] = {
    {"tensor_bytes", ss_tensor_bytes, METH_O,
     "The elements of a Tensor in the CPU's memory, the last dimension fastest."},
    {"tensor_from_bytes", ss_tensor_from_bytes, METH_VARARGS,
     "tensor_from_bytes((code, bits, lanes), shape, bytes): a Tensor that owns its memory, aligned to 64 bytes, with these elements."},
    {"tensor_over", ss_tensor_over, METH_VARARGS,
     "tensor_over((code, bits, lanes), shape, buffer): a Tensor over the memory of the buffer, which it keeps alive; None when the "
     "memory is read-only, empty, not contiguous or not aligned to the elements."},
    {NULL, NULL, 0, NULL}};
