// Map and Dict. Builtin functions of the runtime look up and store entries. internal/control/builtins_fast.h says why.
#include "types/map.h"

#include "convert/builtin.h"
#include "wrapper/classes.h"
#include "convert/convert.h"
#include "convert/make_container.h"
#include "convert/function.h"
#include "convert/keys.h"
#include "types/guard.h"
#include "gc/references.h"
#include "wrapper/fetch.h"
#include "wrapper/static_type.h"
#include "convert/exchanged.h"

TVMFFIObject* ss_map_native(PyObject* self) {
  TVMFFIObject* object = ss_wrapper(self)->handle;
  if (SS_LIKELY(object != NULL && (object->type_index == kTVMFFIMap || object->type_index == kTVMFFIDict))) {
    return object;
  }
  return ss_wrong_native(self, "a mapping");
}

static TVMFFIObject* dict_of(PyObject* self) {
  TVMFFIObject* object = ss_map_native(self);
  return object == NULL || object->type_index == kTVMFFIDict ? object : ss_wrong_native(self, "a Dict");
}

Py_ssize_t ss_map_length(PyObject* self) {
  TVMFFIObject* map = ss_map_native(self);
  return map == NULL ? -1 : (Py_ssize_t)ss_map_cell(map)->size;
}

static int check(PyObject* self) { return ss_map_native(self) == NULL ? -1 : 0; }
static int check_dict(PyObject* self) { return dict_of(self) == NULL ? -1 : 0; }
SS_DEFINE_GUARDED(int, -1, check, (PyObject * self), (self), 0);
SS_DEFINE_GUARDED(int, -1, check_dict, (PyObject * self), (self), 0);

// The builtin functions for one operation; SS_BUILTIN_COUNT: a Map does not have the operation.
typedef struct {
  SsBuiltin map, dict;  // of a Map, of a Dict
} Operation;
static const Operation for_get = {SS_BUILTIN_MAP_GET, SS_BUILTIN_DICT_GET},
                       for_count = {SS_BUILTIN_MAP_COUNT, SS_BUILTIN_DICT_COUNT};
static const Operation for_set = {SS_BUILTIN_COUNT, SS_BUILTIN_DICT_SET},
                       for_erase = {SS_BUILTIN_COUNT, SS_BUILTIN_DICT_ERASE};
static const Operation for_clear = {SS_BUILTIN_COUNT, SS_BUILTIN_DICT_CLEAR};

// Calls the operation; views[0] is set to the container. *answer: owned. 0, or -1 with an error set.
static int call_with(PyObject* self, const Operation* which, TVMFFIAny* views, int count, TVMFFIAny* answer) {
  TVMFFIObject* object = which->map == SS_BUILTIN_COUNT ? dict_of(self) : ss_map_native(self);
  if (object == NULL) return -1;
  ss_set_object(&views[0], object);
  ss_pin(ss_wrapper(self));
  int rc = ss_call_builtin(object->type_index == kTVMFFIDict ? which->dict : which->map, views, count, answer);
  ss_unpin(ss_wrapper(self));
  return rc;
}
SS_DEFINE_GUARDED(int, -1, call_with,
                  (PyObject * self, const Operation* which, TVMFFIAny* views, int count, TVMFFIAny* answer),
                  (self, which, views, count, answer), ss_is_mutable(native));

// Calls the operation with the container and the values: no key, a key, or a key and a value. *result: owned. 0, or -1
// with an error set.
static int call(PyObject* self, const Operation* which, PyObject* key, PyObject* value, TVMFFIAny* result) {
  TVMFFIAny views[3];
  SsTemp items[2];
  SsTemps temps = {.items = items};
  PyObject* values[2] = {key == NULL ? NULL : ss_key_to_convert(key, 1), value};
  if (key != NULL && values[0] == NULL) {
    ss_prefix_error("%.100s: argument 'key': ", Py_TYPE(self)->tp_name);
    return -1;
  }
  int count = key == NULL ? 0 : value == NULL ? 1 : 2, done = 0, rc = -1;
  while (done < count && ss_to_view(values[done], &views[done + 1], &temps) == 0) done++;
  if (done == count) {
    // after the conversion, which may run Python code
    rc = SS_GUARDED(call_with)(self, which, views, count + 1, result);
  } else {
    ss_prefix_error("%.100s: argument '%s': ", Py_TYPE(self)->tp_name, done == 0 ? "key" : "value");
  }
  ss_views_done(&temps, values, done);
  Py_XDECREF(values[0]);
  return rc;
}

