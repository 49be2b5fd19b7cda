// Python's own containers for native ones; see convert.h.
#include "convert/convert.h"

#include "convert/recursion.h"
#include "convert/text.h"
#include "convert/to_python.h"
#include "selfsame/internal/containers.h"
#include "wrapper/classes.h"

static PyObject* plain_value(const TVMFFIAny* view, PyObject* other);

static PyObject* plain_list(const TVMFFIObject* array, PyObject* other) {
  const TVMFFISeqCell* cell = SS_CELL(TVMFFISeqCell, array);
  const TVMFFIAny* items = cell->data;
  PyObject* list = PyList_New((Py_ssize_t)cell->size);
  for (Py_ssize_t i = 0; list != NULL && i < cell->size; i++) {
    PyObject* item = plain_value(&items[i], other);
    if (item == NULL) {
      Py_CLEAR(list);
    } else {
      PyList_SET_ITEM(list, i, item);
    }
  }
  return list;
}

// A key of Python's for what Go has as an array: lists are no keys, tuples of their elements are. Takes over the reference, which may be NULL.
static PyObject* as_key(PyObject* value) {
  if (value == NULL || !PyList_CheckExact(value)) return value;
  PyObject* key = PyTuple_New(PyList_GET_SIZE(value));
  for (Py_ssize_t i = 0; key != NULL && i < PyTuple_GET_SIZE(key); i++) {
    PyObject* item = PyList_GET_ITEM(value, i);  // nobody else has the list
    Py_INCREF(item);
    if ((item = as_key(item)) == NULL) {
      Py_CLEAR(key);
    } else {
      PyTuple_SET_ITEM(key, i, item);
    }
  }
  Py_DECREF(value);
  return key;
}

static int add_entry(PyObject* dict, const SsEntry* entry, PyObject* other) {
  PyObject* key = as_key(plain_value(&entry->key, other));
  PyObject* value = key == NULL ? NULL : plain_value(&entry->value, other);
  int rc = value == NULL ? -1 : ss_dict_add_new(dict, key, value);
  Py_XDECREF(key);
  Py_XDECREF(value);
  return rc;
}

static PyObject* plain_dict(const TVMFFIObject* map, PyObject* other) {
  const SsMapCell* cell = ss_map_cell(map);
  int small = ss_map_is_small(cell);
  uint64_t bucket = small ? 0 : cell->head;
  PyObject* dict = PyDict_New();
  for (uint64_t i = 0; dict != NULL && i < cell->size; i++) {
    const SsEntry* entry = small ? (const SsEntry*)cell->data + i : &ss_map_bucket(cell, bucket)->entry;
    if (!small) bucket = ss_map_bucket(cell, bucket)->next;
    if (add_entry(dict, entry, other) != 0) Py_CLEAR(dict);
  }
  return dict;
}

// Borrows the value, whose owner does not change: an Array, a Map, or the caller of ss_plain. New reference, NULL with
// an error set.
static PyObject* plain_value(const TVMFFIAny* view, PyObject* other) {
  switch (view->type_index) {
    case kTVMFFIStr: {
      const TVMFFIByteArray* text = SS_CELL(TVMFFIByteArray, view->v_obj);
      return ss_str_new(text->data, text->size);
    }
    case kTVMFFIBytes: {
      const TVMFFIByteArray* bytes = SS_CELL(TVMFFIByteArray, view->v_obj);
      return PyBytes_FromStringAndSize(bytes->data, (Py_ssize_t)bytes->size);
    }
    case kTVMFFIArray:
    case kTVMFFIMap: {
      if (ss_enter_recursion(" while copying a nested container") != 0) return NULL;
      PyObject* made = (view->type_index == kTVMFFIMap ? plain_dict : plain_list)(view->v_obj, other);
      ss_leave_recursion();
      return made;
    }
    case kTVMFFIList:
    case kTVMFFIDict: {
      PyObject* wrapper = ss_value_from_view(view);
      PyObject* made = wrapper == NULL ? NULL : PyObject_CallOneArg(other, wrapper);
      Py_XDECREF(wrapper);
      return made;
    }
    default:
      return ss_value_from_view(view);
  }
}

PyObject* ss_plain(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  if (count != 2) {
    return PyErr_Format(PyExc_TypeError, "plain: expected 2 arguments, got %zd", count);
  }
  TVMFFIObject* native = ss_is_wrapper(args[0]) ? ss_pin(ss_wrapper(args[0])) : NULL;
  if (native == NULL) {
    Py_INCREF(args[0]);
    return args[0];
  }
  PyObject* made;
  if (native->type_index == kTVMFFIArray || native->type_index == kTVMFFIMap) {
    TVMFFIAny view;
    ss_set_object(&view, native);
    made = plain_value(&view, args[1]);
  } else {
    made = args[0];
    Py_INCREF(made);
  }
  ss_unpin(ss_wrapper(args[0]));
  return made;
}

