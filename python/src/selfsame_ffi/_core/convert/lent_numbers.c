// Numbers lent to a Go function; see lent_values.h.
#include "convert/lent_values.h"

#include "convert/convert.h"
#include "convert/internal.h"
#include "convert/lent_arrays.h"
#include "wrapper/fetch.h"

typedef struct {
  SsLent base;         // how it is released
  DLTensor tensor;     // what the view points to
  int64_t extents[2];  // shape and strides of the tensor
} SsLentNumbers;

typedef struct {
  SsLentNumbers lent;  // the view
  PyObject* array;     // owned: it keeps its memory
} SsLentArray;

typedef struct {
  SsLentNumbers lent;  // the view
  int64_t* extents;    // shape and strides of a tensor with more than one dimension, owned; or NULL
  Py_buffer buffer;    // owned: it keeps the memory
} SsLentBuffer;

static void view_numbers(SsLentNumbers* lent, void* data, DLDataType dtype, Py_ssize_t count, Py_ssize_t step) {
  lent->extents[0] = count;
  lent->extents[1] = step;
  lent->tensor = (DLTensor){.data = data,
                            .device = {kDLCPU, 0},
                            .ndim = 1,
                            .dtype = dtype,
                            .shape = lent->extents,
                            .strides = lent->extents + 1};
}

static void release_words(SsLent* self) { PyMem_Free(self); }

static void release_buffer(SsLent* self) {
  PyMem_Free(((SsLentBuffer*)self)->extents);
  PyBuffer_Release(&((SsLentBuffer*)self)->buffer);
  PyMem_Free(self);
}

static int pack_floats(PyObject** items, Py_ssize_t count, double* words) {
  for (Py_ssize_t i = 0; i < count; i++) {
    if (SS_UNLIKELY(!PyFloat_CheckExact(items[i]))) return 0;
    words[i] = PyFloat_AS_DOUBLE(items[i]);
  }
  return 1;
}

static int pack_ints(PyObject** items, Py_ssize_t count, int64_t* words) {
  for (Py_ssize_t i = 0; i < count; i++) {
    int overflow = 0;
    if (SS_UNLIKELY(!PyLong_CheckExact(items[i]))) return 0;
    if (SS_LIKELY(ss_short_int(items[i], &words[i]))) continue;
    words[i] = PyLong_AsLongLongAndOverflow(items[i], &overflow);
    if (SS_UNLIKELY(overflow != 0)) return 0;
  }
  return 1;
}

// The caller must hold the lock of a list.
static SsLentNumbers* pack_items(PyObject* sequence) {
  PyObject** items = PySequence_Fast_ITEMS(sequence);
  Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence);
  int floats = count > 0 && PyFloat_CheckExact(items[0]);
  if (!floats && (count == 0 || !PyLong_CheckExact(items[0]))) return NULL;
  if ((size_t)count > SIZE_MAX / 2 / sizeof(int64_t)) return NULL;
  SsLentNumbers* lent = PyMem_Malloc(sizeof(*lent) + (size_t)count * sizeof(int64_t));
  if (lent == NULL) return NULL;
  lent->base = (SsLent){NULL, release_words};
  void* words = lent + 1;
  view_numbers(lent, words, (DLDataType){floats ? kDLFloat : kDLInt, 64, 1}, count, 1);
  if (floats ? pack_floats(items, count, words) : pack_ints(items, count, words)) return lent;
  PyMem_Free(lent);
  return NULL;
}

static SsLentNumbers* lend_items(PyObject* sequence) {
  SsLentNumbers* lent;
  SS_BEGIN_CRITICAL_SECTION(sequence);
  lent = pack_items(sequence);
  SS_END_CRITICAL_SECTION();
  return lent;
}

DLDataType ss_format_dtype(const char* format, Py_ssize_t size) {
  DLDataType dtype = {kDLInt, 0, 1};
  if (format == NULL) return dtype;
  if (*format == '@' || *format == '=' || *format == (PY_BIG_ENDIAN ? '>' : '<')) format++;
  if (format[0] == 0 || format[1] != 0 || size < 1 || size > 8) return dtype;
  if (strchr("BHILQN", *format) != NULL) {
    dtype.code = kDLUInt;
  } else if (strchr("fd", *format) != NULL) {
    dtype.code = kDLFloat;
  } else if (*format == '?') {
    dtype.code = kDLBool;
  } else if (strchr("bhilqn", *format) == NULL) {
    return dtype;
  }
  dtype.bits = (uint8_t)(8 * size);
  return dtype;
}

