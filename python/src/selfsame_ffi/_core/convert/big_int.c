// Ints beyond 64 bits; see convert.h. A BigInt holds two's-complement words, the least significant first.
#include "convert/convert.h"

#include "convert/errors.h"

#if PY_VERSION_HEX >= 0x030D0000

enum { LITTLE_ENDIAN_SIGNED = 1 };

static Py_ssize_t size_of(PyObject* number) {
  Py_ssize_t size = PyLong_AsNativeBytes(number, NULL, 0, LITTLE_ENDIAN_SIGNED);
  return size < 0 ? -1 : size;
}

static int write_bytes(PyObject* number, unsigned char* bytes, Py_ssize_t size) {
  return PyLong_AsNativeBytes(number, bytes, size, LITTLE_ENDIAN_SIGNED) < 0 ? -1 : 0;
}

static PyObject* read_bytes(const unsigned char* bytes, size_t size) {
  return PyLong_FromNativeBytes(bytes, size, LITTLE_ENDIAN_SIGNED);
}

#else

static Py_ssize_t size_of(PyObject* number) {
  size_t bits = _PyLong_NumBits(number);
  return bits == (size_t)-1 ? -1 : (Py_ssize_t)(bits / 8 + 1);  // a bit more for the sign
}

static int write_bytes(PyObject* number, unsigned char* bytes, Py_ssize_t size) {
  return _PyLong_AsByteArray((PyLongObject*)number, bytes, (size_t)size, 1, 1);
}

static PyObject* read_bytes(const unsigned char* bytes, size_t size) {
  return _PyLong_FromByteArray(bytes, size, 1, 1);
}

#endif

enum { BYTES_ON_STACK = 128 };

int ss_big_int_make(PyObject* number, TVMFFIAny* out) {
  Py_ssize_t size = size_of(number);
  if (size < 0) return -1;
  size = (size + 7) / 8 * 8;  // whole words
  unsigned char stack[BYTES_ON_STACK];
  unsigned char* bytes = size <= BYTES_ON_STACK ? stack : PyMem_Malloc((size_t)size);
  if (bytes == NULL) return ss_no_memory();
  int rc = write_bytes(number, bytes, size);
  if (rc == 0) {
    TVMFFIByteArray content = {(const char*)bytes, (size_t)size};
    if (ss_api.TVMFFIBigIntFromByteArray(&content, out) != 0) rc = ss_raise_native();
  }
  if (bytes != stack) PyMem_Free(bytes);
  return rc;
}

PyObject* ss_big_int_read(const TVMFFIObject* big_int) {
  const TVMFFIBigIntCell* cell = SS_CELL(TVMFFIBigIntCell, big_int);
  return read_bytes((const unsigned char*)(cell + 1), cell->size * sizeof(int64_t));
}
