// Bytes lent to a Go function; see lent_bytes.h.
#include "convert/lent_bytes.h"

#include "convert/convert.h"

typedef struct {
  SsLent base;
  TVMFFIByteArray bytes;
  Py_buffer buffer;
} SsLentBytes;

static void release_bytes(SsLent* self) {
  PyBuffer_Release(&((SsLentBytes*)self)->buffer);
  PyMem_Free(self);
}

SsLent* ss_lend_bytes(PyObject* value, TVMFFIAny* out) {
  if (!PyByteArray_CheckExact(value) && !PyMemoryView_Check(value)) return NULL;
  SsLentBytes* lent = PyMem_Malloc(sizeof(*lent));
  if (lent == NULL) return NULL;
  if (PyObject_GetBuffer(value, &lent->buffer, PyBUF_SIMPLE) != 0) {
    PyErr_Clear();  // the conversion says what is wrong
    PyMem_Free(lent);
    return NULL;
  }
  lent->base = (SsLent){NULL, release_bytes};
  lent->bytes = (TVMFFIByteArray){lent->buffer.buf, (size_t)lent->buffer.len};
  ss_set_bits(out, kTVMFFIByteArrayPtr, 0);
  out->v_ptr = &lent->bytes;
  return &lent->base;
}
