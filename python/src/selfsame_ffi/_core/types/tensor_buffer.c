// The buffer protocol of Tensors: memoryview(tensor) and numpy.asarray(tensor) see the Tensor's own memory.
//
// A buffer owns a reference to the native object, so that the memory lives as long as the buffer, also when the wrapper
// is moved from. The memory is writable, as a Tensor over read-only memory cannot be made. Elements with several lanes
// have them as their last dimension.
#include "convert/function.h"
#include "tie/imported_tensor.h"
#include "types/types.h"

// The memory that the pointers in a buffer lead to.
typedef struct {
  TVMFFIObject* native;  // owned
  char format[4];        // of an element, as the module struct writes it
  Py_ssize_t shape[];    // then the strides, in bytes
} Exported;

static char no_elements;  // what an empty buffer points to: consumers may dislike NULL

// The format of an element, or of one of its lanes, in the words of the struct module and PEP 3118; NULL for a type
// that has none.
static const char* format_of(DLDataType dtype) {
  // Where a C long has 64 bits it is what NumPy calls int64.
  static const char* const signed_formats[] = {"b", "h", "i", sizeof(long) == 8 ? "l" : "q"};
  static const char* const unsigned_formats[] = {"B", "H", "I", sizeof(long) == 8 ? "L" : "Q"};
  int log = dtype.bits == 8 ? 0 : dtype.bits == 16 ? 1 : dtype.bits == 32 ? 2 : dtype.bits == 64 ? 3 : -1;
  switch (dtype.code) {
    case kDLInt:
      return log < 0 ? NULL : signed_formats[log];
    case kDLUInt:
      return log < 0 ? NULL : unsigned_formats[log];
    case kDLFloat:
      return dtype.bits == 16 ? "e" : dtype.bits == 32 ? "f" : dtype.bits == 64 ? "d" : NULL;
    case kDLComplex:
      return dtype.bits == 64 ? "Zf" : dtype.bits == 128 ? "Zd" : NULL;
    case kDLBool:
      return dtype.bits == 8 ? "?" : NULL;
    default:
      return NULL;
  }
}

static int refuse(const char* why) {
  PyErr_SetString(PyExc_BufferError, why);
  return -1;
}

// Whether a consumer gets what it asked for. 0, or -1 with BufferError set.
static int check_request(const Py_buffer* view, int flags) {
  int is_c = PyBuffer_IsContiguous(view, 'C'), is_fortran = PyBuffer_IsContiguous(view, 'F');
  if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !is_c) {
    return refuse("Tensor: expected a contiguous tensor for this buffer, got one with gaps or another order");
  }
  if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && !is_fortran) {
    return refuse("Tensor: expected a tensor in Fortran's order for this buffer");
  }
  if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !is_c && !is_fortran) {
    return refuse("Tensor: expected a contiguous tensor for this buffer, got one with gaps");
  }
  if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !is_c) {
    return refuse(
        "Tensor: expected a contiguous tensor for a buffer without strides, got one with gaps or another order");
  }
  return 0;
}

static int has_no_elements(const DLTensor* tensor) {
  for (int32_t i = 0; i < tensor->ndim; i++) {
    if (tensor->shape[i] == 0) return 1;
  }
  return 0;
}

// Writes a tensor's extents, and its strides in bytes. `count` and `packed` are for one element: how many parts it has,
// and its size; `count` becomes that of all. 0, or -1 with BufferError set.
//
// The stride of a dimension with one extent leads nowhere, and so does each of a tensor without elements: a producer may
// have put any number there, which may not be multiplied.
static int fill_shape(const DLTensor* tensor, Py_ssize_t* shape, Py_ssize_t* strides, Py_ssize_t packed,
                      Py_ssize_t* count) {
  Py_ssize_t element = packed;
  int empty = has_no_elements(tensor);
  for (int32_t i = tensor->ndim - 1; i >= 0; i--) {
    Py_ssize_t extent = (Py_ssize_t)tensor->shape[i];
    shape[i] = extent;
    strides[i] = packed;
    if (empty) {
      packed = (Py_ssize_t)((size_t)packed * (size_t)extent);
      continue;
    }
    if (extent > 1 && tensor->strides != NULL &&
        __builtin_mul_overflow((Py_ssize_t)tensor->strides[i], element, &strides[i])) {
      return refuse("Tensor: a stride of this tensor has more bytes than a buffer can have");
    }
    if (__builtin_mul_overflow(packed, extent, &packed) || __builtin_mul_overflow(*count, extent, count)) {
      return refuse("Tensor: this tensor has more bytes than a buffer can have");
    }
  }
  if (empty) *count = 0;
  return 0;
}

