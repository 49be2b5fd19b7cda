// Weak references to held wrappers.
//
// A weak reference to a wrapper does not count for native code, as a weak pointer does not in C++. But a strong reference
// that Python makes from it must, from its first moment: native code may look at the count before Python uses the wrapper.
// So a weak reference to a held wrapper that is called, as weakref.ref, WeakValueDictionary, WeakSet and weakref.finalize
// do, lets the wrapper own its native object again. Its hash, its repr and comparisons make a strong reference for their
// time, and pass it to special methods of the object.
//
// Operations on a weakref.proxy (weak_proxies.c) and the functions of gc that return objects (gc_functions.c) do so too.
// Not seen is a strong reference that other C code makes with PyWeakref_GetRef. It counts from the first use of the native
// object (ss_pin).
#ifndef SELFSAME_CORE_WRAPPER_WEAK_REFERENCES_H_
#define SELFSAME_CORE_WRAPPER_WEAK_REFERENCES_H_

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

// ---- weak_proxies.c -------------------------------------------------------------------------------

// Proxies of held wrappers (weakref.proxy).
//
// Each operation on a proxy makes a strong reference for its time, without the call of a weak reference. It may pass that on:
// a bound method keeps it, and a special method written in Python may keep `self`. From the first proxy of a
// held wrapper on, the slots of CPython's two classes of proxies are ours: they let the wrapper own its native object for the
// operation's time, and call CPython's.

// To be called when a wrapper that has a proxy is about to be held. Any attached thread.
SS_HIDDEN void ss_weak_proxies_watch(void);

// ---- gc_functions.c -------------------------------------------------------------------------------

// The functions of Python's module gc that return the collector's objects: get_objects, get_referrers, get_referents.
//
// They may return a held wrapper, and then Python refers to it without a fetch or the call of a weak reference. So their C
// functions are replaced by functions of ours, which call them and let such wrappers own their native objects. The function
// objects remain: it does not matter who has got hold of them before.

// Once, when the core starts. A function that the program has replaced, or that has another signature in this interpreter, is
// left alone. 0, or -1 with an error set.
SS_HIDDEN int ss_gc_functions_init(void);

#endif  // SELFSAME_CORE_WRAPPER_WEAK_REFERENCES_H_
