// The type slots of wrappers: finalizer, cycle collection, dealloc.
#include "wrapper/tp_slots.h"

#include "gc/collection_holds.h"
#include "gc/full_collection.h"
#include "gc/references.h"
#include "tie/attach.h"
#include "tie/python_owner.h"
#include "tie/tie_word.h"
#include "wrapper/classes.h"
#include "wrapper/spare_blocks.h"
#include "wrapper/weak_references.h"

// ---- finalizer and cycle collector ----

// The number of the native object's owners that do not keep the wrapper alive, without the wrapper's shares: the wrapper
// itself, unless it is held, and those that the collection under way has found dead with it. When that knows none, a held
// wrapper has one, whose wrapper has shown it to the collector (references.h).
static uint32_t known_owners(const SsWrapper* wrapper, int clearing) {
  uint32_t held = (ss_flags(wrapper) & SS_HELD) != 0;
  int64_t dead = ss_collection_dead_owners(wrapper, clearing);
  return (dead < 0 ? held : (uint32_t)dead) + !held;
}

// For tp_clear: whether the native object has an owner that keeps the wrapper alive.
static int has_other_owners(SsWrapper* wrapper) {
  TVMFFIObject* object = ss_pin_as_is(wrapper);
  if (object == NULL) return 0;
  int has = ss_strong(object) > known_owners(wrapper, 1) + ss_shares(wrapper);
  ss_unpin_as_is(wrapper);
  return has;
}

// In a dealloc, with the count of one that CPython gives the object for the finalizer's time: whether the wrapper lives on
// because its native object has other owners. The native object holds it then.
static int survives_drop(SsWrapper* wrapper) {
  enum { FINALIZER_AND_NATIVE = 2 };
  ss_weak_references_watch((PyObject*)wrapper);
  while (Py_REFCNT((PyObject*)wrapper) == 1) {
    TVMFFIObject* object = ss_pin_as_is(wrapper);
    if (object == NULL) return 0;
    int lives = ss_word_survives(SelfsameTieFind(ss_table, object), wrapper, 1, 1);
    ss_unpin_as_is(wrapper);
    if (!lives) {
      if (!SS_FREE_THREADED) ss_flags_set(wrapper, SS_FINAL);  // without the GIL ss_leave_to_native has the last word
      return 0;
    }
    if (!(ss_flags(wrapper) & SS_HELD)) continue;  // the other owners have gone during the hold
    // Another thread has made a strong reference from a weak one.
    if (Py_REFCNT((PyObject*)wrapper) > FINALIZER_AND_NATIVE && ss_pin(wrapper) != NULL) ss_unpin_as_is(wrapper);
    return 1;
  }
  return 1;  // Python refers to it again
}

// In a collection that has found the wrapper dead: whether its native object has owners that keep it alive. Objects of the
// same garbage refer to the wrapper, and their finalizers may bring it back into use. So it is not held: the collection
// owns a reference to it until its end. When that will not be told, the native object holds it.
static int survives_collection(SsWrapper* wrapper) {
  TVMFFIObject* object = ss_pin_as_is(wrapper);
  if (object == NULL) return 0;
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  uint32_t known = known_owners(wrapper, 0);
  int lives = ss_word_survives(record, wrapper, known, 0);
  if (lives && !ss_collection_keep((PyObject*)wrapper)) {
    lives = ss_word_survives(record, wrapper, known, PY_SSIZE_T_MAX);
  }
  if (!lives) ss_flags_set(wrapper, SS_FINAL);
  ss_unpin_as_is(wrapper);
  return lives;
}

// Returns whether the wrapper lives on, when the finalizer with the decision `survives` has run.
static int finalize(PyObject* self, int (*survives)(SsWrapper*)) {
  SsWrapper* wrapper = ss_wrapper(self);
  int lives = survives(wrapper);
  if (!lives && !(ss_flags(wrapper) & SS_DEL_RAN) && ss_class_call_del(self)) {
    ss_flags_set(wrapper, SS_DEL_RAN);
    lives = survives(wrapper);  // __del__ may have given the native object another owner
  }
  return lives;
}

