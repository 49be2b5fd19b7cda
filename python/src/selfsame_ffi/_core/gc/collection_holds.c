#include "gc/collection_holds.h"

#include <pthread.h>
#include <stdlib.h>

#include "gc/full_collection.h"

typedef struct {
  PyObject** objects;  // memory of malloc; whether the references are owned, each variable says
  size_t count, room;  // how many there are, and fit
} Wrappers;

static int add(Wrappers* wrappers, PyObject* object) {
  if (wrappers->count == wrappers->room) {
    size_t room = wrappers->room == 0 ? 64 : 2 * wrappers->room;
    PyObject** objects = realloc(wrappers->objects, room * sizeof(*objects));
    if (objects == NULL) return -1;
    wrappers->objects = objects;
    wrappers->room = room;
  }
  wrappers->objects[wrappers->count++] = object;
  return 0;
}

// ---- collections of young objects ----

#if !SS_FREE_THREADED

static Wrappers young;  // borrowed: the collector runs no other code between its two phases

void ss_young_begin(void) { young.count = 0; }

void ss_young_note(SsWrapper* wrapper) {
  if (!(wrapper->flags & SS_STATEFUL) || (wrapper->flags & SS_HELD) || wrapper->handle == NULL) return;
  if (ss_strong(wrapper->handle) > ss_owned(wrapper)) (void)add(&young, (PyObject*)wrapper);
}

int ss_young_show(visitproc visit, void* arg) {
  size_t count = young.count;
  young.count = 0;
  for (size_t i = 0; i < count; i++) Py_VISIT(young.objects[i]);
  return 0;
}

#endif

// ---- finalizers in a collection ----

static Wrappers kept;  // owned

#if SS_FREE_THREADED
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void lock(void) { pthread_mutex_lock(&mutex); }
static void unlock(void) { pthread_mutex_unlock(&mutex); }
#else
static void lock(void) {}
static void unlock(void) {}
#endif

int ss_collection_keep(PyObject* wrapper) {
  lock();
  int added = ss_collection_under_way() && add(&kept, wrapper) == 0;
  if (added) Py_INCREF(wrapper);
  unlock();
  return added;
}

void ss_collection_let_go(void) {
  for (;;) {
    lock();
    PyObject* wrapper = kept.count == 0 ? NULL : kept.objects[--kept.count];
    unlock();
    if (wrapper == NULL) return;
    ss_renew_finalizer((SsWrapper*)wrapper);
    Py_DECREF(wrapper);
  }
}
