// The functions of the interpreter that the transitions of the wrapper word use. With SS_STAND_IN (a header's name) a
// small stand-in replaces CPython, so that the thread sanitizer can drive the code that ships from many threads at
// once.
//
//   ss_try_incref         takes a reference, unless the count is zero: then the object's dealloc has begun or will begin
//   ss_references         the number of references, as far as other threads' have been counted
//   ss_enable_try_incref  makes ss_try_incref safe on other threads; to be called before the object is published
//   ss_revive_block       makes a kept block an object again, with one reference and ss_try_incref enabled
//   ss_resurrect          gives an object whose count is zero one reference, which no thread owns; ss_try_incref works
//                         from then on
//   ss_drop_resurrected   drops that reference; 1 when the count is zero again, and no other thread gets a reference
//   ss_track              adds an object to those that the cycle collector examines
//   ss_unfinalize         makes the object's next death call its finalizer again
//   ss_block_fits         whether a kept block can become an instance of `wanted`; sets SS_STATEFUL in it when its
//                         class has become stateful. Runs no Python code
//   ss_detach, ss_attach  before and after the thread sleeps: the collector does not wait for it
//
// ss_block_fits and ss_block_free are defined in wrapper/, whose files alone may use the transitions that call them.
#ifndef SELFSAME_CORE_TIE_INTERP_H_
#define SELFSAME_CORE_TIE_INTERP_H_

#ifdef SS_STAND_IN
#include SS_STAND_IN
#else

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "selfsame/internal/refcount.h"

// A critical section is the per-object lock of a free-threaded interpreter. With the GIL it is nothing.
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

static inline Py_ssize_t ss_references(PyObject* o) { return Py_REFCNT(o); }

SS_HIDDEN int ss_block_fits(PyObject* block, PyTypeObject* wanted);

// Frees a kept block that no word points to. May run Python code, since the block owns a reference to its type.
SS_HIDDEN void ss_block_free(PyObject* block);

static inline void ss_track(PyObject* block) { PyObject_GC_Track(block); }

// CPython sets the mark, bit 0 of the second word of the collector's header, after each call of a finalizer, and has no
// function to clear it. With the mark a wrapper whose finalizer only had it held would never run its __del__.
static inline void ss_unfinalize(PyObject* o) {
#if SS_FREE_THREADED
  enum { FINALIZED = 2 };  // without the GIL the mark is a bit in the object's header
  __atomic_fetch_and(&o->ob_gc_bits, (uint8_t)~FINALIZED, __ATOMIC_RELAXED);
#else
  ((uintptr_t*)o)[-1] &= ~(uintptr_t)1;
#endif
}

// Lets threads that use the object at the same time not wait for each other's changes of its count. Only the cycle collector
// frees it then, so this is for what lives as long as a class or module. `o` must be tracked.
static inline void ss_share_count(PyObject* o) {
#if SS_FREE_THREADED && PY_VERSION_HEX >= 0x030E0000
  PyUnstable_Object_EnableDeferredRefcount(o);
#else
  (void)o;
#endif
}

// The same for a class that lives as long as the process: threads that free its instances change its count, which CPython's own
// code alone can count by thread. Makes the class immortal, unless another thread has made it.
static inline void ss_class_lasts(PyTypeObject* cls) {
#if SS_FREE_THREADED && PY_VERSION_HEX >= 0x030E0000
  PyObject* o = (PyObject*)cls;
  if ((cls->tp_flags & Py_TPFLAGS_HEAPTYPE) && __atomic_load_n(&o->ob_tid, __ATOMIC_RELAXED) == _Py_ThreadId()) {
    Py_SET_REFCNT(o, (Py_ssize_t)UINT32_MAX + 1);
  }
#else
  (void)cls;
#endif
}

#if SS_FREE_THREADED

// The low two bits of ob_ref_shared are the state of the count: 0 is split between the owning thread and all others, 3 is
// merged: there is no owning thread.
enum { SHARED_MERGED = 3, SHARED_ONE = 4 };

static inline void ss_resurrect(PyObject* o) {
  __atomic_store_n(&o->ob_tid, (uintptr_t)0, __ATOMIC_RELAXED);
  __atomic_store_n(&o->ob_ref_local, (uint32_t)0, __ATOMIC_RELAXED);
  __atomic_store_n(&o->ob_ref_shared, (Py_ssize_t)(SHARED_ONE + SHARED_MERGED), __ATOMIC_RELEASE);
}

static inline int ss_drop_resurrected(PyObject* o) {
  Py_ssize_t one = SHARED_ONE;
  return __atomic_fetch_sub(&o->ob_ref_shared, one, __ATOMIC_ACQ_REL) == SHARED_ONE + SHARED_MERGED;
}

#if PY_VERSION_HEX >= 0x030E0000
static inline int ss_try_incref(PyObject* o) { return PyUnstable_TryIncRef(o); }
static inline void ss_enable_try_incref(PyObject* o) { PyUnstable_EnableTryIncRef(o); }
#else
// CPython 3.13 has both functions and exports neither. It sets the state 1 when threads that own no reference may try to
// take one (_Py_REF_MAYBE_WEAKREF); then a try on a dying object fails.
enum { SHARED_MAYBE_TRIED = 1 };
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

#else  // with the GIL

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
#endif  // SELFSAME_CORE_TIE_INTERP_H_