void ss_finalize(PyObject* self) {
  SsWrapper* wrapper = ss_wrapper(self);
  // A Function without attributes: the class has a finalizer, but this wrapper is lean.
  if (!(ss_flags(wrapper) & SS_STATEFUL) && !(Py_TYPE(self)->tp_flags & Py_TPFLAGS_HEAPTYPE)) return;
  ss_keep_handle_end(wrapper);
  ss_enable_try_incref(self);  // again: CPython gave the object a new count of one for the finalizer's time
  // With the GIL the collector owns a reference for the finalizer's time, and something else of the garbage another one.
  int dropped = Py_REFCNT(self) == 1 && !(SS_FREE_THREADED && ss_collection_dead_owners(wrapper, 0) >= 0);
  int lives = finalize(self, dropped ? survives_drop : survives_collection);
  // The next death must call the finalizer again. A wrapper with other references may live on too: the collector calls
  // the finalizers of all that it found dead, and one of them may revive the others.
  if (lives || Py_REFCNT(self) != 1) ss_flags_set(wrapper, SS_UNFINALIZE);
}

int ss_traverse(PyObject* self, visitproc visit, void* arg) {
  SsWrapper* wrapper = ss_wrapper(self);
  // CPython replaces the finalizer of a class that is given a __del__, or loses one, after instances were made.
  if (SS_UNLIKELY((wrapper->flags & SS_STATEFUL) && Py_TYPE(self)->tp_finalize != ss_finalize)) {
    ss_class_prepare(Py_TYPE(self));
  }
  int rc = 0;
  int handled = ss_collection_traverse(wrapper, visit, arg, &rc);
  if (SS_UNLIKELY(wrapper->flags & SS_UNFINALIZE) && !ss_collection_judges()) {
    ss_flags_clear(wrapper, SS_UNFINALIZE);
    ss_unfinalize(self);
  }
  if (handled) return rc;
  // When this wrapper is the native object's only owner, everything that the native object owns is owned by the
  // wrapper.
  if (wrapper->handle == NULL || (wrapper->flags & SS_HELD) || ss_strong(wrapper->handle) != ss_owned(wrapper))
    return 0;
  // A call on another thread may be changing the native object, or another thread may be promoting a weak reference to
  // it.
  if (ss_is_pinned(wrapper)) return 0;
  if (__atomic_load_n(&wrapper->handle->combined_ref_count, __ATOMIC_ACQUIRE) != SS_WEAK_ONE + ss_owned(wrapper))
    return 0;
  return ss_visit_owned(wrapper->handle, visit, arg);
}

int ss_clear(PyObject* self) {
  SsWrapper* wrapper = ss_wrapper(self);
  if (!ss_collection_clear(wrapper) && has_other_owners(wrapper))
    return 0;  // owners may have been added since the phases
  if (wrapper->handle != NULL) ss_closure_clear(wrapper->handle);
  return 0;
}

int ss_clear_stateful(PyObject* self) {
  SsWrapper* wrapper = ss_wrapper(self);
  if (ss_collection_dead_owners(wrapper, 1) < 0 && has_other_owners(wrapper)) {
    ss_flags_clear(wrapper, SS_FINAL | SS_UNFINALIZE);
    ss_unfinalize(self);
    return 0;
  }
  return ss_class_clear(self, ss_clear_stateful);
}

// ---- death of a wrapper ----

// Releases the wrapper's native object. Returns 1 when the wrapper's block now belongs to the native object.
static inline __attribute__((always_inline)) int drop_native(SsWrapper* wrapper) {
  ss_count(SS_COUNT_LIVE, -1);
  if (SS_UNLIKELY(wrapper->handle == NULL)) {
    ss_count(SS_COUNT_BLOCKS, -1);
    return 0;
  }
  ss_collection_forget(wrapper);
  TVMFFIObject* object;
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, wrapper->handle);
  // Once the interpreter shuts down, no block is kept.
  SsDropped dropped = ss_word_drop(record, wrapper, ss_python_alive(), &object);
  if (dropped == SS_KEPT) {
    ss_word_settle(object);
    return 1;
  }
  if (SS_LIKELY(dropped == SS_DROPPED_ALONE)) {
    ss_word_settle_alone(ss_table, record, object);
  } else {
    ss_word_settle(object);
  }
  ss_count(SS_COUNT_BLOCKS, -1);
  return 0;
}

void ss_dealloc_static(PyObject* self) {
  PyObject_GC_UnTrack(self);
  // When CPython's subtype_dealloc calls this, it releases the type afterwards: the block cannot be kept.
  if (SS_UNLIKELY(Py_TYPE(self)->tp_flags & Py_TPFLAGS_HEAPTYPE)) ss_flags_set(ss_wrapper(self), SS_STATEFUL);
  if (!drop_native(ss_wrapper(self))) Py_TYPE(self)->tp_free(self);
}

