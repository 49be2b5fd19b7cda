// The native objects as CPython's cycle collector sees them in a full collection.
//
// When the collector examines the first wrapper, an ownership graph is made of all native objects that wrappers own or
// owned, and of everything they lead to (ownership.h). The collector is shown a native object's reference to a Python
// object (a held wrapper, a callable, the object of an opaque object) when the native object is internal. Internal
// means that all of its owners are wrappers that this collection examines, or native objects with such owners. The
// collector then finds the wrappers in use, and everything that their native objects lead to is in use too. The rest is
// dead: the collector clears the Python part as always, and a cycle of native objects is broken here.
//
// CPython's collector calls tp_traverse in two phases. In the subtract phase it takes the references between the
// objects of the collection off their counts; in the reach phase it marks everything that an object in use leads to.
// Each reference must be visited once in the subtract phase, and from each owner in use in the reach phase, so the two
// phases are told apart. RATIONALE.md, "Why the collector's two questions are told apart". After the finalizers CPython
// runs both phases again over the objects that seemed dead, and the graph is made again for them.
//
// The collector of a free-threaded CPython does the same. It stops all other threads during the phases; they run
// during the finalizers and afterwards. From 3.14 on a mark phase comes first: what the interpreter refers to, directly
// or not, is marked and takes no part in the other phases. A wrapper that is traversed in it is in use, so it is
// answered like the reach phase, and the graph is made in the first call of the mark phase.
//
// Collections of young objects, and interpreters whose full collections cannot be followed (cpython_gc.h), see only
// what one wrapper owns alone (references.h).
#ifndef SELFSAME_CORE_GC_FULL_COLLECTION_H_
#define SELFSAME_CORE_GC_FULL_COLLECTION_H_

#include "tie/core.h"

// Once, when the core starts: makes the object that tells a full collection from others. 0, or -1 with an error set.
SS_HIDDEN int ss_collection_init(void);

// Whether no full collection is under way, and nothing is left of the last one. With the GIL.
SS_HIDDEN int ss_collection_idle(void);

// Whether gc.callbacks have told of a collection's begin and not of its end.
SS_HIDDEN int ss_collection_under_way(void);

// tp_traverse's part that concerns native objects. 1: done; tp_traverse returns *rc when that is not 0. 0: this is no
// full collection.
SS_HIDDEN int ss_collection_traverse(SsWrapper* wrapper, visitproc visit, void* arg, int* rc);

// Whether a full collection has called finalizers and is finding out which of the wrappers live on.
SS_HIDDEN int ss_collection_judges(void);

// Whether a full collection has found the wrapper dead, and calls finalizers or will do so next.
SS_HIDDEN int ss_collection_finalizes(const SsWrapper* wrapper);

// The number of known owners of the wrapper's native object, when the collection under way has found it dead: the graph
// included, the wrapper not. -1 otherwise. `clearing`: called from the wrapper's tp_clear.
SS_HIDDEN int64_t ss_collection_dead_owners(const SsWrapper* wrapper, int clearing);

// tp_clear's part that concerns native objects. 1: the wrapper may be let go; 0: the collection under way does not know
// it. May run any code.
SS_HIDDEN int ss_collection_clear(const SsWrapper* wrapper);

// To be called when a wrapper with a handle dies.
extern SS_HIDDEN int ss_collection_phase;  // 0: no full collection is under way
SS_HIDDEN void ss_collection_forget_slow(const SsWrapper* wrapper);
static inline void ss_collection_forget(const SsWrapper* wrapper) {
  if (SS_UNLIKELY(__atomic_load_n(&ss_collection_phase, __ATOMIC_RELAXED) != 0)) ss_collection_forget_slow(wrapper);
}

// For gc.callbacks, which call it with "start" and "stop". Ends a full collection, and breaks cycles of native objects
// that no wrapper is part of.
SS_HIDDEN PyObject* ss_collection_callback(PyObject* module, PyObject* const* args, Py_ssize_t count);

// A dict: how many native objects the last full collection examined, how many of them were internal, and how many could
// not be read.
SS_HIDDEN PyObject* ss_collection_report(PyObject* module, PyObject* unused);

// ---- break_cycles.c -------------------------------------------------------------------------------

// Breaking a cycle of native objects: an unreachable native object gives up what it owns.

// Empties `object`, which must be unreachable from anything alive, and to which the caller owns a reference. Takes away
// the elements of a List or Dict, the callable of a closure, and fields that the class's own setter sets to None, or
// else to an Array or Map without elements. Fields that the class does not let anyone change stay. Runs inside
// tp_clear: calls no setter that is a Python function, but releases references, whose destructors may run any code.
// Sets no error.
SS_HIDDEN void ss_break_cycle(TVMFFIObject* object);

// ---- leak_report.c --------------------------------------------------------------------------------

// The native objects that cannot be collected in a cycle, and why: what selfsame_ffi.debug.unaccounted() lists.

// Returns a list of (type index or -1, reason, number of unknown owners). It names the native objects that are external
// for a reason of their own, not because of an owner that is, and those that may own a Python object that is not known.
// The reasons are "owner", "weak", "call" and "unread", and "exporter" with the number of unknown Python objects. Empty
// when no graph was made (graph_request.c). New reference, or NULL with an error set.
SS_HIDDEN PyObject* ss_leak_report(PyObject* module, PyObject* unused);

#endif  // SELFSAME_CORE_GC_FULL_COLLECTION_H_
