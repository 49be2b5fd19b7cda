// Python lists, tuples and mappings to native containers.
#include "convert/convert.h"

#include "convert/errors.h"
#include "convert/function.h"
#include "convert/internal.h"
#include "convert/recursion.h"
#include "selfsame/internal/containers.h"

enum { FEW = 8 };

// The views of many values, and room for references to these, in one allocation; those of a few, on the stack.
typedef struct {
  TVMFFIAny* items;          // the views: few_items, or allocated
  PyObject** held;           // owned references to values that could go, NULL for the others: few_held, or allocated
  SsTemps temps;             // objects that were made for the views
  TVMFFIAny few_items[FEW];  // memory of items
  PyObject* few_held[FEW];   // memory of held
  SsTemp few_temps[FEW];     // memory of temps
} Views;

static int views_new(Views* all, Py_ssize_t count) {
  all->temps = (SsTemps){.items = all->few_temps};
  all->items = all->few_items;
  all->held = all->few_held;
  if (count <= FEW) return 0;
  all->items = PyMem_Malloc((size_t)count * (sizeof(TVMFFIAny) + sizeof(SsTemp) + sizeof(PyObject*)));
  if (all->items == NULL) return ss_no_memory();
  all->temps.items = (SsTemp*)(all->items + count);
  all->held = (PyObject**)(all->temps.items + count);
  return 0;
}

static void views_free(Views* all) {
  if (all->items != all->few_items) PyMem_Free(all->items);
}

// With the GIL a list or dict of nothing but scalars is read where it lies: no Python code runs until the native
// container has its own copies. Without it another thread could change the container before that.
enum { IN_PLACE = !SS_FREE_THREADED };

// The Array of a list or tuple. 0, and *made is new or NULL with an error set; 1: some item is no scalar.
static int array_of_plain(PyObject* sequence, TVMFFIObject** made) {
  PyObject** items = PySequence_Fast_ITEMS(sequence);
  Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence);
  Views views;
  *made = NULL;
  if (count > 0 && !ss_is_scalar(items[0])) return 1;
  if (views_new(&views, count) != 0) return 0;
  Py_ssize_t done = 0;
  while (done < count && ss_view_plain(items[done], &views.items[done], &views.temps.items[done].bytes)) done++;
  TVMFFIObjectHandle array = NULL;
  if (done == count && ss_api.SelfsameArrayCreate(views.items, count, &array) != 0) {
    ss_raise_native();
    array = NULL;
  }
  views_free(&views);
  *made = array;
  return done < count;
}

// The same for a Map or Dict of a dict.
static int map_of_plain(PyObject* dict, TVMFFIObject* function, TVMFFIAny* made) {
  Py_ssize_t count = 2 * PyDict_GET_SIZE(dict), done = 0, position = 0;
  PyObject *key, *value;
  Views views;
  made->type_index = kTVMFFINone;
  if (count > INT32_MAX) return 1;
  if (views_new(&views, count) != 0) return 0;
  SsTemp* temps = views.temps.items;
  while (done < count && PyDict_Next(dict, &position, &key, &value) &&
         ss_view_plain(key, &views.items[done], &temps[done].bytes) &&
         ss_view_plain(value, &views.items[done + 1], &temps[done + 1].bytes)) {
    done += 2;
  }
  if (done == count && ss_invoke(function, 0, views.items, (int32_t)count, made) != 0) made->type_index = kTVMFFINone;
  views_free(&views);
  return done < count;
}

// The Array of a list or tuple, which no other thread changes before the items are held: Python code that runs during the
// conversion cannot change these.
static TVMFFIObject* array_from_items(PyObject* sequence, SsExchangeUse* use) {
  Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence), done = 0;
  Views views;
  if (views_new(&views, count) != 0) return NULL;
  for (Py_ssize_t i = 0; i < count; i++) {
    views.held[i] = PySequence_Fast_GET_ITEM(sequence, i);
    Py_INCREF(views.held[i]);
  }
  if (use != NULL) views.temps.use.lent = use->lent;
  TVMFFIObjectHandle array = NULL;
  while (done < count && ss_to_view(views.held[done], &views.items[done], &views.temps) == 0) done++;
  if (done < count) {
    ss_prefix_error("item %zd: ", done);
  } else if (ss_api.SelfsameArrayCreate(views.items, count, &array) != 0) {
    ss_raise_native();
    array = NULL;
  }
  if (SS_UNLIKELY(views.temps.use.results != NULL && use != NULL)) ss_exchange_use_inside(use, &views.temps.use);
  if (done > 0) ss_views_done(&views.temps, views.held, done);
  for (Py_ssize_t i = 0; i < count; i++) Py_DECREF(views.held[i]);
  views_free(&views);
  return array;
}

// Whether iterating over a list or tuple gives its items: a subclass such as torch.Size can have other ideas.
static int has_plain_items(PyObject* sequence) {
  getiterfunc iterate = Py_TYPE(sequence)->tp_iter;
  return PyTuple_Check(sequence)  ? iterate == PyTuple_Type.tp_iter
         : PyList_Check(sequence) ? iterate == PyList_Type.tp_iter
                                  : 0;
}

TVMFFIObject* ss_array_from_sequence(PyObject* sequence, SsExchangeUse* use) {
  TVMFFIObject* array = NULL;
  int in_place = IN_PLACE && has_plain_items(sequence);
  if (in_place && array_of_plain(sequence, &array) == 0) return array;
  if (ss_enter_recursion(" while converting a nested list to an Array") != 0) return NULL;
  PyObject* tuple = in_place ? NULL : PySequence_Tuple(sequence);
  if (in_place || tuple != NULL) array = array_from_items(in_place ? sequence : tuple, use);
  Py_XDECREF(tuple);
  ss_leave_recursion();
  return array;
}

