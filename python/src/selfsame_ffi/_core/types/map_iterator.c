// The iterator over a Map or Dict. It calls an iterator function of the runtime, f: f(0) returns the key of the present
// entry, f(1) its value, and f(2) moves to the next entry. f raises RuntimeError when the container has changed.
// RATIONALE.md, "Why an iterator over a map is in C".
#include "convert/builtin.h"
#include "convert/function.h"
#include "types/guard.h"
#include "types/iterator.h"
#include "types/map.h"
#include "wrapper/fetch.h"
#include "convert/to_python.h"

typedef struct {
  PyObject_HEAD TVMFFIObject* function;  // owned; NULL once exhausted
  PyObject* map;                         // for the cycle collector; NULL once exhausted
  Py_ssize_t left;                       // entries not yet visited
  SsMapPart part;
  int started;
} MapIter;

PyObject* ss_map_iterator(PyObject* self, SsMapPart part) {
  Py_ssize_t length = ss_map_length(self);
  if (length < 0) return NULL;
  TVMFFIObject* native = ss_wrapper(self)->handle;
  TVMFFIAny view, function;
  ss_set_object(&view, native);
  SsBuiltin maker = native->type_index == kTVMFFIDict ? SS_BUILTIN_DICT_ITERATOR : SS_BUILTIN_MAP_ITERATOR;
  if (ss_call_builtin(maker, &view, 1, &function) != 0) return NULL;
  MapIter* iter = PyObject_GC_New(MapIter, &SsMapIter_Type);
  if (iter == NULL) {
    ss_any_clear(&function);
    return NULL;
  }
  Py_INCREF(self);
  iter->map = self;
  iter->function = function.v_obj;
  iter->left = length;
  iter->part = part;
  iter->started = 0;
  PyObject_GC_Track(iter);
  return (PyObject*)iter;
}
SS_DEFINE_GUARDED_EXTERN(PyObject*, NULL, ss_map_iterator, (PyObject * self, SsMapPart part), (self, part),
                         ss_is_mutable(native));

static void finish(MapIter* iter) {
  TVMFFIObject* function = iter->function;
  iter->function = NULL;
  iter->left = 0;
  Py_CLEAR(iter->map);
  ss_xdecref(function);
}

enum { GET_KEY, GET_VALUE, MOVE_TO_NEXT };

// Calls the iterator function. *result: owned. 0, or -1 with an error set.
static int call(MapIter* iter, int64_t command, TVMFFIAny* result) {
  TVMFFIAny argument;
  ss_set_bits(&argument, kTVMFFIInt, command);
  return ss_invoke(iter->function, 0, &argument, 1, result);
}

static PyObject* read_part(MapIter* iter, int64_t command) {
  TVMFFIAny result;
  return call(iter, command, &result) == 0 ? ss_value_take(&result) : NULL;
}

// Releases a value; the error that is set remains set.
static void drop(TVMFFIAny* value) {
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  ss_any_clear(value);
  PyErr_Restore(type, error, traceback);
}

// Reads key and value before it converts either: a conversion may run Python code that steps this iterator.
static PyObject* read_item(MapIter* iter) {
  TVMFFIAny native_key, native_value;
  if (call(iter, GET_KEY, &native_key) != 0) return NULL;
  if (call(iter, GET_VALUE, &native_value) != 0) {
    drop(&native_key);
    return NULL;
  }
  PyObject* key = ss_value_take(&native_key);
  if (key == NULL) {
    drop(&native_value);
    return NULL;
  }
  PyObject* value = ss_value_take(&native_value);
  PyObject* pair = value == NULL ? NULL : PyTuple_Pack(2, key, value);
  Py_DECREF(key);
  Py_XDECREF(value);
  return pair;
}

static PyObject* step(MapIter* iter) {
  if (iter->function == NULL) return NULL;
  TVMFFIAny more;
  // After the last entry as well: the function then reports a change of the container.
  if (iter->started && call(iter, MOVE_TO_NEXT, &more) != 0) return NULL;
  if (iter->left == 0) {
    finish(iter);
    return NULL;
  }
  iter->started = 1;
  iter->left--;
  if (iter->part == SS_MAP_ITEMS) return read_item(iter);
  return read_part(iter, iter->part == SS_MAP_KEYS ? GET_KEY : GET_VALUE);
}

static PyObject* iter_next(PyObject* self) {
  MapIter* iter = (MapIter*)self;
  PyObject* item;
  PyObject* map;
  SS_BEGIN_CRITICAL_SECTION(self);
  map = iter->map;
  Py_XINCREF(map);
  SS_END_CRITICAL_SECTION();
  if (map == NULL) return NULL;
  // Several threads may step one iterator, and other threads may change the container.
  SS_BEGIN_CRITICAL_SECTION2(self, map);
  item = step(iter);
  SS_END_CRITICAL_SECTION2();
  Py_DECREF(map);
  return item;
}

static PyObject* iter_length_hint(PyObject* self, PyObject* unused) {
  (void)unused;
  return PyLong_FromSsize_t(((MapIter*)self)->left);
}

static void iter_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  finish((MapIter*)self);
  PyObject_GC_Del(self);
}

static int iter_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(((MapIter*)self)->map);
  return 0;
}

PyTypeObject SsMapIter_Type = SS_ITERATOR_TYPE("selfsame_ffi._core.MapIterator", MapIter);