// The object that the get functions return for a key without an entry. Borrowed: it is kept for the life of the
// process. NULL with an error set.
static TVMFFIObject* missing(void) {
  static TVMFFIObject* object;
  TVMFFIObject* known = __atomic_load_n(&object, __ATOMIC_ACQUIRE);
  if (SS_LIKELY(known != NULL)) return known;
  TVMFFIAny result;
  if (ss_call_builtin(SS_BUILTIN_MISSING, NULL, 0, &result) != 0) return NULL;
  if (__atomic_compare_exchange_n(&object, &known, result.v_obj, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return result.v_obj;
  }
  ss_decref(result.v_obj);  // another thread was first
  return known;
}

// Looks up a key. 1: found, *value is a new reference; 0: no such key; -1 with an error set.
static int look_up(PyObject* self, PyObject* key, PyObject** value) {
  TVMFFIAny result;
  TVMFFIObject* none = missing();
  if (none == NULL || SS_GUARDED(check)(self) != 0) return -1;
  if (call(self, &for_get, key, NULL, &result) != 0) return ss_no_native_value() ? 0 : -1;  // no key
  if (result.type_index == kTVMFFIObject && result.v_obj == none) {
    ss_any_clear(&result);
    return 0;
  }
  *value = ss_element_take(self, &result);
  return *value == NULL ? -1 : 1;
}

static PyObject* map_subscript(PyObject* self, PyObject* key) {
  PyObject* value;
  int found = look_up(self, key, &value);
  if (SS_LIKELY(found > 0)) return value;
  if (found == 0) {
    // PyErr_SetObject would take a tuple for the exception's arguments.
    PyObject* args = PyTuple_Pack(1, key);
    if (args != NULL) PyErr_SetObject(PyExc_KeyError, args);
    Py_XDECREF(args);
  }
  return NULL;
}

// Puts the keyword arguments of get into `given`, after `count` positional ones. 0, or -1 with TypeError set.
static int place_get_keywords(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* kwnames,
                              PyObject* given[2]) {
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(kwnames); k++) {
    PyObject* name = PyTuple_GET_ITEM(kwnames, k);
    int at = PyUnicode_CompareWithASCIIString(name, "key") == 0       ? 0
             : PyUnicode_CompareWithASCIIString(name, "default") == 0 ? 1
                                                                      : -1;
    if (at < 0 || given[at] != NULL) {
      PyErr_Format(PyExc_TypeError,
                   at < 0 ? "%.100s.get: got an unexpected keyword argument '%U'"
                          : "%.100s.get: argument '%U': got multiple values",
                   Py_TYPE(self)->tp_name, name);
      return -1;
    }
    given[at] = args[count + k];
  }
  return 0;
}

static PyObject* get(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* kwnames) {
  PyObject* given[2] = {count > 0 ? args[0] : NULL, count > 1 ? args[1] : NULL};
  if (kwnames != NULL && place_get_keywords(self, args, count, kwnames, given) != 0) return NULL;
  if (given[0] == NULL || count > 2)
    return PyErr_Format(PyExc_TypeError, "%.100s.get: expected 1 or 2 arguments, got %zd", Py_TYPE(self)->tp_name,
                        count);
  PyObject* value;
  int found = look_up(self, given[0], &value);
  if (found < 0) return NULL;
  if (found == 0) {
    value = given[1] != NULL ? given[1] : Py_None;
    Py_INCREF(value);
  }
  return value;
}

static int map_contains(PyObject* self, PyObject* key) {
  TVMFFIAny result;
  if (SS_GUARDED(check)(self) != 0) return -1;
  if (call(self, &for_count, key, NULL, &result) != 0) return ss_no_native_value() ? 0 : -1;
  int found = result.v_int64 != 0;
  ss_any_clear(&result);
  return found;
}

static PyObject* map_iter(PyObject* self) { return SS_GUARDED(ss_map_iterator)(self, SS_MAP_KEYS); }

static PyObject* iter_values(PyObject* self, PyObject* unused) {
  (void)unused;
  return SS_GUARDED(ss_map_iterator)(self, SS_MAP_VALUES);
}

