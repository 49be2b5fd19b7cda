// Keys that become equal: see convert.h.
#include "convert/convert.h"

#include "convert/builtin.h"
#include "selfsame/internal/containers.h"

static int say(PyObject* first, PyObject* second, const char* of) {
  PyErr_Format(PyExc_ValueError, "the keys %R and %R become the same key of a %s", first, second, of);
  return -1;
}

// Looks for a key that `seen`, a Dict of keys and their numbers, has already, and adds it if not. Stores the number of the known
// one, or -1. 0, or -1 with an error set.
static int find_or_add(TVMFFIObject* seen, const TVMFFIAny* key, Py_ssize_t number, Py_ssize_t* known) {
  TVMFFIAny views[3], found;
  ss_set_object(&views[0], seen);
  views[1] = *key;
  ss_set_bits(&views[2], kTVMFFIInt, (uint64_t)number);
  *known = -1;
  if (ss_call_builtin(SS_BUILTIN_DICT_COUNT, views, 2, &found) != 0) return -1;
  if (found.v_int64 == 0) return ss_call_builtin(SS_BUILTIN_DICT_SET, views, 3, &found);
  if (ss_call_builtin(SS_BUILTIN_DICT_GET, views, 2, &found) != 0) return -1;
  *known = (Py_ssize_t)found.v_int64;
  return 0;
}

static int find_collision(TVMFFIObject* seen, PyObject* const* keys, const TVMFFIAny* converted, Py_ssize_t count,
                          Py_ssize_t step, const char* of) {
  for (Py_ssize_t i = 0; i < count * step; i += step) {
    TVMFFIAny made = {.type_index = kTVMFFINone};
    Py_ssize_t known;
    if (converted == NULL && ss_to_owned(keys[i], &made) != 0) return -1;
    int rc = find_or_add(seen, converted == NULL ? &made : &converted[i], i, &known);
    ss_any_clear(&made);
    if (rc == 0 && known >= 0) {
      int equal = PyObject_RichCompareBool(keys[known], keys[i], Py_EQ);
      if (equal <= 0) rc = equal < 0 ? -1 : say(keys[known], keys[i], of);
    }
    if (rc != 0) return rc;
  }
  return 0;
}

int ss_check_keys(const TVMFFIObject* map, PyObject* const* keys, const TVMFFIAny* converted, Py_ssize_t count,
                  Py_ssize_t step) {
  TVMFFIAny seen;
  if (SS_LIKELY((Py_ssize_t)ss_map_cell(map)->size == count)) return 0;
  if (ss_call_builtin(SS_BUILTIN_DICT, NULL, 0, &seen) != 0) return -1;
  const char* of = map->type_index == kTVMFFIMap ? "Map" : "Dict";
  int rc = find_collision(seen.v_obj, keys, converted, count, step, of);
  ss_any_clear(&seen);
  return rc;
}

// The error of a key that the dict or set has an equal of.
static int say_known(PyObject* container, PyObject* key) {
  PyObject *iterator = PyObject_GetIter(container), *known;
  int equal = 0;
  while (iterator != NULL && equal == 0 && (known = PyIter_Next(iterator)) != NULL) {
    equal = PyObject_RichCompareBool(known, key, Py_EQ);
    if (equal > 0) say(known, key, Py_TYPE(container)->tp_name);
    Py_DECREF(known);
  }
  Py_XDECREF(iterator);
  return -1;
}

int ss_dict_add_new(PyObject* dict, PyObject* key, PyObject* value) {
  Py_ssize_t before = PyDict_GET_SIZE(dict);
  if (PyDict_SetItem(dict, key, value) != 0) return -1;
  return SS_LIKELY(PyDict_GET_SIZE(dict) > before) ? 0 : say_known(dict, key);
}

int ss_set_add_new(PyObject* set, PyObject* element) {
  Py_ssize_t before = PySet_GET_SIZE(set);
  if (PySet_Add(set, element) != 0) return -1;
  return SS_LIKELY(PySet_GET_SIZE(set) > before) ? 0 : say_known(set, element);
}
