// The results of a batch of calls; see convert.h.
#include "convert/convert.h"

#include "convert/to_python.h"
#include "wrapper/fetch.h"

DLDataType ss_number_type(const char* name) {
  static const struct {
    const char* prefix;  // of the name, which the number of bits follows
    uint8_t code;        // of DLPack
  } kinds[] = {{"float", kDLFloat}, {"int", kDLInt}, {"uint", kDLUInt}};
  if (strcmp(name, "bool") == 0) return (DLDataType){kDLBool, 8, 1};
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    size_t size = strlen(kinds[i].prefix);
    if (strncmp(name, kinds[i].prefix, size) != 0) continue;
    long bits = strtol(name + size, NULL, 10);
    if (bits == 8 || bits == 16 || bits == 32 || bits == 64) return (DLDataType){kinds[i].code, (uint8_t)bits, 1};
  }
  return (DLDataType){0, 0, 0};
}

static PyObject* int_at(const char* at, DLDataType dtype) {
  int is_signed = dtype.code == kDLInt;
  switch (dtype.bits) {
    case 8:
      return PyLong_FromLong(is_signed ? *(const int8_t*)at : *(const uint8_t*)at);
    case 16:
      return PyLong_FromLong(is_signed ? *(const int16_t*)at : *(const uint16_t*)at);
    case 32:
      return is_signed ? PyLong_FromLong(*(const int32_t*)at) : PyLong_FromUnsignedLong(*(const uint32_t*)at);
    default:
      return is_signed ? PyLong_FromLongLong(*(const int64_t*)at) : PyLong_FromUnsignedLongLong(*(const uint64_t*)at);
  }
}

static PyObject* number_at(const char* at, DLDataType dtype) {
  if (dtype.code == kDLBool) return PyBool_FromLong(*at);
  if (dtype.code != kDLFloat) return int_at(at, dtype);
  return PyFloat_FromDouble(dtype.bits == 32 ? *(const float*)at : *(const double*)at);
}

// Fills the list from the column's values, whose number is that of its items. Returns how many were taken over.
static Py_ssize_t fill(PyObject* list, const SelfsameColumn* column, Py_ssize_t count) {
  Py_ssize_t i = 0;
  if (column->dtype.bits == 0) {
    for (TVMFFIAny* values = column->data; i < count; i++) {
      PyObject* item = ss_object_take(&values[i]);
      if (SS_UNLIKELY(item == NULL)) return i + 1;
      PyList_SET_ITEM(list, i, item);
    }
  } else if (column->dtype.code == kDLFloat && column->dtype.bits == 64) {
    for (const double* numbers = column->data; i < count; i++) {
      PyObject* item = PyFloat_FromDouble(numbers[i]);
      if (SS_UNLIKELY(item == NULL)) return i;
      PyList_SET_ITEM(list, i, item);
    }
  } else {
    for (const char* at = column->data; i < count; i++, at += column->step) {
      PyObject* item = number_at(at, column->dtype);
      if (SS_UNLIKELY(item == NULL)) return i;
      PyList_SET_ITEM(list, i, item);
    }
  }
  return count;
}

PyObject* ss_batch_list(const SelfsameColumn* column, Py_ssize_t count) {
  PyObject* list = PyList_New(count);
  Py_ssize_t taken = list == NULL ? 0 : fill(list, column, count);
  if (SS_LIKELY(list != NULL && !PyErr_Occurred())) return list;
  TVMFFIAny* values = column->dtype.bits == 0 ? column->data : NULL;
  for (Py_ssize_t i = taken; values != NULL && i < count; i++) ss_any_clear(&values[i]);
  Py_XDECREF(list);
  return NULL;
}
