// Weak references to held wrappers.
//
// A weak reference to a wrapper does not count for native code, as a weak pointer does not in C++. But a strong reference
// that Python makes from it must, from its first moment: native code may look at the count before Python uses the wrapper.
// So a weak reference to a held wrapper that is called, as weakref.ref, WeakValueDictionary, WeakSet and weakref.finalize
// do, lets the wrapper own its native object again. Its hash, its repr and comparisons make a strong reference for their
// time, and pass it to special methods of the object.
//
// Operations on a weakref.proxy (weak_proxies.h) and the functions of gc that return objects (wrapper/gc_functions.h) do so too.
// Not seen is a strong reference that other C code makes with PyWeakref_GetRef. It counts from the first use of the native
// object (ss_pin).
#ifndef SELFSAME_PY_WEAK_REFERENCES_H_
#define SELFSAME_PY_WEAK_REFERENCES_H_

#include "tie/core.h"

// Finds CPython's functions for weak references. Once, when the core starts. 0, or -1 with an error set.
SS_HIDDEN int ss_weak_references_init(void);

// The held wrapper that a weak reference or a proxy leads to, which owns its native object from here on: a new reference.
// NULL for anything else, which may be NULL too.
SS_HIDDEN PyObject* ss_weakly_counted(PyObject* reference);

// To be called when a wrapper is about to be held, or is held and has not been fetched: from then on the calls of all weak
// references to it are seen. The caller owns a reference to the wrapper. Keeps the error that is set.
SS_HIDDEN void ss_weak_references_watch_slow(PyObject* wrapper);
static inline void ss_weak_references_watch(PyObject* wrapper) {
  if (Py_TYPE(wrapper)->tp_weaklistoffset == 0) return;
  PyObject** first = PyObject_GET_WEAKREFS_LISTPTR(wrapper);
  if (__atomic_load_n(first, __ATOMIC_RELAXED) != NULL) ss_weak_references_watch_slow(wrapper);
}

#endif  // SELFSAME_PY_WEAK_REFERENCES_H_