// A list of the items that `make` makes of `count` values, of `size` bytes each. New reference, NULL with an error set.
static inline __attribute__((always_inline)) PyObject* list_from(const void* values, size_t size, Py_ssize_t count,
                                                                 PyObject* (*make)(const void* value)) {
  PyObject* list = PyList_New(count);
  for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
    PyObject* item = make((const char*)values + (size_t)i * size);
    if (item == NULL) {
      Py_CLEAR(list);
    } else {
      PyList_SET_ITEM(list, i, item);
    }
  }
  return list;
}

static inline PyObject* item_of_view(const void* view) { return ss_object_from_view(view); }
static inline PyObject* item_of_int(const void* value) { return PyLong_FromLongLong(*(const int64_t*)value); }
static inline PyObject* item_of_float(const void* value) { return PyFloat_FromDouble(*(const double*)value); }

static PyObject* list_of(const TVMFFIAny* args, int32_t count) {
  return list_from(args, sizeof *args, count, item_of_view);
}

static PyObject* dict_of(const TVMFFIAny* args, int32_t count) {
  if (count % 2 != 0) {
    return PyErr_Format(PyExc_TypeError, "selfsame.python.dict: expected keys and values in turn, got %d arguments",
                        (int)count);
  }
  PyObject* dict = PyDict_New();
  for (int32_t i = 0; dict != NULL && i < count; i += 2) {
    PyObject* key = as_key(ss_object_from_view(&args[i]));
    PyObject* value = key == NULL ? NULL : ss_object_from_view(&args[i + 1]);
    if (value == NULL || ss_dict_add_new(dict, key, value) != 0) Py_CLEAR(dict);
    Py_XDECREF(key);
    Py_XDECREF(value);
  }
  return dict;
}

static PyObject* set_of(const TVMFFIAny* args, int32_t count) {
  PyObject* set = PySet_New(NULL);
  for (int32_t i = 0; set != NULL && i < count; i++) {
    PyObject* item = as_key(ss_object_from_view(&args[i]));
    if (item == NULL || ss_set_add_new(set, item) != 0) Py_CLEAR(set);
    Py_XDECREF(item);
  }
  return set;
}

// The number of elements of a call with an address and a number; -1 with an error set when the arguments are others.
static Py_ssize_t elements(const char* name, const TVMFFIAny* args, int32_t count) {
  if (count == 2 && args[0].type_index == kTVMFFIOpaquePtr && args[1].type_index == kTVMFFIInt &&
      args[1].v_int64 >= 0 && (args[0].v_ptr != NULL || args[1].v_int64 == 0)) {
    return (Py_ssize_t)args[1].v_int64;
  }
  PyErr_Format(PyExc_TypeError, "selfsame.python.%s: expected an address and a number of elements", name);
  return -1;
}

static PyObject* ints_of(const TVMFFIAny* args, int32_t count) {
  Py_ssize_t n = elements("ints", args, count);
  return n < 0 ? NULL : list_from(args[0].v_ptr, sizeof(int64_t), n, item_of_int);
}

static PyObject* floats_of(const TVMFFIAny* args, int32_t count) {
  Py_ssize_t n = elements("floats", args, count);
  return n < 0 ? NULL : list_from(args[0].v_ptr, sizeof(double), n, item_of_float);
}

PyObject* ss_function_of_builtin(PyObject* module, PyObject* name) {
  (void)module;
  const struct {
    const char* name;    // of the Function, static
    PyTypeObject* type;  // of what it returns, static
    SsBuilder builder;   // makes it of the arguments
  } known[] = {{"list", &PyList_Type, list_of},
               {"dict", &PyDict_Type, dict_of},
               {"set", &PySet_Type, set_of},
               {"ints", &PyList_Type, ints_of},
               {"floats", &PyList_Type, floats_of}};
  for (size_t i = 0; i < sizeof known / sizeof known[0] && PyUnicode_Check(name); i++) {
    if (PyUnicode_CompareWithASCIIString(name, known[i].name) == 0) {
      return ss_function_of_builder(known[i].type, known[i].builder);
    }
  }
  return PyErr_Format(PyExc_ValueError,
                      "function_of_builtin: expected 'list', 'dict', 'set', 'ints' or 'floats', got %R", name);
}