// ---- Map and Dict ----

static int add_pair(PyObject* flat, PyObject* pair, Py_ssize_t index) {
  PyObject* both = PySequence_Fast(pair, "expected a pair of key and value");
  if (both == NULL) return -1;
  int rc = -1;
  Py_ssize_t count;
  SS_BEGIN_CRITICAL_SECTION(both);  // the pair may be a list that another thread changes
  count = PySequence_Fast_GET_SIZE(both);
  if (count == 2) {
    rc = PyList_Append(flat, PySequence_Fast_GET_ITEM(both, 0)) == 0 &&
                 PyList_Append(flat, PySequence_Fast_GET_ITEM(both, 1)) == 0
             ? 0
             : -1;
  }
  SS_END_CRITICAL_SECTION();
  if (count != 2) {
    PyErr_Format(PyExc_ValueError, "entry %zd: expected a pair of key and value, got %zd values", index, count);
  }
  Py_DECREF(both);
  return rc;
}

static int add_pairs(PyObject* flat, PyObject* pairs) {
  PyObject* iterator = PyObject_GetIter(pairs);
  if (iterator == NULL) return -1;
  PyObject* pair;
  int rc = 0;
  for (Py_ssize_t i = 0; rc == 0 && (pair = PyIter_Next(iterator)) != NULL; i++) {
    rc = add_pair(flat, pair, i);
    Py_DECREF(pair);
  }
  Py_DECREF(iterator);
  return rc != 0 || PyErr_Occurred() ? -1 : 0;
}

static int add_dict(PyObject* flat, PyObject* dict) {
  PyObject *key, *value;
  Py_ssize_t position = 0;
  int rc = 0;
  SS_BEGIN_CRITICAL_SECTION(dict);  // keys and values are borrowed: no other thread may change the dict
  while (rc == 0 && PyDict_Next(dict, &position, &key, &value)) {  // appending runs no Python code
    if (PyList_Append(flat, key) != 0 || PyList_Append(flat, value) != 0) rc = -1;
  }
  SS_END_CRITICAL_SECTION();
  return rc;
}

static int add_mapping(PyObject* flat, PyObject* source) {
  PyObject* method = PyObject_GetAttrString(source, "items");
  PyObject* pairs = NULL;
  if (method != NULL) {
    pairs = PyObject_CallObject(method, NULL);
    Py_DECREF(method);
  } else if (PyErr_ExceptionMatches(PyExc_AttributeError)) {
    PyErr_Clear();
    if (!PyObject_HasAttrString(source, "keys")) return add_pairs(flat, source);
    PyObject* dict = PyDict_New();  // as dict(source): by keys and subscripts
    if (dict != NULL && PyDict_Update(dict, source) == 0) pairs = PyDict_Items(dict);
    Py_XDECREF(dict);
  }
  int rc = pairs == NULL ? -1 : add_pairs(flat, pairs);
  Py_XDECREF(pairs);
  return rc;
}

// Keys and values in turn, in a new tuple: Python code that runs during the conversion cannot change it. The keys are
// those of ss_key_to_convert.
static PyObject* flatten(PyObject* source, const char* called) {
  PyObject* flat = PyList_New(0);
  if (flat == NULL) return NULL;
  int rc = 0;
  if (source != NULL) rc = PyDict_CheckExact(source) ? add_dict(flat, source) : add_mapping(flat, source);
  for (Py_ssize_t i = 0; rc == 0 && i < PyList_GET_SIZE(flat); i += 2) {
    PyObject* key = ss_key_to_convert(PyList_GET_ITEM(flat, i), called != NULL);
    if (key == NULL) ss_name_refused_entry(&PyList_GET_ITEM(flat, 0), i, called);
    rc = key == NULL ? -1 : PyList_SetItem(flat, i, key);
  }
  PyObject* pairs = rc == 0 ? PyList_AsTuple(flat) : NULL;
  Py_DECREF(flat);
  return pairs;
}

TVMFFIObject* ss_map_from_mapping(PyObject* source, SsBuiltin maker, const char* called, SsExchangeUse* use) {
  TVMFFIObject* function = ss_builtin(maker);
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (IN_PLACE && function != NULL && source != NULL && PyDict_CheckExact(source) &&
      map_of_plain(source, function, &result) == 0) {
    if (result.type_index < kTVMFFIStaticObjectBegin) return NULL;
    if (SS_LIKELY((Py_ssize_t)ss_map_cell(result.v_obj)->size == PyDict_GET_SIZE(source))) return result.v_obj;
    ss_any_clear(&result);  // keys became equal: the slow way finds them
  }
  PyObject* pairs = function == NULL ? NULL : flatten(source, called);
  if (pairs == NULL) return NULL;
  if (ss_enter_recursion(" while converting a nested dict to a Map") == 0) {
    PyObject* const* entries = &PyTuple_GET_ITEM(pairs, 0);
    if (ss_call_with_entries(function, entries, PyTuple_GET_SIZE(pairs), &result, called, use) != 0) {
      result.type_index = kTVMFFINone;
    } else if (ss_check_keys(result.v_obj, entries, NULL, PyTuple_GET_SIZE(pairs) / 2, 2) != 0) {
      ss_any_clear(&result);
    }
    ss_leave_recursion();
  }
  Py_DECREF(pairs);
  return result.type_index >= kTVMFFIStaticObjectBegin ? result.v_obj : NULL;
}
