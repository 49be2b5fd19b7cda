// What the transitions of the wrapper word need of an interpreter. With SS_STAND_IN (a header's name) a small stand-in
// takes CPython's place, so that the thread sanitizer can drive the very code that ships from many threads at once.
//
//   ss_try_incref    takes a reference, unless the object's count is zero: then its dealloc has begun, or will
//   ss_enable_try_incref           makes ss_try_incref safe from other threads; before an object is published
//   ss_revive_block        a kept block is an object again, with one reference, armed
//   ss_track         shows an object to the collector
//   ss_block_fits    a kept block serves again for an instance of `wanted`. Runs no Python code
//   ss_detach        the thread is about to sleep: the collector need not wait for it; ss_attach ends that
#ifndef SELFSAME_PY_INTERP_H_
#define SELFSAME_PY_INTERP_H_

#ifdef SS_STAND_IN
#include SS_STAND_IN
#else

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "selfsame/internal/refcount.h"

// Critical sections are the free-threaded interpreter's locks of one object; with the GIL they are
// nothing.
#ifdef Py_GIL_DISABLED
#define SS_FREE_THREADED 1
#define SS_BEGIN_CRITICAL_SECTION(object) Py_BEGIN_CRITICAL_SECTION(object)
#define SS_END_CRITICAL_SECTION() Py_END_CRITICAL_SECTION()
#define SS_BEGIN_CRITICAL_SECTION2(a, b) Py_BEGIN_CRITICAL_SECTION2(a, b)
#define SS_END_CRITICAL_SECTION2() Py_END_CRITICAL_SECTION2()
#else
#define SS_FREE_THREADED 0
#define SS_BEGIN_CRITICAL_SECTION(object) {
#define SS_END_CRITICAL_SECTION() }
#define SS_BEGIN_CRITICAL_SECTION2(a, b) {
#define SS_END_CRITICAL_SECTION2() }
#endif

SS_HIDDEN int ss_block_fits(PyObject* block, PyTypeObject* wanted);

// Frees a kept block that nothing points to any more. May run Python code: the block's type may go with it.
SS_HIDDEN void ss_block_free(PyObject* block);

static inline void ss_track(PyObject* block) { PyObject_GC_Track(block); }

#if SS_FREE_THREADED

#if PY_VERSION_HEX >= 0x030E0000
static inline int ss_try_incref(PyObject* o) { return PyUnstable_TryIncRef(o); }
static inline void ss_enable_try_incref(PyObject* o) { PyUnstable_EnableTryIncRef(o); }
#else
// CPython 3.13 has both without exporting them. The low two bits of ob_ref_shared tell how far an object is on its way
// from a count split over its own thread and the others (0) to one count for all (3); 1 says that others may look at it
// without owning a reference, which is what makes a look at a dying object fail.
enum { SHARED_LOOKED_AT = 1, SHARED_MERGED = 3, SHARED_ONE = 4 };
SS_HIDDEN int ss_try_incref_shared(PyObject* o);
static inline int ss_try_incref(PyObject* o) {
  uint32_t local = __atomic_load_n(&o->ob_ref_local, __ATOMIC_RELAXED) + 1;
  if (local == 0) return 1;  // immortal
  if (__atomic_load_n(&o->ob_tid, __ATOMIC_RELAXED) == _Py_ThreadId()) {
    __atomic_store_n(&o->ob_ref_local, local, __ATOMIC_RELAXED);
    return 1;
  }
  return ss_try_incref_shared(o);
}
SS_HIDDEN void ss_enable_try_incref(PyObject* o);
#endif

static inline void ss_revive_block(PyObject* block) {
  _Py_NewReference(block);
  ss_enable_try_incref(block);
}

typedef PyThreadState* SsDetached;
static inline SsDetached ss_detach(void) { return PyEval_SaveThread(); }
static inline void ss_attach(SsDetached state) { PyEval_RestoreThread(state); }

#else  // one thread at a time

static inline int ss_try_incref(PyObject* o) {
  if (SS_UNLIKELY(Py_REFCNT(o) == 0)) return 0;
  Py_INCREF(o);
  return 1;
}
static inline void ss_enable_try_incref(PyObject* o) { (void)o; }

static inline void ss_revive_block(PyObject* block) {
#if defined(Py_TRACE_REFS) || defined(Py_REF_DEBUG)
  _Py_NewReference(block);
#else
  Py_SET_REFCNT(block, 1);
#endif
}

#endif  // SS_FREE_THREADED
#endif  // SS_STAND_IN
#endif  // SELFSAME_PY_INTERP_H_
