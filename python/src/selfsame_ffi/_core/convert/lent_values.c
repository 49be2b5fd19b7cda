// Lists and dicts lent to a Go function; see lent_values.h.
#include "convert/lent_values.h"

#include "convert/call_values.h"
#include "convert/convert.h"
#include "convert/function.h"
#include "convert/internal.h"
#include "convert/lazy_tensors.h"
#include "convert/protocols.h"
#include "selfsame/selfsame.h"

typedef struct {
  SsLent base;                // how it is released
  SelfsameLentValues values;  // what the view points to: the views below
  PyObject** held;            // new references to the texts: another thread may change the list while the function runs
  Py_ssize_t num_held;        // of held
  TVMFFIAny views[];          // then the memory of `held`
} SsLentValues;

static void release_values(SsLent* self) {
  SsLentValues* lent = (SsLentValues*)self;
  for (Py_ssize_t i = 0; i < lent->num_held; i++) Py_DECREF(lent->held[i]);
  PyMem_Free(lent);
}

static SsLentValues* lent_new(Py_ssize_t count) {
  if ((size_t)count > (SIZE_MAX / 2) / (sizeof(TVMFFIAny) + sizeof(PyObject*))) return NULL;
  SsLentValues* lent = PyMem_Malloc(sizeof(*lent) + (size_t)count * (sizeof(TVMFFIAny) + sizeof(PyObject*)));
  if (lent == NULL) return NULL;
  lent->base = (SsLent){NULL, release_values};
  lent->values = (SelfsameLentValues){lent->views, count};
  lent->held = (PyObject**)(lent->views + count);
  lent->num_held = 0;
  return lent;
}

static int lend_text(SsLentValues* lent, PyObject* value, TVMFFIAny* out) {
  Py_ssize_t size;
  const char* text = PyUnicode_AsUTF8AndSize(value, &size);
  if (SS_UNLIKELY(text == NULL)) {
    PyErr_Clear();  // the conversion says it again, and where the value was
    return 0;
  }
  if (size <= SS_SMALL_MAX) {
    ss_set_small(out, kTVMFFISmallStr, text, (size_t)size);
    return 1;
  }
  if (SS_UNLIKELY(size > INT32_MAX || memchr(text, 0, (size_t)size) != NULL)) return 0;
  out->type_index = kTVMFFIRawStr;
  out->small_str_len = (uint32_t)size;
  out->v_c_str = text;
  Py_INCREF(value);
  lent->held[lent->num_held++] = value;
  return 1;
}

static inline __attribute__((always_inline)) int lend_value(SsLentValues* lent, PyObject* value, TVMFFIAny* out) {
  if (PyUnicode_CheckExact(value)) return lend_text(lent, value, out);
  TVMFFIByteArray none;  // a view of bytes would need memory of its own
  return !PyBytes_CheckExact(value) && ss_view_plain(value, out, &none);
}

static SsLentValues* lend_items(PyObject* sequence) {
  PyObject** items = PySequence_Fast_ITEMS(sequence);
  Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence), done = 0;
  SsLentValues* lent = lent_new(count);
  if (lent == NULL) return NULL;
  while (done < count && lend_value(lent, items[done], &lent->views[done])) done++;
  if (done == count) return lent;
  release_values(&lent->base);
  return NULL;
}

// A builtin set. Its iterator runs no code of the elements, but making it may run the collector: then the set can have changed.
static SsLentValues* lend_set(PyObject* set) {
  PyObject* iterator = PyObject_GetIter(set);
  Py_ssize_t count = PySet_GET_SIZE(set), done = 0;
  SsLentValues* lent = iterator == NULL ? NULL : lent_new(count);
  PyObject* item;
  int fits = lent != NULL;
  while (fits && (item = PyIter_Next(iterator)) != NULL) {
    fits = done < count && lend_value(lent, item, &lent->views[done]);
    done++;
    Py_DECREF(item);  // the set has it; a text is held
  }
  if (PyErr_Occurred()) PyErr_Clear();
  Py_XDECREF(iterator);
  if (fits && done == count) return lent;
  if (lent != NULL) release_values(&lent->base);
  return NULL;
}

static SsLentValues* lend_entries(PyObject* dict) {
  Py_ssize_t count = 2 * PyDict_GET_SIZE(dict), done = 0, position = 0;
  PyObject *key, *value;
  SsLentValues* lent = lent_new(count);
  if (lent == NULL) return NULL;
  while (done < count && PyDict_Next(dict, &position, &key, &value) && lend_value(lent, key, &lent->views[done]) &&
         lend_value(lent, value, &lent->views[done + 1])) {
    done += 2;
  }
  if (done == count) return lent;
  release_values(&lent->base);
  return NULL;
}

static SsLent* lend_values(PyObject* value, TVMFFIAny* out) {
  // Without the GIL another thread could change the list or dict while it is read.
  if (SS_FREE_THREADED) return NULL;
  int is_dict = PyDict_CheckExact(value);
  SsLentValues* lent = is_dict                                                 ? lend_entries(value)
                       : PyList_CheckExact(value) || PyTuple_CheckExact(value) ? lend_items(value)
                       : PyAnySet_CheckExact(value)                            ? lend_set(value)
                                                                               : NULL;
  if (lent == NULL) return NULL;
  ss_set_bits(out, is_dict ? SELFSAME_LENT_ENTRIES : SELFSAME_LENT_ITEMS, 0);
  out->v_ptr = &lent->values;
  return &lent->base;
}

int ss_lend(PyObject* value, SsLentMask mask, TVMFFIAny* out, SsLent** all) {
  SsLent* lent = mask.numbers & 1 ? ss_lend_numbers(value, 0, out) : NULL;
  if (lent == NULL && mask.values & 1) lent = lend_values(value, out);
  if (lent == NULL && mask.bytes & 1) lent = ss_lend_bytes(value, out);
  if (lent == NULL) return 0;
  lent->next = *all;
  *all = lent;
  return 1;
}

void ss_lent_release(SsLent* all) {
  while (all != NULL) {
    SsLent* next = all->next;
    all->release(all);
    all = next;
  }
}

PyObject* ss_lend_arguments(PyObject* module, PyObject* args) {
  (void)module;
  PyObject* function;
  SsLentMask mask;
  if (!PyArg_ParseTuple(args, "O!IIIIII:lend_arguments", &SsFunction_Type, &function, &mask.values, &mask.numbers,
                        &mask.bytes, &mask.records, &mask.written, &mask.any)) {
    return NULL;
  }
  ((SsFunction*)function)->lent = mask;
  Py_RETURN_NONE;
}

// ---- arrays whose memory is not exported ----

int ss_view_array_opaque(PyObject* value, SsLentMask lent, TVMFFIAny* view, SsTemps* temps) {
  PyTypeObject* cls = Py_TYPE(value);
  int is_refused = PyErr_ExceptionMatches(PyExc_BufferError) || PyErr_ExceptionMatches(PyExc_TypeError);
  if (!(lent.values & 1) || !is_refused || cls->tp_iter == NULL || !ss_class_has_protocol(cls, SS_PROTOCOL_DLPACK)) {
    return -1;
  }
  PyErr_Clear();
  if (ss_check_mask(value) != 0) return -1;  // its elements have no values
  return ss_set_temporary(view, ss_opaque_new(value), temps);
}
