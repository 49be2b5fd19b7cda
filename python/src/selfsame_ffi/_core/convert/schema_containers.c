// Arrays, Lists, tuples, Maps and Dicts by schema. Elements become owned native values directly; a native container
// whose elements all fit is passed on as it is.
#include "convert/builtin.h"
#include "convert/convert.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "convert/recursion.h"
#include "convert/schema_unchanged.h"

enum { FEW = 8 };

// Owned values that become the content of a new container.
typedef struct {
  TVMFFIAny* items;    // owned; few, or allocated
  Py_ssize_t count;    // how many of them are made
  TVMFFIAny few[FEW];  // memory of items
} Values;

static int values_new(Values* values, Py_ssize_t room) {
  values->count = 0;
  values->items = values->few;
  if (room <= FEW) return 0;
  values->items = PyMem_Malloc((size_t)room * sizeof(TVMFFIAny));
  if (values->items != NULL) return 0;
  PyErr_NoMemory();
  return -1;
}

// Keeps the error that is set: a release may run Python code.
static void values_release(Values* values) {
  Py_ssize_t first = 0;
  while (first < values->count && values->items[first].type_index < kTVMFFIStaticObjectBegin) first++;
  if (first < values->count) {
    PyObject *type, *error, *traceback;
    PyErr_Fetch(&type, &error, &traceback);
    for (Py_ssize_t i = first; i < values->count; i++) ss_any_clear(&values->items[i]);
    PyErr_Restore(type, error, traceback);
  }
  if (values->items != values->few) PyMem_Free(values->items);
}

// Makes a container of the values, which stay the caller's. SS_CONVERTED or SS_FAILED.
static int make(SsSchemaKind kind, Values* values, TVMFFIAny* out) {
  if (kind == SS_SCHEMA_ARRAY || kind == SS_SCHEMA_TUPLE) {
    TVMFFIObjectHandle array = NULL;
    if (ss_api.SelfsameArrayCreate(values->items, values->count, &array) != 0) return ss_raise_native();
    ss_set_object(out, array);
    return SS_CONVERTED;
  }
  if (values->count > INT32_MAX) {
    PyErr_SetString(PyExc_OverflowError, "a container of more than 2**31 - 1 values cannot be made in one call");
    return SS_FAILED;
  }
  SsBuiltin maker = kind == SS_SCHEMA_LIST ? SS_BUILTIN_LIST : kind == SS_SCHEMA_MAP ? SS_BUILTIN_MAP : SS_BUILTIN_DICT;
  return ss_call_builtin(maker, values->items, (int32_t)values->count, out) == 0 ? SS_CONVERTED : SS_FAILED;
}

static const TVMFFIObject* native_of(PyObject* value) {
  return ss_is_wrapper(value) ? ss_wrapper(value)->handle : NULL;
}

// An owned reference to the wrapper's native object.
static int pass_on(PyObject* wrapper, TVMFFIAny* out) {
  TVMFFIObject* native = ss_pin(ss_wrapper(wrapper));
  if (native == NULL) {
    ss_no_handle(wrapper);
    return SS_FAILED;
  }
  ss_incref(native);
  ss_set_object(out, native);
  ss_unpin(ss_wrapper(wrapper));
  return SS_CONVERTED;
}

// ---- Array, List and tuple ----

static int32_t sequence_index(const SsSchema* schema) {
  return schema->kind == SS_SCHEMA_LIST ? kTVMFFIList : kTVMFFIArray;
}

// With the GIL a list is read where it lies, as long as no item's conversion may run Python code. Without it another thread
// could change the list.
enum { IN_PLACE = !SS_FREE_THREADED };

static SsSchema* part_of(SsSchema* schema, Py_ssize_t i) {
  return schema->parts[schema->kind == SS_SCHEMA_TUPLE && !schema->bare ? i : 0];
}

// Converts the first items of a list or tuple, which fit unchanged.
static void convert_unchanged(SsSchema* schema, PyObject* items, Values* values) {
  if (Py_SIZE(schema) == 0) return;
  Py_ssize_t count = PySequence_Fast_GET_SIZE(items);
  while (values->count < count &&
         ss_fits_unchanged(part_of(schema, values->count), PySequence_Fast_GET_ITEM(items, values->count),
                           &values->items[values->count])) {
    values->count++;
  }
}