static PyObject* iter_items(PyObject* self, PyObject* unused) {
  (void)unused;
  return SS_GUARDED(ss_map_iterator)(self, SS_MAP_ITEMS);
}

// ---- Dict ----

static int dict_assign(PyObject* self, PyObject* key, PyObject* value) {
  TVMFFIAny result;
  if (SS_GUARDED(check_dict)(self) != 0) return -1;
  if (value != NULL) return call(self, &for_set, key, value, &result);
  int found = map_contains(self, key);
  if (found > 0) return call(self, &for_erase, key, NULL, &result);
  if (found == 0) {
    PyObject* args = PyTuple_Pack(1, key);
    if (args != NULL) PyErr_SetObject(PyExc_KeyError, args);
    Py_XDECREF(args);
  }
  return -1;
}

static PyObject* clear(PyObject* self, PyObject* unused) {
  (void)unused;
  TVMFFIAny result;
  if (call(self, &for_clear, NULL, NULL, &result) != 0) return NULL;
  Py_RETURN_NONE;
}

SS_DEFINE_GUARDED(Py_ssize_t, -1, ss_map_length, (PyObject * self), (self), ss_is_mutable(native));

// ---- making ----

static int init_from(PyObject* self, PyObject* args, PyObject* kwargs, const char* format, SsBuiltin maker) {
  static char* names[] = {"input_dict", NULL};
  PyObject* source = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, format, names, &source)) return -1;
  if (ss_wrapper(self)->handle != NULL) {
    PyErr_Format(PyExc_TypeError, "%s.__init__: the object is initialised already", strchr(format, ':') + 1);
    return -1;
  }
  TVMFFIObject* map = ss_map_from_mapping(source, maker, Py_TYPE(self)->tp_name, NULL);
  return map == NULL ? -1 : ss_construct(ss_wrapper(self), map);
}

static int map_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  return init_from(self, args, kwargs, "|O:Map", SS_BUILTIN_MAP);
}

static int dict_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  return init_from(self, args, kwargs, "|O:Dict", SS_BUILTIN_DICT);
}

static PyMethodDef map_methods[] = {
    {"get", (PyCFunction)(void (*)(void))get, METH_FASTCALL | METH_KEYWORDS,
     "get($self, /, key, default=None)\n--\n\nThe value under a key, or the default."},
    {"_iter_values", iter_values, METH_NOARGS, "_iter_values($self, /)\n--\n\nAn iterator over the values."},
    {"_iter_items", iter_items, METH_NOARGS, "_iter_items($self, /)\n--\n\nAn iterator over pairs of key and value."},
    {NULL, NULL, 0, NULL}};

static PyMethodDef dict_methods[] = {{"clear", clear, METH_NOARGS, "clear($self, /)\n--\n\nRemove all entries."},
                                     {NULL, NULL, 0, NULL}};

static PyMappingMethods map_as_mapping = {.mp_length = SS_GUARDED(ss_map_length), .mp_subscript = map_subscript};
static PyMappingMethods dict_as_mapping = {
    .mp_length = SS_GUARDED(ss_map_length), .mp_subscript = map_subscript, .mp_ass_subscript = dict_assign};
static PySequenceMethods as_sequence = {.sq_contains = map_contains};

PyTypeObject SsMap_Type = {
    SS_WRAPPER_TYPE("selfsame_ffi._core.MapBase", "The native half of selfsame_ffi.Map.", &SsObject_Type, SsWrapper,
                    Py_TPFLAGS_BASETYPE),
    .tp_init = map_init,
    .tp_iter = map_iter,
    .tp_methods = map_methods,
    .tp_as_mapping = &map_as_mapping,
    .tp_as_sequence = &as_sequence,
};

PyTypeObject SsDict_Type = {
    SS_WRAPPER_TYPE("selfsame_ffi._core.DictBase", "The native half of selfsame_ffi.Dict.", &SsMap_Type, SsWrapper,
                    Py_TPFLAGS_BASETYPE),
    .tp_init = dict_init,
    .tp_iter = map_iter,
    .tp_methods = dict_methods,
    .tp_as_mapping = &dict_as_mapping,
    .tp_as_sequence = &as_sequence,
};