// Fills a view of a tensor. The view takes over the reference `native`. 0, or -1 with BufferError or MemoryError set
// and the reference left to the caller.
static int fill(Py_buffer* view, PyObject* self, TVMFFIObject* native, int flags) {
  const DLTensor* tensor = SS_CELL(DLTensor, native);
  DLDeviceType device = tensor->device.device_type;
  if (device != kDLCPU && device != kDLCUDAHost && device != kDLROCMHost) {
    return refuse("Tensor: memory of another device than the CPU has no buffer; copy the tensor to the CPU");
  }
  const char* format = format_of(tensor->dtype);
  if (format == NULL || tensor->dtype.lanes < 1) {
    PyObject* name = PyObject_GetAttrString(self, "dtype");
    if (name != NULL) PyErr_Format(PyExc_BufferError, "Tensor: elements of the type %S have no buffer format", name);
    Py_XDECREF(name);
    return -1;
  }
  int32_t ndim = tensor->ndim + (tensor->dtype.lanes > 1);
  if (ndim > PyBUF_MAX_NDIM) return refuse("Tensor: a buffer has at most 64 dimensions");
  Exported* exported = PyMem_Malloc(sizeof(Exported) + 2 * (size_t)ndim * sizeof(Py_ssize_t));
  if (exported == NULL) return ss_no_memory();
  Py_ssize_t item = tensor->dtype.bits / 8, element = item * tensor->dtype.lanes;
  Py_ssize_t *strides = exported->shape + ndim, count = 1;
  if (ndim > tensor->ndim) {
    exported->shape[ndim - 1] = tensor->dtype.lanes;
    strides[ndim - 1] = item;
    count = tensor->dtype.lanes;
  }
  if (fill_shape(tensor, exported->shape, strides, element, &count) != 0) {
    PyMem_Free(exported);
    return -1;
  }
  int is_read_only = ss_tensor_is_read_only(native);
  if (count != 0 && (tensor->data == NULL || (is_read_only && (flags & PyBUF_WRITABLE)))) {
    PyMem_Free(exported);
    return refuse(tensor->data == NULL ? "Tensor: this tensor has no memory"
                                       : "Tensor: this tensor's memory must not be written");
  }
  memcpy(exported->format, format, strlen(format) + 1);
  *view = (Py_buffer){
      .buf = count == 0 ? &no_elements : (char*)tensor->data + tensor->byte_offset,
      .len = count * item,
      .itemsize = item,
      .readonly = is_read_only,
      .ndim = ndim,
      .format = exported->format,
      .shape = ndim == 0 ? NULL : exported->shape,  // the protocol has neither for a scalar
      .strides = ndim == 0 ? NULL : strides,
      .internal = exported,
  };
  if (check_request(view, flags) != 0) {
    PyMem_Free(exported);
    return -1;
  }
  if ((flags & PyBUF_FORMAT) != PyBUF_FORMAT) view->format = NULL;
  if ((flags & PyBUF_ND) != PyBUF_ND) view->shape = NULL;
  if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) view->strides = NULL;
  exported->native = native;
  Py_INCREF(self);
  view->obj = self;
  return 0;
}

static int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = NULL;
  TVMFFIObject* native = ss_pin(ss_wrapper(self));
  if (native == NULL) {
    ss_no_handle(self);
    return -1;
  }
  int rc = -1;
  if (native->type_index != kTVMFFITensor) {
    ss_wrong_native(self, "a Tensor");
  } else {
    ss_incref(native);
    rc = fill(view, self, native, flags);
    if (rc != 0) ss_decref(native);
  }
  ss_unpin(ss_wrapper(self));
  return rc;
}

static void release_buffer(PyObject* self, Py_buffer* view) {
  (void)self;
  Exported* exported = view->internal;
  TVMFFIObject* native = exported->native;
  view->internal = NULL;
  PyMem_Free(exported);
  PyObject *type, *value, *traceback;  // of an exception that propagates while the consumer dies
  PyErr_Fetch(&type, &value, &traceback);
  ss_decref(native);
  PyErr_Restore(type, value, traceback);
}

PyBufferProcs ss_tensor_buffer = {.bf_getbuffer = get_buffer, .bf_releasebuffer = release_buffer};
