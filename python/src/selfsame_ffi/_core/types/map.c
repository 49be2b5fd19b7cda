// Map and Dict. Builtin functions of the runtime look up and store entries. internal/control/builtins_fast.h says why.
#include "types/types.h"

#include "convert/arguments.h"
#include "convert/builtin.h"
#include "wrapper/classes.h"
#include "convert/convert.h"
#include "convert/function.h"
#include "types/guard.h"
#include "gc/references.h"
#include "wrapper/fetch.h"
#include "wrapper/tp_slots.h"
#include "convert/exchanged.h"
#include "selfsame/internal/map_cursor.h"

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

static int is_missing(const TVMFFIAny* answer) {
  return answer->type_index == kTVMFFIObject && answer->v_obj == missing();
}

// What an operation does after its builtin function, in the same step: no other Python thread comes between.
typedef enum { NOTHING, ERASE_FOUND, SET_MISSING } Then;

// The builtin functions for one operation; SS_BUILTIN_COUNT: a Map does not have the operation.
typedef struct {
  SsBuiltin map, dict;  // of a Map, of a Dict
  Then then;            // after a get
} Operation;
static const Operation for_get = {SS_BUILTIN_MAP_GET, SS_BUILTIN_DICT_GET, NOTHING},
                       for_count = {SS_BUILTIN_MAP_COUNT, SS_BUILTIN_DICT_COUNT, NOTHING};
static const Operation for_set = {SS_BUILTIN_COUNT, SS_BUILTIN_DICT_SET, NOTHING},
                       for_pop = {SS_BUILTIN_COUNT, SS_BUILTIN_DICT_GET, ERASE_FOUND},
                       for_set_default = {SS_BUILTIN_COUNT, SS_BUILTIN_DICT_GET, SET_MISSING};
static const Operation for_clear = {SS_BUILTIN_COUNT, SS_BUILTIN_DICT_CLEAR, NOTHING};

// Erases the entry that was found, or stores the value where none was found; *answer is the value of the entry after it.
static int do_then(Then then, TVMFFIAny* views, TVMFFIAny* answer) {
  TVMFFIAny none;
  int absent = is_missing(answer), rc = 0;
  if (then == ERASE_FOUND && !absent) {
    rc = ss_call_builtin(SS_BUILTIN_DICT_ERASE, views, 2, &none);
    if (rc != 0) ss_any_clear(answer);
  } else if (then == SET_MISSING && absent) {
    ss_any_clear(answer);
    rc = ss_call_builtin(SS_BUILTIN_DICT_SET, views, 3, &none);
    if (rc == 0) rc = ss_call_builtin(SS_BUILTIN_DICT_GET, views, 2, answer);
  }
  return rc;
}

