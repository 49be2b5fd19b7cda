// Releases after which held wrappers are let go; see release.h.
#include "wrapper/release.h"

#include "gc/references.h"
#include "wrapper/fetch.h"

// Held wrappers that are about to be left without another owner than this list.
typedef struct {
  PyObject** items;
  Py_ssize_t count, room;
  PyObject* few[8];
} Orphans;

// Takes a reference of its own. Returns 0 when there is no memory: this wrapper waits for the collector.
static int add_orphan(PyObject* wrapper, void* arg) {
  Orphans* orphans = arg;
  if (orphans->count == orphans->room) {
    Py_ssize_t room = orphans->room == 0 ? 64 : 2 * orphans->room;
    PyObject** items = PyMem_Malloc((size_t)room * sizeof(PyObject*));
    if (items == NULL) return 0;
    if (orphans->count != 0) memcpy(items, orphans->items, (size_t)orphans->count * sizeof(PyObject*));
    if (orphans->items != orphans->few) PyMem_Free(orphans->items);
    orphans->items = items;
    orphans->room = room;
  }
  Py_INCREF(wrapper);
  orphans->items[orphans->count++] = wrapper;
  return 0;
}

static void let_go(PyObject* wrapper) {
  ss_cross(wrapper);
  Py_DECREF(wrapper);
}

// A wrapper that is let go can end a native object, which lets go of a wrapper, and so on. Those of objects that die
// deeper than this are let go when the outermost is done. CPython's trashcan bounds the same recursion, from 3.12 on by
// 10,000 levels, which is more than a thread with a small stack has room for.
enum { MOST_NESTED = 50 };
static __thread int nested __attribute__((tls_model("initial-exec")));
static __thread Orphans too_deep __attribute__((tls_model("initial-exec")));

static void let_go_all(Orphans* orphans) {
  nested++;
  for (Py_ssize_t i = 0; i < orphans->count; i++) let_go(orphans->items[i]);
  while (nested == 1 && too_deep.count > 0) let_go(too_deep.items[--too_deep.count]);
  if (--nested == 0 && too_deep.room != 0) {
    PyMem_Free(too_deep.items);
    too_deep = (Orphans){.items = NULL};
  }
}

// Releases the last reference to a native object. The held wrappers of what it owned alone are let go before the
// outermost release returns, so that a dropped tree needs no collection.
void ss_release_last(TVMFFIObject* object) {
  if (nested == MOST_NESTED) {
    ss_visit_held_children(object, add_orphan, &too_deep);
    ss_decref(object);
    return;
  }
  Orphans orphans = {.room = 8};
  orphans.items = orphans.few;
  ss_visit_held_children(object, add_orphan, &orphans);
  ss_decref(object);
  if (orphans.count != 0) let_go_all(&orphans);
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
