// Releases after which held wrappers are let go; see release.h.
#include "wrapper/release.h"

#include "gc/references.h"
#include "wrapper/fetch.h"

// The held wrappers whose native objects a dying native object owns: they are about to be left without another owner.
typedef struct {
  PyObject** items;
  Py_ssize_t count, room;
  PyObject* few[8];
} Orphans;

static int add_orphan(PyObject* wrapper, void* arg) {
  Orphans* orphans = arg;
  if (orphans->count == orphans->room) {
    Py_ssize_t room = 2 * orphans->room;
    PyObject** items = PyMem_Malloc((size_t)room * sizeof(PyObject*));
    if (items == NULL) return 0;  // out of memory: this wrapper waits for the collector
    memcpy(items, orphans->items, (size_t)orphans->count * sizeof(PyObject*));
    if (orphans->items != orphans->few) PyMem_Free(orphans->items);
    orphans->items = items;
    orphans->room = room;
  }
  Py_INCREF(wrapper);
  orphans->items[orphans->count++] = wrapper;
  return 0;
}

// Releases the last reference to a native object. The held wrappers of what it owned alone are let go at once, so that
// a dropped tree needs no collection. CPython's trashcan bounds the recursion.
void ss_release_last(TVMFFIObject* object) {
  Orphans orphans = {.room = 8};
  orphans.items = orphans.few;
  ss_visit_held_children(object, add_orphan, &orphans);
  ss_decref(object);
  for (Py_ssize_t i = 0; i < orphans.count; i++) {
    ss_cross(orphans.items[i]);
    Py_DECREF(orphans.items[i]);
  }
  if (orphans.items != orphans.few) PyMem_Free(orphans.items);
}

void ss_release_slow(TVMFFIObject* object) {
  PyObject* wrapper = ss_peek_held(object);
  if (wrapper != NULL) {
    ss_decref(object);
    ss_cross(wrapper);
    Py_DECREF(wrapper);
  } else if (ss_strong(object) == 1) {
    ss_release_last(object);
  } else {
    ss_decref(object);
  }
}
