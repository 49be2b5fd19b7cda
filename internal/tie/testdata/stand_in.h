// A stand-in for CPython: the functions that the transitions of the wrapper word use (listed in tie/interp.h). With
// SS_FREE_THREADED 1 its threads run at once, with 0 they share one lock like the GIL.
//
// It aborts on errors that CPython does not notice: a reference taken to a dead object, a reference released twice, an
// object tracked twice.
#ifndef SELFSAME_TIE_STAND_IN_H_
#define SELFSAME_TIE_STAND_IN_H_

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selfsame/internal/refcount.h"

#define EXPECT(ok)                                                      \
  do {                                                                  \
    if (!(ok)) {                                                        \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #ok); \
      abort();                                                          \
    }                                                                   \
  } while (0)

typedef ptrdiff_t Py_ssize_t;

typedef struct PyTypeObject {
  Py_ssize_t tp_basicsize;
  const struct PyTypeObject* base;
  int stateful;
} PyTypeObject;

typedef struct {
  int64_t references;
  PyTypeObject* type;
  int tracked;
} PyObject;

#define PyObject_HEAD PyObject ob_base;
#define Py_TYPE(o) (((PyObject*)(o))->type)

void stand_in_dealloc(PyObject* o);

static inline void Py_INCREF(PyObject* o) { EXPECT(__atomic_fetch_add(&o->references, 1, __ATOMIC_RELAXED) > 0); }

static inline void Py_DECREF(PyObject* o) {
  int64_t before = __atomic_fetch_sub(&o->references, 1, __ATOMIC_ACQ_REL);
  EXPECT(before > 0);
  if (before == 1) stand_in_dealloc(o);
}

static inline int ss_try_incref(PyObject* o) {
  int64_t now = __atomic_load_n(&o->references, __ATOMIC_RELAXED);
  do {
    if (now == 0) return 0;
  } while (!__atomic_compare_exchange_n(&o->references, &now, now + 1, 1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  return 1;
}

static inline Py_ssize_t ss_references(PyObject* o) { return __atomic_load_n(&o->references, __ATOMIC_ACQUIRE); }

static inline void ss_enable_try_incref(PyObject* o) { (void)o; }

static inline void ss_revive_block(PyObject* o) {
  EXPECT(__atomic_exchange_n(&o->references, 1, __ATOMIC_ACQ_REL) == 0);
}

static inline void ss_resurrect(PyObject* o) { EXPECT(__atomic_exchange_n(&o->references, 1, __ATOMIC_ACQ_REL) == 0); }

static inline int ss_drop_resurrected(PyObject* o) {
  int64_t before = __atomic_fetch_sub(&o->references, 1, __ATOMIC_ACQ_REL);
  EXPECT(before > 0);
  return before == 1;
}

static inline void ss_track(PyObject* o) { EXPECT(__atomic_exchange_n(&o->tracked, 1, __ATOMIC_ACQ_REL) == 0); }
static inline void stand_in_untrack(PyObject* o) { EXPECT(__atomic_exchange_n(&o->tracked, 0, __ATOMIC_ACQ_REL) == 1); }

static inline void ss_unfinalize(PyObject* o) { (void)o; }

int ss_block_fits(PyObject* block, PyTypeObject* wanted);
void ss_block_free(PyObject* block);

// Whether this thread is attached. A thread that sleeps must not be.
extern __thread int stand_in_attached;
typedef int SsDetached;
static inline SsDetached ss_detach(void) {
  EXPECT(stand_in_attached);
  stand_in_attached = 0;
  return 1;
}
static inline void ss_attach(SsDetached state) { stand_in_attached = state; }

extern int64_t transitions[];
void stand_in_transition(int transition, uintptr_t seen);
#define SS_ON_TRANSITION(transition, seen) stand_in_transition(transition, seen)

#endif  // SELFSAME_TIE_STAND_IN_H_
