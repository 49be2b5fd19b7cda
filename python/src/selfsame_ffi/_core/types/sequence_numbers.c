// Numbers of an Array or List; see types.h.
#include "types/types.h"

#include "convert/to_python.h"
#include "types/sequence.h"
#include "wrapper/classes.h"

// The format that holds all elements, 0 with an error set.
static char common_format(PyObject* self, const TVMFFIAny* items, int64_t count) {
  int floats = count == 0, ints = 0;
  for (int64_t i = 0; i < count; i++) {
    int32_t index = items[i].type_index;
    floats |= index == kTVMFFIFloat;
    ints |= index == kTVMFFIInt;
    if (SS_LIKELY(index == kTVMFFIFloat || index == kTVMFFIInt || index == kTVMFFIBool)) continue;
    PyObject* value = ss_value_from_view(&items[i]);
    if (value != NULL) {
      PyErr_Format(PyExc_TypeError,
                   "%.100s: the element at [%lld]: expected a bool, float or int of 64 bits, got %.100s",
                   Py_TYPE(self)->tp_name, (long long)i, Py_TYPE(value)->tp_name);
    }
    Py_XDECREF(value);
    return 0;
  }
  return floats ? 'd' : ints ? 'q' : '?';
}

static PyObject* numbers_of(PyObject* self) {
  const TVMFFISeqCell* cell = ss_seq_cell(self);
  if (cell == NULL) return NULL;
  const TVMFFIAny* items = ss_seq_items(cell);
  Py_ssize_t count = (Py_ssize_t)cell->size;
  char format[] = {common_format(self, items, count), 0};
  if (format[0] == 0) return NULL;
  PyObject* memory = PyByteArray_FromStringAndSize(NULL, count * (format[0] == '?' ? 1 : 8));
  if (memory == NULL) return NULL;
  char* bytes = PyByteArray_AS_STRING(memory);
  for (Py_ssize_t i = 0; i < count; i++) {
    int is_float = items[i].type_index == kTVMFFIFloat;
    double number = is_float ? items[i].v_float64 : (double)items[i].v_int64;
    if (format[0] == 'd') {
      memcpy(bytes + 8 * i, &number, sizeof(number));
    } else if (format[0] == 'q') {
      memcpy(bytes + 8 * i, &items[i].v_int64, sizeof(int64_t));
    } else {
      bytes[i] = items[i].v_int64 != 0;
    }
  }
  return Py_BuildValue("(sN)", format, memory);
}
SS_DEFINE_GUARDED(PyObject*, NULL, numbers_of, (PyObject * self), (self), ss_is_mutable(native));

PyObject* ss_sequence_numbers(PyObject* module, PyObject* sequence) {
  (void)module;
  if (!ss_is_wrapper(sequence)) {
    return PyErr_Format(PyExc_TypeError, "sequence_numbers: expected an Array or List, got %.100s",
                        Py_TYPE(sequence)->tp_name);
  }
  return SS_GUARDED(numbers_of)(sequence);
}
