// The iterator over a Map or Dict. It owns the wrapper and nothing native, so that the collector sees the one way from
// the iterator to the container. abi/include/selfsame/internal/map_cursor.h says why.
#include "convert/exchanged.h"
#include "selfsame/internal/map_cursor.h"
#include "types/guard.h"
#include "types/types.h"

typedef struct {
  PyObject_HEAD PyObject* map;  // NULL once exhausted
  SsMapCursor cursor;           // the next entry
  Py_ssize_t left;              // entries not yet visited
  SsMapPart part;               // keys, values or both
  int started;                  // whether the first entry was asked for
  PyObject* pair;               // the tuple of the last item, owned: the next one's if nobody else has it; or NULL
} MapIter;

PyObject* ss_map_iterator(PyObject* self, SsMapPart part) {
  MapIter* iter = PyObject_GC_New(MapIter, &SsMapIter_Type);
  if (iter == NULL) return NULL;
  TVMFFIObject* native = ss_map_native(self);  // after the allocation, which may run the collector
  if (native == NULL) {
    PyObject_GC_Del(iter);
    return NULL;
  }
  const SsMapCell* cell = ss_map_cell(native);
  Py_INCREF(self);
  iter->map = self;
  ss_map_cursor_begin(&iter->cursor, cell);
  iter->left = (Py_ssize_t)cell->size;
  iter->part = part;
  iter->started = 0;
  iter->pair = NULL;
  PyObject_GC_Track(iter);
  return (PyObject*)iter;
}
SS_DEFINE_GUARDED_EXTERN(PyObject*, NULL, ss_map_iterator, (PyObject * self, SsMapPart part), (self, part),
                         ss_is_mutable(native));

// Releases an owned value; the error that is set remains set.
static void drop(TVMFFIAny* value) {
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  ss_any_clear(value);
  PyErr_Restore(type, error, traceback);
}

// A tuple of a key and a value, which it takes over. As for a dict's items it is the tuple of the last item when only the
// iterator has that. New reference, NULL with an error set.
static PyObject* make_pair(MapIter* iter, PyObject* key, PyObject* value) {
  PyObject* pair = iter->pair;
  if (SS_FREE_THREADED || pair == NULL || Py_REFCNT(pair) != 1) {
    PyObject* made = PyTuple_Pack(2, key, value);
    Py_DECREF(key);
    Py_DECREF(value);
    if (made == NULL || SS_FREE_THREADED) return made;
    Py_INCREF(made);
    iter->pair = made;
    Py_XDECREF(pair);
    return made;
  }
  PyObject *old_key = PyTuple_GET_ITEM(pair, 0), *old_value = PyTuple_GET_ITEM(pair, 1);
  Py_INCREF(pair);  // before code that may run below sees it
  PyTuple_SET_ITEM(pair, 0, key);
  PyTuple_SET_ITEM(pair, 1, value);
#if PY_VERSION_HEX >= 0x030E0000
  ((PyTupleObject*)pair)->ob_hash = -1;
#endif
  // The collector untracks a tuple of numbers and text.
  if (!PyObject_GC_IsTracked(pair)) PyObject_GC_Track(pair);
  Py_DECREF(old_key);
  Py_DECREF(old_value);
  return pair;
}

// Owns the value before it converts the key: the conversion may run Python code that changes the container, or that ends
// the iterator, which then has no map any more. The caller owns a reference to `map`.
static PyObject* read_item(MapIter* iter, PyObject* map, const SsEntry* entry) {
  TVMFFIAny native_value = entry->value;
  if (native_value.type_index >= kTVMFFIStaticObjectBegin) ss_incref(native_value.v_obj);
  PyObject* key = ss_value_from_view(&entry->key);
  if (key == NULL) {
    drop(&native_value);
    return NULL;
  }
  PyObject* value = ss_element_take(map, &native_value);
  if (SS_LIKELY(value != NULL)) return make_pair(iter, key, value);
  Py_DECREF(key);
  return NULL;
}

// The next item. New reference; NULL with an error set, or without one after the last item. The caller owns a reference to
// `map`.
static PyObject* step(MapIter* iter, PyObject* map, const TVMFFIObject* native) {
  if (iter->map == NULL) return NULL;
  const SsMapCell* cell = ss_map_cell(native);
  SsEntry* entry = NULL;
  // After the last entry as well, where it reports a change of the container.
  int rc = 0;
  if (SS_LIKELY(iter->started)) {
    rc = ss_map_cursor_step(&iter->cursor, cell, &entry);
  } else {
    entry = ss_map_cursor_entry(&iter->cursor, cell);
  }
  if (rc == 0 && iter->left == 0) {
    Py_CLEAR(iter->map);
    return NULL;
  }
  if (SS_UNLIKELY(entry == NULL)) {
    PyErr_Format(PyExc_RuntimeError, "%s changed during iteration", native->type_index == kTVMFFIDict ? "Dict" : "Map");
    return NULL;
  }
  iter->started = 1;
  iter->left--;
  if (iter->part == SS_MAP_ITEMS) return read_item(iter, map, entry);
  return ss_element_from_view(map, iter->part == SS_MAP_KEYS ? &entry->key : &entry->value);
}

static PyObject* step_guarded(MapIter* iter, PyObject* map) {
#if SS_FREE_THREADED
  // Several threads may step one iterator, and other threads may change the container.
  PyObject* item = NULL;
  TVMFFIObject* native = ss_pin(ss_wrapper(map));
  if (native == NULL) {
    ss_no_handle(map);
    return NULL;
  }
  SS_BEGIN_CRITICAL_SECTION2((PyObject*)iter, map);
  item = step(iter, map, native);
  SS_END_CRITICAL_SECTION2();
  ss_unpin(ss_wrapper(map));
  return item;
#else
  // step owns what it converts before it runs Python code, and looks at the container no more after that.
  TVMFFIObject* native = ss_wrapper(map)->handle;
  return SS_LIKELY(native != NULL) ? step(iter, map, native) : ss_no_handle(map);
#endif
}

static PyObject* iter_next(PyObject* self) {
  MapIter* iter = (MapIter*)self;
  PyObject* map;
  SS_BEGIN_CRITICAL_SECTION(self);
  map = iter->map;
  Py_XINCREF(map);
  SS_END_CRITICAL_SECTION();
  if (map == NULL) return NULL;
  PyObject* item = step_guarded(iter, map);
  Py_DECREF(map);
  return item;
}

static PyObject* iter_length_hint(PyObject* self, PyObject* unused) {
  (void)unused;
  return PyLong_FromSsize_t(((MapIter*)self)->left);
}

static void iter_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Py_XDECREF(((MapIter*)self)->map);
  Py_XDECREF(((MapIter*)self)->pair);
  PyObject_GC_Del(self);
}

static int iter_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(((MapIter*)self)->map);
  Py_VISIT(((MapIter*)self)->pair);
  return 0;
}

PyTypeObject SsMapIter_Type = SS_ITERATOR_TYPE("selfsame_ffi._core.MapIterator", MapIter);