// Calls the operation; views[0] is set to the container. *answer: owned. 0, or -1 with an error set.
static int call_with(PyObject* self, const Operation* which, TVMFFIAny* views, int count, TVMFFIAny* answer) {
  TVMFFIObject* object = which->map == SS_BUILTIN_COUNT ? dict_of(self) : ss_map_native(self);
  if (object == NULL) return -1;
  ss_set_object(&views[0], object);
  ss_pin(ss_wrapper(self));
  SsBuiltin first = object->type_index == kTVMFFIDict ? which->dict : which->map;
  int rc = ss_call_builtin(first, views, which->then == NOTHING ? count : 2, answer);
  if (rc == 0 && which->then != NOTHING) rc = do_then(which->then, views, answer);
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

// Calls an operation that begins with a get. 1: *value is a new reference; 0: no such key; -1 with an error set.
static int value_after(PyObject* self, const Operation* which, PyObject* key, PyObject* given, PyObject** value) {
  TVMFFIAny result;
  if (missing() == NULL || SS_GUARDED(check)(self) != 0) return -1;
  if (call(self, which, key, given, &result) != 0) return given == NULL && ss_no_native_value() ? 0 : -1;  // no key
  if (is_missing(&result)) {
    ss_any_clear(&result);
    return 0;
  }
  *value = ss_element_take(self, &result);
  return *value == NULL ? -1 : 1;
}

static int look_up(PyObject* self, PyObject* key, PyObject** value) {
  return value_after(self, &for_get, key, NULL, value);
}

// Sets KeyError for a key without an entry. PyErr_SetObject alone would take a tuple for the exception's arguments.
static void raise_no_key(PyObject* key) {
  PyObject* args = PyTuple_Pack(1, key);
  if (args != NULL) PyErr_SetObject(PyExc_KeyError, args);
  Py_XDECREF(args);
}

static PyObject* map_subscript(PyObject* self, PyObject* key) {
  PyObject* value;
  int found = look_up(self, key, &value);
  if (SS_LIKELY(found > 0)) return value;
  if (found == 0) raise_no_key(key);
  return NULL;
}

// Puts the arguments of the method `name` into `given`: a key, and a default or NULL. 0, or -1 with TypeError set.
static int place_arguments(PyObject* self, const char* method, PyObject* const* args, Py_ssize_t count,
                           PyObject* kwnames, PyObject* given[2]) {
  given[0] = count > 0 ? args[0] : NULL;
  given[1] = count > 1 ? args[1] : NULL;
  Py_ssize_t named = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
  for (Py_ssize_t k = 0; k < named; k++) {
    PyObject* name = PyTuple_GET_ITEM(kwnames, k);
    int at = PyUnicode_CompareWithASCIIString(name, "key") == 0       ? 0
             : PyUnicode_CompareWithASCIIString(name, "default") == 0 ? 1
                                                                      : -1;
    if (at < 0) {
      ss_set_unexpected_keyword(name, Py_BuildValue("(ss)", "key", "default"));
      ss_prefix_error("%.100s.%s: ", Py_TYPE(self)->tp_name, method);
      return -1;
    }
    if (given[at] != NULL) {
      PyErr_Format(PyExc_TypeError, "%.100s.%s: argument '%U': got multiple values", Py_TYPE(self)->tp_name, method,
                   name);
      return -1;
    }
    given[at] = args[count + k];
  }
  if (given[0] != NULL && count <= 2) return 0;
  PyErr_Format(PyExc_TypeError, "%.100s.%s: expected 1 or 2 arguments, got %zd", Py_TYPE(self)->tp_name, method, count);
  return -1;
}

static PyObject* get(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* kwnames) {
  PyObject *given[2], *value;
  if (place_arguments(self, "get", args, count, kwnames, given) != 0) return NULL;
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

// Takes the entry of a key out. As value_after.
static int take(PyObject* self, PyObject* key, PyObject** value) {
  if (SS_GUARDED(check_dict)(self) != 0) return -1;
  return value_after(self, &for_pop, key, NULL, value);
}

static int dict_assign(PyObject* self, PyObject* key, PyObject* value) {
  TVMFFIAny result;
  if (SS_GUARDED(check_dict)(self) != 0) return -1;
  if (value != NULL) return call(self, &for_set, key, value, &result);
  PyObject* taken;
  int found = take(self, key, &taken);
  if (found == 0) raise_no_key(key);
  if (found > 0) Py_DECREF(taken);
  return found > 0 ? 0 : -1;
}

static PyObject* pop(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* kwnames) {
  PyObject *given[2], *value;
  if (place_arguments(self, "pop", args, count, kwnames, given) != 0) return NULL;
  int found = take(self, given[0], &value);
  if (found > 0) return value;
  if (found == 0 && given[1] == NULL) raise_no_key(given[0]);
  if (found < 0 || given[1] == NULL) return NULL;
  Py_INCREF(given[1]);
  return given[1];
}

static PyObject* set_default(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* kwnames) {
  PyObject *given[2], *value;
  if (place_arguments(self, "setdefault", args, count, kwnames, given) != 0) return NULL;
  if (SS_GUARDED(check_dict)(self) != 0) return NULL;
  int found = value_after(self, &for_set_default, given[0], given[1] == NULL ? Py_None : given[1], &value);
  return found > 0 ? value : NULL;
}

// Takes the first entry out. 1: entry[0] and entry[1], owned; 0: there is none; -1 with an error set.
static int take_first(PyObject* self, TVMFFIAny* entry) {
  TVMFFIObject* object = dict_of(self);
  if (object == NULL) return -1;
  SsMapCursor cursor;
  ss_map_cursor_begin(&cursor, ss_map_cell(object));
  const SsEntry* first = ss_map_cursor_entry(&cursor, ss_map_cell(object));
  if (first == NULL) return 0;
  TVMFFIAny views[2] = {{.type_index = kTVMFFINone}, first->key}, none;
  ss_set_object(&views[0], object);
  entry[0] = first->key;
  entry[1] = first->value;
  for (int i = 0; i < 2; i++) {
    if (entry[i].type_index >= kTVMFFIStaticObjectBegin) ss_incref(entry[i].v_obj);
  }
  ss_pin(ss_wrapper(self));
  int rc = ss_call_builtin(SS_BUILTIN_DICT_ERASE, views, 2, &none);
  ss_unpin(ss_wrapper(self));
  for (int i = 0; rc != 0 && i < 2; i++) ss_any_clear(&entry[i]);
  return rc == 0 ? 1 : -1;
}
SS_DEFINE_GUARDED(int, -1, take_first, (PyObject * self, TVMFFIAny* entry), (self, entry), 1);

static PyObject* pop_item(PyObject* self, PyObject* unused) {
  (void)unused;
  TVMFFIAny entry[2];
  int found = SS_GUARDED(take_first)(self, entry);
  if (found == 0) {
    PyErr_Format(PyExc_KeyError, "%.100s.popitem: expected an entry, got an empty container", Py_TYPE(self)->tp_name);
  }
  if (found <= 0) return NULL;
  PyObject* key = ss_value_take(&entry[0]);
  PyObject* value = ss_element_take(self, &entry[1]);
  PyObject* pair = key == NULL || value == NULL ? NULL : PyTuple_Pack(2, key, value);
  Py_XDECREF(key);
  Py_XDECREF(value);
  return pair;
}

// Stores the entries of a Map, in its order. 0, or -1 with an error set.
static int store_all(PyObject* self, TVMFFIObject* entries) {
  TVMFFIObject* object = dict_of(self);
  if (object == NULL) return -1;
  ss_pin(ss_wrapper(self));
  const SsMapCell* cell = ss_map_cell(entries);
  SsMapCursor cursor;
  int rc = 0;
  for (ss_map_cursor_begin(&cursor, cell); rc == 0 && !ss_map_cursor_at_end(&cursor);) {
    const SsEntry* entry = ss_map_cursor_entry(&cursor, cell);
    TVMFFIAny views[3] = {{.type_index = kTVMFFINone}, entry->key, entry->value}, none;
    ss_set_object(&views[0], object);
    rc = ss_call_builtin(SS_BUILTIN_DICT_SET, views, 3, &none);
    if (rc == 0) ss_map_cursor_advance(&cursor, cell);
  }
  ss_unpin(ss_wrapper(self));
  return rc;
}
SS_DEFINE_GUARDED(int, -1, store_all, (PyObject * self, TVMFFIObject* entries), (self, entries), 1);

// A Map with the entries of a Map or Dict. New reference, NULL with an error set.
static TVMFFIObject* entries_of(PyObject* self) {
  TVMFFIObject* object = ss_map_native(self);
  if (object == NULL) return NULL;
  if (object->type_index == kTVMFFIMap) {
    ss_incref(object);
    return object;
  }
  const SsMapCell* cell = ss_map_cell(object);
  TVMFFIAny made, *views = PyMem_Malloc((size_t)(2 * cell->size + 1) * sizeof(TVMFFIAny));
  if (views == NULL) return (TVMFFIObject*)PyErr_NoMemory();
  int32_t count = 0;
  SsMapCursor cursor;
  for (ss_map_cursor_begin(&cursor, cell); !ss_map_cursor_at_end(&cursor); ss_map_cursor_advance(&cursor, cell)) {
    const SsEntry* entry = ss_map_cursor_entry(&cursor, cell);
    views[count++] = entry->key;
    views[count++] = entry->value;
  }
  int rc = ss_call_builtin(SS_BUILTIN_MAP, views, count, &made);
  PyMem_Free(views);
  return rc == 0 ? made.v_obj : NULL;
}
SS_DEFINE_GUARDED(TVMFFIObject*, NULL, entries_of, (PyObject * self), (self), ss_is_mutable(native));

// All entries are converted before the first is stored.
static int update_from(PyObject* self, PyObject* source) {
  TVMFFIObject* entries = PyObject_TypeCheck(source, &SsMap_Type)
                              ? SS_GUARDED(entries_of)(source)
                              : ss_map_from_mapping(source, SS_BUILTIN_MAP, Py_TYPE(self)->tp_name, NULL);
  if (entries == NULL) return -1;
  int rc = SS_GUARDED(store_all)(self, entries);
  ss_decref(entries);
  return rc;
}

static PyObject* update(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* source = NULL;
  if (!PyArg_UnpackTuple(args, "update", 0, 1, &source) || SS_GUARDED(check_dict)(self) != 0) return NULL;
  if (source != NULL && update_from(self, source) != 0) return NULL;
  if (kwargs != NULL && update_from(self, kwargs) != 0) return NULL;
  Py_RETURN_NONE;
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

static PyMethodDef dict_methods[] = {
    {"clear", clear, METH_NOARGS, "clear($self, /)\n--\n\nRemove all entries."},
    {"pop", (PyCFunction)(void (*)(void))pop, METH_FASTCALL | METH_KEYWORDS,
     "Remove a key and return its value, or the default. Raises KeyError without either."},
    {"popitem", pop_item, METH_NOARGS,
     "popitem($self, /)\n--\n\nRemove the first entry and return it. Raises KeyError when there is none."},
    {"setdefault", (PyCFunction)(void (*)(void))set_default, METH_FASTCALL | METH_KEYWORDS,
     "setdefault($self, /, key, default=None)\n--\n\nThe value under a key, stored first where there is none."},
    {"update", (PyCFunction)(void (*)(void))update, METH_VARARGS | METH_KEYWORDS,
     "Store the entries of a mapping or of an iterable of pairs, and those of the keywords, in one step each."},
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
