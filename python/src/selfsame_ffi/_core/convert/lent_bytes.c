// Bytes lent to a Go function; see lent_values.h.
#include "convert/lent_values.h"

#include "convert/convert.h"

typedef struct {
  SsLent base;            // how it is released
  TVMFFIByteArray bytes;  // what the view points to
  Py_buffer buffer;       // owned: it keeps the memory from being resized
} SsLentBytes;

static void release_bytes(SsLent* self) {
  PyBuffer_Release(&((SsLentBytes*)self)->buffer);
  PyMem_Free(self);
}

// Whether the items of a buffer are bytes. The items of a bytearray are; a memoryview may show any items as bytes.
static int is_bytes(PyObject* value, const Py_buffer* buffer) {
  if (PyByteArray_Check(value) || PyMemoryView_Check(value)) return 1;
  DLDataType dtype = ss_format_dtype(buffer->format == NULL ? "B" : buffer->format, buffer->itemsize);
  return buffer->ndim == 1 && dtype.code == kDLUInt && dtype.bits == 8;
}

SsLent* ss_lend_bytes(PyObject* value, TVMFFIAny* out) {
  if (PyBytes_Check(value) || !ss_has_buffer_of_c(value)) return NULL;
  SsLentBytes* lent = PyMem_Malloc(sizeof(*lent));
  if (lent == NULL) return NULL;
  if (PyObject_GetBuffer(value, &lent->buffer, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) {
    PyErr_Clear();  // the conversion says what is wrong
    PyMem_Free(lent);
    return NULL;
  }
  if (!is_bytes(value, &lent->buffer)) {
    release_bytes(&lent->base);
    return NULL;
  }
  lent->base = (SsLent){NULL, release_bytes};
  lent->bytes = (TVMFFIByteArray){lent->buffer.buf, (size_t)lent->buffer.len};
  ss_set_bits(out, kTVMFFIByteArrayPtr, 0);
  out->v_ptr = &lent->bytes;
  return &lent->base;
}