// Converts the other items one by one. On success *values has them all.
static int convert_items(SsSchema* schema, PyObject* items, SsConversion* state, Values* values) {
  for (Py_ssize_t i = values->count; i < PyTuple_GET_SIZE(items); i++) {
    PyObject* item = PyTuple_GET_ITEM(items, i);
    int rc;
    if (Py_SIZE(schema) == 0) {
      rc = ss_to_owned(item, &values->items[i]) == 0 ? SS_CONVERTED : SS_FAILED;
      if (rc == SS_FAILED) ss_prefix_error("element [%zd]: ", i);
    } else {
      rc = ss_schema_convert(part_of(schema, i), item, state, &values->items[i]);
      if (rc == SS_MISMATCH) rc = ss_mismatch_in(state, "element [%zd]: ", i);
    }
    if (rc != SS_CONVERTED) return rc;
    values->count++;
  }
  return SS_CONVERTED;
}

static int convert_all(SsSchema* schema, PyObject* items, SsConversion* state, Values* values) {
  convert_unchanged(schema, items, values);
  if (values->count == PySequence_Fast_GET_SIZE(items)) return SS_CONVERTED;
  PyObject* tuple = PySequence_Tuple(items);  // which Python code that runs below cannot change
  int rc = tuple == NULL ? SS_FAILED : convert_items(schema, tuple, state, values);
  Py_XDECREF(tuple);
  return rc;
}

// `items` is a tuple of the items of `value`, or `value` itself.
static int convert_list(SsSchema* schema, PyObject* value, PyObject* items, SsConversion* state, TVMFFIAny* out) {
  Values values;
  if (values_new(&values, PySequence_Fast_GET_SIZE(items)) != 0) return SS_FAILED;
  int outer = state->changed;
  state->changed = 0;
  int rc = convert_all(schema, items, state, &values);
  const TVMFFIObject* native = native_of(value);
  if (rc == SS_CONVERTED && !state->changed && native != NULL && native->type_index == sequence_index(schema)) {
    rc = pass_on(value, out);
    state->changed = outer;
  } else if (rc == SS_CONVERTED) {
    rc = make(schema->kind, &values, out);
    state->changed = 1;
  }
  values_release(&values);
  return rc;
}

// The name of a value's class without its module.
static const char* short_name(PyObject* value) {
  const char* dot = strrchr(Py_TYPE(value)->tp_name, '.');
  return dot == NULL ? Py_TYPE(value)->tp_name : dot + 1;
}

static int is_sequence(PyObject* value) {
  if (PyList_Check(value) || PyTuple_Check(value)) return 1;
  const TVMFFIObject* native = native_of(value);
  return native != NULL && (native->type_index == kTVMFFIArray || native->type_index == kTVMFFIList);
}

int ss_convert_sequence(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  if (!is_sequence(value)) return ss_mismatch(schema, value, state);
  const TVMFFIObject* native = native_of(value);
  if (native != NULL) {
    TVMFFIAny view = {.type_index = native->type_index, .v_obj = (TVMFFIObject*)native};
    int fits = 0;
    SS_BEGIN_CRITICAL_SECTION(value);  // another thread may be changing a List
    fits = ss_schema_fits(schema, &view);
    SS_END_CRITICAL_SECTION();
    if (fits) return pass_on(value, out);
  }
  if (ss_enter_recursion(" while converting a nested sequence") != 0) return SS_FAILED;
  PyObject* items;
  if (IN_PLACE && PyList_CheckExact(value)) {
    items = ss_new_ref(value);
  } else {
    items = PySequence_Tuple(value);
  }
  int rc = SS_FAILED;
  if (items != NULL && schema->kind == SS_SCHEMA_TUPLE && !schema->bare &&
      PySequence_Fast_GET_SIZE(items) != Py_SIZE(schema)) {
    rc = ss_mismatch_text(state, "expected tuple of length %zd, got %s of length %zd", Py_SIZE(schema),
                          short_name(value), PySequence_Fast_GET_SIZE(items));
  } else if (items != NULL) {
    rc = convert_list(schema, value, items, state, out);
  }
  Py_XDECREF(items);
  ss_leave_recursion();
  if (rc == SS_FAILED) rc = ss_mismatch_from_error(schema, value, state);
  return rc;
}

// ---- Map and Dict ----

static int convert_part(SsSchema* schema, Py_ssize_t part, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  if (Py_SIZE(schema) == 0) return ss_to_owned(value, out) == 0 ? SS_CONVERTED : SS_FAILED;
  return ss_schema_convert(schema->parts[part], value, state, out);
}

