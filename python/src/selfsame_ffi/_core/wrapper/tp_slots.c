// The type slots of wrappers: finalizer, cycle collection, dealloc.
#include "wrapper/tp_slots.h"

#include "gc/full_collection.h"
#include "gc/references.h"
#include "tie/attach.h"
#include "tie/python_owner.h"
#include "tie/tie_word.h"
#include "wrapper/classes.h"
#include "wrapper/release.h"
#include "wrapper/spare_blocks.h"

// ---- finalizer and cycle collector ----

// The number of the native object's owners that do not keep the wrapper alive: the wrapper itself, and those that the
// collector has found dead with it. Only the collector finalizes or clears a held wrapper, after visiting the native
// object's reference to it, so SS_OWNER_KNOWN is from the collection under way.
static uint32_t known_owners(const SsWrapper* wrapper, int clearing) {
  uintptr_t flags = ss_flags(wrapper);
  if (!(flags & SS_HELD)) return 1;
  uint32_t known = ss_collection_dead_owners(wrapper, clearing);
  return known != 0 ? known : flags & SS_OWNER_KNOWN ? 2 : 1;
}

// For tp_clear: whether the native object has an owner that keeps the wrapper alive.
static int has_other_owners(SsWrapper* wrapper) {
  TVMFFIObject* object = ss_pin(wrapper);
  if (object == NULL) return 0;
  int has = ss_strong(object) > known_owners(wrapper, 1);
  ss_unpin(wrapper);
  return has;
}

void ss_finalize(PyObject* self) {
  SsWrapper* wrapper = ss_wrapper(self);
  // A Function without attributes: the class has a finalizer, but this wrapper is lean.
  if (!(ss_flags(wrapper) & SS_STATEFUL) && !(Py_TYPE(self)->tp_flags & Py_TPFLAGS_HEAPTYPE)) return;
  ss_enable_try_incref(self);  // again: CPython gave the object a new count of one for the finalizer's time
  TVMFFIObject* object = ss_pin(wrapper);
  if (object != NULL) {
    int survives = ss_word_survives(SelfsameTieFind(ss_table, object), wrapper, known_owners(wrapper, 0));
    ss_unpin(wrapper);
    if (survives) {
      // The native object lives on, and so does the wrapper. The next death must call the finalizer again.
      ss_flags_set(wrapper, SS_UNFINALIZE);
      return;
    }
  }
  ss_class_call_del(self);
  // __del__ may have given the native object another owner.
  object = ss_pin(wrapper);
  if (object == NULL) return;
  if (ss_strong(object) > known_owners(wrapper, 0)) ss_word_hold(wrapper);
  ss_unpin(wrapper);
}

int ss_traverse(PyObject* self, visitproc visit, void* arg) {
  SsWrapper* wrapper = ss_wrapper(self);
  if (wrapper->flags & SS_UNFINALIZE) ss_unfinalize(wrapper);
  // CPython replaces the finalizer of a class that is given a __del__, or loses one, after instances were made.
  if (SS_UNLIKELY((wrapper->flags & SS_STATEFUL) && Py_TYPE(self)->tp_finalize != ss_finalize)) {
    ss_class_prepare(Py_TYPE(self));
  }
  int rc = 0;
  if (ss_collection_traverse(wrapper, visit, arg, &rc)) return rc;
  // When this wrapper is the native object's only owner, everything that the native object owns is owned by the
  // wrapper.
  if (wrapper->handle == NULL || ss_strong(wrapper->handle) != 1) return 0;
  ss_flags_clear(wrapper, SS_OWNER_KNOWN);
  if (wrapper->flags & SS_HELD) Py_VISIT(self);
  // A call on another thread may be changing the native object, or another thread may be promoting a weak reference to
  // it.
  if (ss_flags(wrapper) >= SS_PIN) return 0;
  if (__atomic_load_n(&wrapper->handle->combined_ref_count, __ATOMIC_ACQUIRE) != SS_BOTH_ONE) return 0;
  return ss_visit_owned(wrapper->handle, visit, arg);
}

int ss_clear(PyObject* self) {
  SsWrapper* wrapper = ss_wrapper(self);
  if (!ss_collection_clear(wrapper) && has_other_owners(wrapper))
    return 0;  // owners may have been added since the phases
  if (wrapper->handle != NULL) ss_closure_clear(wrapper->handle);
  if (wrapper->flags & SS_HELD) ss_word_let_go(wrapper);
  return 0;
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
  if (SS_UNLIKELY(ss_any_held()) && ss_strong(object) == 1) {
    ss_release_last(object);
  } else if (SS_LIKELY(dropped == SS_DROPPED_ALONE)) {
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
    PyVarObject_HEAD_INIT(NULL, 0)  //
        .tp_name = "selfsame_ffi._core.CObject",
    .tp_doc = "The wrapper of a native object: one per native object, equal only to itself.",
    .tp_basicsize = sizeof(SsWrapper),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_new = object_new,
    .tp_alloc = PyType_GenericAlloc,
    .tp_free = PyObject_GC_Del,
    .tp_dealloc = ss_dealloc_static,
    .tp_traverse = ss_traverse,
    .tp_clear = ss_clear,
};