void ss_dealloc_heap(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  if (SS_UNLIKELY(type->tp_finalize != NULL) && type->tp_dealloc == ss_dealloc_heap) {
    // The class was given a __del__ after this instance was made.
    ss_class_make_stateful(type);
    ss_flags_set(ss_wrapper(self), SS_STATEFUL);
    type->tp_dealloc(self);
    return;
  }
  PyObject_GC_UnTrack(self);
  if (drop_native(ss_wrapper(self))) return;
  if (!ss_spare_block_put(self, type)) type->tp_free(self);
  Py_DECREF(type);
}

int ss_leave_to_native(PyObject* self) {
  SsWrapper* wrapper = ss_wrapper(self);
#if SS_FREE_THREADED
  // A collection that lets the wrapper die may own a reference to its native object.
  if ((ss_flags(wrapper) & SS_FINAL) && __atomic_load_n(&ss_collection_phase, __ATOMIC_RELAXED) != 0) return 0;
  ss_flags_clear(wrapper, SS_FINAL);
  ss_keep_handle_end(wrapper);
  // Other threads may take references as soon as the wrapper is resurrected, and they may drop them before this thread drops
  // its own. So the decision counts that the finalizer has taken when this thread was the last.
  do {
    ss_resurrect(self);
    finalize(self, survives_drop);
    if (!ss_drop_resurrected(self)) return 1;
  } while (wrapper->handle != NULL && !ss_word_ends(SelfsameTieFind(ss_table, wrapper->handle), wrapper));
  return 0;
#else
  TVMFFIObject* object = wrapper->handle;
  uintptr_t final = wrapper->flags & SS_FINAL;
  // A collection that lets the wrapper die may own a reference to its native object. While it calls finalizers it does not: one that
  // reads a field of the garbage drops the wrapper here. CPython's dealloc would take it out of the collection.
  if (object == NULL || ss_strong(object) == ss_owned(wrapper) || (final && !ss_collection_finalizes(wrapper)))
    return 0;
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  uintptr_t word = record == NULL ? 0 : ss_word_lock(record);
  if (word != (uintptr_t)wrapper || !ss_flags_hold(wrapper)) return 0;
  ss_revive_block(self);
  if (!PyObject_GC_IsTracked(self)) PyObject_GC_Track(self);  // CPython has put its dealloc off
  if (final) ss_flags_set(wrapper, SS_FINAL);
  ss_weak_references_watch(self);
  ss_release_shares(wrapper, object);
  ss_word_unlock(record, ss_row_hold(word));
  ss_decref(object);  // the last, when the other owners have gone: then it hands itself back, and the wrapper dies
  return 1;
#endif
}

void ss_dealloc_stateful(PyObject* self) {
  if (ss_leave_to_native(self)) return;
  if (SS_UNLIKELY(Py_TYPE(self)->tp_finalize != ss_finalize)) ss_class_prepare(Py_TYPE(self));
  ss_class_dealloc(self, ss_dealloc_stateful);
}

// ---- the base type ----

// Raises the TypeError of object.__new__ for a class with abstract methods.
static __attribute__((noinline)) PyObject* refuse_abstract(PyTypeObject* cls) {
  PyObject* none = PyTuple_New(0);
  PyObject* made = none == NULL ? NULL : PyBaseObject_Type.tp_new(cls, none, NULL);
  Py_XDECREF(none);
  Py_XDECREF(made);
  if (!PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "%.100s: the class is abstract", cls->tp_name);
  return NULL;
}

static PyObject* object_new(PyTypeObject* cls, PyObject* args, PyObject* kwargs) {
  (void)args;  // __init__ has them
  (void)kwargs;
  if (SS_UNLIKELY(cls->tp_flags & Py_TPFLAGS_IS_ABSTRACT)) return refuse_abstract(cls);
  return ss_class_new_wrapper(cls);
}

PyTypeObject SsObject_Type = {
    SS_TYPE("selfsame_ffi._core.CObject",
            "The wrapper of a native object: one per native object, equal only to itself.", sizeof(SsWrapper),
            Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC),
    .tp_new = object_new,
    .tp_alloc = PyType_GenericAlloc,
    .tp_free = PyObject_GC_Del,
    .tp_dealloc = ss_dealloc_static,
    .tp_traverse = ss_traverse,
    .tp_clear = ss_clear,
};