static int convert_pair(SsSchema* schema, PyObject* pair, SsConversion* state, Values* values) {
  PyObject* key = PyTuple_GET_ITEM(pair, 0);
  PyObject* converted = ss_key_to_convert(key, 0);
  if (converted == NULL) return SS_FAILED;
  int rc = convert_part(schema, 0, converted, state, &values->items[values->count]);
  Py_DECREF(converted);
  if (rc == SS_MISMATCH) return ss_mismatch_in(state, "key %R: ", key);
  if (rc != SS_CONVERTED) return rc;
  values->count++;
  rc = convert_part(schema, 1, PyTuple_GET_ITEM(pair, 1), state, &values->items[values->count]);
  if (rc == SS_MISMATCH) return ss_mismatch_in(state, "value for key %R: ", key);
  values->count += rc == SS_CONVERTED;
  return rc;
}

static int convert_pairs(SsSchema* schema, PyObject* pairs, SsConversion* state, Values* values) {
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(pairs); i++) {
    PyObject* pair = PyList_GET_ITEM(pairs, i);
    if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
      PyErr_Format(PyExc_TypeError, "items(): expected pairs, got %.100s", Py_TYPE(pair)->tp_name);
      return SS_FAILED;
    }
    int rc = convert_pair(schema, pair, state, values);
    if (rc != SS_CONVERTED) return rc;
  }
  return SS_CONVERTED;
}

// ss_check_keys for a container that was made of pairs.
static int check_keys(const TVMFFIObject* map, PyObject* pairs, const Values* values) {
  Py_ssize_t count = PyList_GET_SIZE(pairs);
  PyObject** keys = PyMem_New(PyObject*, 2 * count + 1);  // borrowed, where the keys of the values are
  if (keys == NULL) return ss_no_memory();
  for (Py_ssize_t i = 0; i < count; i++) keys[2 * i] = PyTuple_GET_ITEM(PyList_GET_ITEM(pairs, i), 0);
  int rc = ss_check_keys(map, keys, values->items, count, 2);
  PyMem_Free(keys);
  return rc;
}

static int convert_items_of_mapping(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  PyObject* pairs = PyMapping_Items(value);  // a list of our own
  Values values;
  if (pairs == NULL || values_new(&values, 2 * PyList_GET_SIZE(pairs)) != 0) {
    Py_XDECREF(pairs);
    return SS_FAILED;
  }
  int outer = state->changed;
  state->changed = 0;
  int rc = convert_pairs(schema, pairs, state, &values);
  const TVMFFIObject* native = native_of(value);
  int32_t wanted = schema->kind == SS_SCHEMA_MAP ? kTVMFFIMap : kTVMFFIDict;
  if (rc == SS_CONVERTED && !state->changed && native != NULL && native->type_index == wanted) {
    rc = pass_on(value, out);
    state->changed = outer;
  } else if (rc == SS_CONVERTED) {
    rc = make(schema->kind, &values, out);
    state->changed = 1;
    if (rc == SS_CONVERTED && check_keys(out->v_obj, pairs, &values) != 0) {
      ss_any_clear(out);
      rc = SS_FAILED;
    }
  }
  values_release(&values);
  Py_DECREF(pairs);
  return rc;
}

static int is_mapping(PyObject* value) {
  if (PyDict_Check(value)) return 1;
  const TVMFFIObject* native = native_of(value);
  if (native != NULL) return native->type_index == kTVMFFIMap || native->type_index == kTVMFFIDict;
  static PyObject* mapping;
  if (mapping == NULL) {
    PyObject* abc = PyImport_ImportModule("collections.abc");
    if (abc == NULL) return -1;
    mapping = PyObject_GetAttrString(abc, "Mapping");
    Py_DECREF(abc);
    if (mapping == NULL) return -1;
  }
  return PyObject_IsInstance(value, mapping);
}

int ss_convert_mapping(SsSchema* schema, PyObject* value, SsConversion* state, TVMFFIAny* out) {
  int is = is_mapping(value);
  if (is < 0) return SS_FAILED;
  if (!is) return ss_mismatch(schema, value, state);
  const TVMFFIObject* native = native_of(value);
  if (native != NULL) {
    TVMFFIAny view = {.type_index = native->type_index, .v_obj = (TVMFFIObject*)native};
    if (ss_schema_fits(schema, &view)) return pass_on(value, out);
  }
  if (ss_enter_recursion(" while converting a nested mapping") != 0) return SS_FAILED;
  int rc = convert_items_of_mapping(schema, value, state, out);
  ss_leave_recursion();
  if (rc == SS_FAILED) rc = ss_mismatch_from_error(schema, value, state);
  return rc;
}
