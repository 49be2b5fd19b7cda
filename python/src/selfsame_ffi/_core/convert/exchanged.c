// Results of calls with tensors of another package; see exchanged.h.
#include "convert/exchanged.h"

#include "convert/convert.h"
#include "wrapper/classes.h"

// The tables that marks name: a mark is a place here plus one. A table beyond them marks nothing.
enum { TABLES = SS_EXCHANGE_MARK / SS_EXCHANGE_MARK_1 };
static const SsExchange* tables[TABLES];

const SsExchange* ss_exchange_marked(uintptr_t flags) {
  uintptr_t place = (flags & SS_EXCHANGE_MARK) / SS_EXCHANGE_MARK_1 - 1;
  return __atomic_load_n(&tables[place], __ATOMIC_ACQUIRE);
}

// 0 when all places are taken.
static uintptr_t mark_of(const SsExchange* exchange) {
  for (uintptr_t i = 0; i < TABLES; i++) {
    const SsExchange* there = NULL;
    if (__atomic_compare_exchange_n(&tables[i], &there, exchange, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
        there == exchange) {
      return (i + 1) * SS_EXCHANGE_MARK_1;
    }
  }
  return 0;
}

static int is_container(int32_t type_index) {
  return type_index == kTVMFFIArray || type_index == kTVMFFIList || type_index == kTVMFFIMap ||
         type_index == kTVMFFIDict;
}

// ---- what a call returns ----

static int convert_inside(const SsExchange* exchange, PyObject* container);

// The value for an item that has come with a call's result: the package's tensor for a Tensor. What only `owners` others
// refer to is new, and so is what it has inside: nobody has read it. New reference, NULL with an error set.
static PyObject* convert_item(const SsExchange* exchange, PyObject* item, Py_ssize_t owners) {
  int is_new = Py_REFCNT(item) == owners;
  if (!ss_is_wrapper(item)) {
    if (is_new && convert_inside(exchange, item) != 0) return NULL;
    return ss_new_ref(item);
  }
  TVMFFIObject* native = ss_pin(ss_wrapper(item));
  int32_t type_index = native == NULL ? kTVMFFINone : native->type_index;
  PyObject* made = item;
  if (type_index == kTVMFFITensor) {
    ss_incref(native);
    made = ss_exchange_export(exchange, native);
  } else {
    Py_INCREF(item);
  }
  if (is_new && is_container(type_index)) ss_flags_set(ss_wrapper(item), mark_of(exchange));
  ss_unpin(ss_wrapper(item));
  return made;
}

static int convert_tuple(const SsExchange* exchange, PyObject* tuple) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
    PyObject *item = PyTuple_GET_ITEM(tuple, i), *made = convert_item(exchange, item, 1);
    if (made == NULL) return -1;
    PyTuple_SET_ITEM(tuple, i, made);
    Py_DECREF(item);
  }
  return 0;
}

static int convert_list(const SsExchange* exchange, PyObject* list) {
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
    PyObject* made = convert_item(exchange, PyList_GET_ITEM(list, i), 1);
    if (made == NULL || PyList_SetItem(list, i, made) != 0) return -1;
  }
  return 0;
}

static int convert_dict(const SsExchange* exchange, PyObject* dict) {
  PyObject *key, *item;
  for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &item);) {
    PyObject* made = convert_item(exchange, item, 1);
    int rc = made == NULL ? -1 : PyDict_SetItem(dict, key, made);  // another value for a key moves no entry
    Py_XDECREF(made);
    if (rc != 0) return -1;
  }
  return 0;
}

// Past a __setattr__ of the class: a frozen dataclass has one that refuses.
static int convert_field(const SsExchange* exchange, PyObject* record, PyObject* name) {
  PyObject* item = PyObject_GenericGetAttr(record, name);
  PyObject* made = item == NULL ? NULL : convert_item(exchange, item, 2);
  int rc = made == NULL ? -1 : made == item ? 0 : PyObject_GenericSetAttr(record, name, made);
  Py_XDECREF(made);
  Py_XDECREF(item);
  return rc;
}

static int convert_fields(const SsExchange* exchange, PyObject* record) {
  PyObject* names = ss_dataclass_fields(Py_TYPE(record));
  if (names == NULL) return PyErr_Occurred() ? -1 : 0;
  int rc = 0;
  for (Py_ssize_t i = 0; rc == 0 && i < PyList_GET_SIZE(names); i++) {
    rc = convert_field(exchange, record, PyList_GET_ITEM(names, i));
  }
  Py_DECREF(names);
  return rc;
}

// Converts what is in a new container of Python's own. Go code makes these for several results, for records and for the
// results of a func with the option Plain. 0, or -1 with an error set.
static int convert_inside(const SsExchange* exchange, PyObject* container) {
  if (PyTuple_CheckExact(container)) return convert_tuple(exchange, container);
  if (PyList_CheckExact(container)) return convert_list(exchange, container);
  if (PyDict_CheckExact(container)) return convert_dict(exchange, container);
  return convert_fields(exchange, container);
}

PyObject* ss_exchanged_take(const SsExchange* exchange, TVMFFIAny* value) {
  int32_t type_index = value->type_index;
  if (type_index == kTVMFFITensor && value->v_obj != NULL) return ss_exchange_export(exchange, value->v_obj);
  PyObject* made = ss_value_take(value);
  if (made == NULL || Py_REFCNT(made) != 1) return made;  // others may have read the Tensors in it
  if (is_container(type_index) && ss_is_wrapper(made)) ss_flags_set(ss_wrapper(made), mark_of(exchange));
  if (type_index == kTVMFFIOpaquePyObject && convert_inside(exchange, made) != 0) Py_CLEAR(made);
  return made;
}