static int is_numbers(const Py_buffer* buffer, DLDataType dtype) {
  if (dtype.bits == 0 || buffer->ndim < 1 || buffer->shape == NULL || buffer->strides == NULL ||
      buffer->suboffsets != NULL || (uintptr_t)buffer->buf % (size_t)buffer->itemsize != 0) {
    return 0;
  }
  for (int i = 0; i < buffer->ndim; i++) {
    if (buffer->strides[i] % buffer->itemsize != 0) return 0;
  }
  return 1;
}

int ss_has_buffer_of_c(PyObject* value) {
  PyTypeObject* type = Py_TYPE(value);
  if (type->tp_as_buffer == NULL || type->tp_as_buffer->bf_getbuffer == NULL || ss_is_wrapper(value)) return 0;
#if PY_VERSION_HEX >= 0x030A0000
  if (PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE)) return 1;
#endif
  return !PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE);
}

// The bytes of a bytes object or its like are no numbers.
static int may_have_numbers(PyObject* value) {
  if (PyBytes_Check(value) || PyByteArray_Check(value)) return 0;
  if (PyMemoryView_Check(value)) {
    const char* format = PyMemoryView_GET_BUFFER(value)->format;
    return format != NULL && strcmp(format, "B") != 0;
  }
  return ss_has_buffer_of_c(value);
}

static SsLentNumbers* lend_buffer(PyObject* value, int flags) {
  SsLentBuffer* made = PyMem_Malloc(sizeof(*made));
  if (made == NULL) return NULL;
  if (PyObject_GetBuffer(value, &made->buffer, flags) != 0) {
    PyErr_Clear();  // the conversion says what is wrong
    PyMem_Free(made);
    return NULL;
  }
  const Py_buffer* buffer = &made->buffer;
  DLDataType dtype = ss_format_dtype(buffer->format, buffer->itemsize);
  int fits = is_numbers(buffer, dtype), ndim = buffer->ndim;
  made->lent.base = (SsLent){NULL, release_buffer};
  made->extents = fits && ndim > 1 ? PyMem_New(int64_t, 2 * (size_t)ndim) : NULL;
  if (!fits || (ndim > 1 && made->extents == NULL)) {
    release_buffer(&made->lent.base);
    return NULL;
  }
  view_numbers(&made->lent, buffer->buf, dtype, buffer->shape[0], buffer->strides[0] / buffer->itemsize);
  if (ndim > 1) {
    for (int i = 0; i < ndim; i++) {
      made->extents[i] = buffer->shape[i];
      made->extents[ndim + i] = buffer->strides[i] / buffer->itemsize;
    }
    made->lent.tensor.ndim = ndim;
    made->lent.tensor.shape = made->extents;
    made->lent.tensor.strides = made->extents + ndim;
  }
  return &made->lent;
}

static void release_array(SsLent* self) {
  PyObject* array = ((SsLentArray*)self)->array;
  PyMem_Free(self);
  Py_DECREF(array);  // an array of NumPy: its own deallocation keeps an error that is set
}

// A NumPy array, whose buffer takes NumPy longer to describe than a copy of a thousand numbers takes.
static SsLentNumbers* lend_array(PyObject* value) {
  DLTensor tensor;
  int64_t extents[2];
  if (!ss_describe_numbers(value, &tensor, extents)) return NULL;
  SsLentArray* made = PyMem_Malloc(sizeof(*made));
  if (made == NULL) return NULL;
  made->lent.base = (SsLent){NULL, release_array};
  view_numbers(&made->lent, tensor.data, tensor.dtype, (Py_ssize_t)extents[0], (Py_ssize_t)extents[1]);
  Py_INCREF(value);
  made->array = value;
  return &made->lent;
}

SsLent* ss_lend_numbers(PyObject* value, int writable, TVMFFIAny* out) {
  SsLentNumbers* lent = NULL;
  if (writable) {
    if (ss_has_buffer_of_c(value)) lent = lend_buffer(value, PyBUF_RECORDS);
  } else if (PyList_CheckExact(value) || PyTuple_CheckExact(value)) {
    lent = lend_items(value);
  } else if (may_have_numbers(value)) {
    lent = lend_array(value);
    if (lent == NULL) lent = lend_buffer(value, PyBUF_RECORDS_RO);
  }
  if (lent == NULL) return NULL;
  ss_set_bits(out, kTVMFFIDLTensorPtr, 0);
  out->v_ptr = &lent->tensor;
  return &lent->base;
}
