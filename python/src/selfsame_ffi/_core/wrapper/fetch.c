// Wrappers and the interpreter: fetching, construction, the collector, death. What happens to the word of a tie record
// is in tie_word.h.
#include "wrapper/fetch.h"

#include "convert/callback.h"
#include "wrapper/classes.h"
#include "gc/references.h"
#include "tie/deferred.h"
#include "gc/full_collection.h"
#include "tie/tie_word.h"

// ---- kept blocks ----

void ss_block_free(PyObject* block) {
  PyTypeObject* type = Py_TYPE(block);
  ss_count(SS_COUNT_BLOCKS, -1);
  PyObject_GC_Del(block);
  if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) Py_DECREF(type);
}

// A block serves again for the very type it was made for: the class registered now, or one derived from it. It does not
// when the type's instances have got state since.
inline __attribute__((always_inline)) int ss_block_fits(PyObject* block, PyTypeObject* wanted) {
  PyTypeObject* type = Py_TYPE(block);
  if (SS_UNLIKELY(type != wanted) && !PyType_IsSubtype(type, wanted)) return 0;
  return ss_class_is_lean(type);
}

// ---- Held ----

// Takes back the collector's "this object was finalized" mark, bit 0 of the second word of the collector's header,
// which CPython sets after every call of a finalizer and has no function to clear. Without this, a wrapper whose
// finalizer only took a hold would never see its __del__ run.
static void unfinalize(SsWrapper* wrapper) {
  ss_flags_clear(wrapper, SS_UNFINALIZE);
#if SS_FREE_THREADED
  enum { FINALIZED = 2 };  // there the mark is a bit of the object's own
  __atomic_fetch_and(&((PyObject*)wrapper)->ob_gc_bits, (uint8_t)~FINALIZED, __ATOMIC_RELAXED);
#else
  ((uintptr_t*)wrapper)[-1] &= ~(uintptr_t)1;
#endif
}

void ss_cross_slow(SsWrapper* wrapper) {
  TVMFFIObject* object = ss_pin(wrapper);
  if (object == NULL) return;
  int shared = ss_strong(object) > 1;
  if (ss_flags(wrapper) & SS_UNFINALIZE) unfinalize(wrapper);
  int held = (ss_flags(wrapper) & SS_HELD) != 0;
  // Still pinned: a hold that came after a move on another thread would keep a wrapper that has no native to let it go.
  if (shared && !held) ss_word_hold(wrapper);
  if (!shared && held) ss_word_let_go(wrapper);
  ss_unpin(wrapper);
}

// True when the native has owners that keep a held wrapper alive: more than the wrapper, and those that the collector
// has found dead with it. Only the collector finalizes or clears a held wrapper, after it has visited the native's
// hold, so the mark is from the collection under way.
static uint32_t known_owners(const SsWrapper* wrapper, int cleared) {
  uintptr_t flags = ss_flags(wrapper);
  if (!(flags & SS_HELD)) return 1;
  uint32_t known = ss_round_dead_owners(wrapper, cleared);
  return known != 0 ? known : flags & SS_ACCOUNTED ? 2 : 1;
}

// Asked by the wrapper's tp_clear.
static int has_other_owners(SsWrapper* wrapper) {
  TVMFFIObject* object = ss_pin(wrapper);
  if (object == NULL) return 0;
  int has = ss_strong(object) > known_owners(wrapper, 1);
  ss_unpin(wrapper);
  return has;
}

void ss_finalize(PyObject* self) {
  SsWrapper* wrapper = ss_wrapper(self);
  ss_arm(self);  // CPython gave it a new count for the finalizer's time
  TVMFFIObject* object = ss_pin(wrapper);
  if (object != NULL) {
    int survives = ss_word_survives(SelfsameTieFind(ss_table, object), wrapper, known_owners(wrapper, 0));
    ss_unpin(wrapper);
    if (survives) {
      // The native lives on, so the wrapper does; this was no death.
      ss_flags_set(wrapper, SS_UNFINALIZE);
      return;
    }
  }
  ss_class_call_del(self);
  // __del__ may have given the native another owner.
  object = ss_pin(wrapper);
  if (object == NULL) return;
  if (ss_strong(object) > known_owners(wrapper, 0)) ss_word_hold(wrapper);
  ss_unpin(wrapper);
}

int ss_traverse(PyObject* self, visitproc visit, void* arg) {
  SsWrapper* wrapper = ss_wrapper(self);
  if (wrapper->flags & SS_UNFINALIZE) unfinalize(wrapper);
  int rc = 0;
  if (ss_round_traverse(wrapper, visit, arg, &rc)) return rc;
  // As long as nobody but this wrapper keeps the native, the reference that the native owns is the wrapper's own.
  if (wrapper->handle == NULL || ss_strong(wrapper->handle) != 1) return 0;
  ss_flags_clear(wrapper, SS_ACCOUNTED);
  if (wrapper->flags & SS_HELD) Py_VISIT(self);
  // A call on another thread may be changing the native; somebody may be promoting a weak reference to it.
  if (ss_flags(wrapper) >= SS_PIN) return 0;
  if (__atomic_load_n(&wrapper->handle->combined_ref_count, __ATOMIC_ACQUIRE) != SS_BOTH_ONE) return 0;
  return ss_visit_owned(wrapper->handle, visit, arg);
}

int ss_clear(PyObject* self) {
  SsWrapper* wrapper = ss_wrapper(self);
  if (!ss_round_clear(wrapper) && has_other_owners(wrapper)) return 0;  // the count again: it may have risen
  PyObject** callable = wrapper->handle == NULL ? NULL : ss_callable_of(wrapper->handle);
  if (callable != NULL) Py_CLEAR(*callable);
  if (wrapper->flags & SS_HELD) ss_word_let_go(wrapper);
  return 0;
}

// ---- fetch ----

PyObject* ss_fetch_slow(TVMFFIObject* object) {
  ss_queue_drain();
  PyObject* wrapper;
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  PyTypeObject* cls = ss_class_registered(object->type_index);
  if (record != NULL && cls != NULL) {
    wrapper = ss_word_fetch(record, object, cls, NULL);
    if (wrapper != NULL) goto found;
  }
  cls = ss_class_of(object->type_index);
  if (cls == NULL) goto fail;
  record = ss_table->acquire(object);
  if (record == NULL) {
    PyErr_NoMemory();
    goto fail;
  }
  // Making one may run Python code, and without the GIL there are other threads: either may fetch the same
  // native meanwhile. Theirs is the wrapper then.
  PyObject* fresh = ss_class_new_wrapper(cls);
  if (fresh == NULL) goto fail;
  ss_arm(fresh);
  wrapper = ss_word_fetch(record, object, cls, ss_wrapper(fresh));
  if (wrapper != fresh) Py_DECREF(fresh);
found:
  ss_cross(wrapper);
  return wrapper;
fail:
  ss_decref(object);
  return NULL;
}

PyObject* ss_peek_held_slow(const TVMFFIObject* object) {
  PyObject* wrapper = ss_word_take(SelfsameTieFind(ss_table, object));
  if (wrapper != NULL && !(ss_flags(ss_wrapper(wrapper)) & SS_HELD)) {
    Py_DECREF(wrapper);
    wrapper = NULL;
  }
  return wrapper;
}

int ss_adopt(SsWrapper* wrapper, TVMFFIObject* object) {
  SelfsameTieRecord* record = ss_table->acquire(object);
  if (record == NULL) {
    PyErr_NoMemory();
    ss_decref(object);
    return -1;
  }
  int refused;
  ss_arm((PyObject*)wrapper);
  // Two threads may construct one wrapper: the critical section keeps its handle from being looked at by both.
  SS_BEGIN_CRITICAL_SECTION(wrapper);
  refused = ss_word_adopt(record, wrapper, object);
  SS_END_CRITICAL_SECTION();
  if (refused == 0) {
    ss_cross((PyObject*)wrapper);
    return 0;
  }
  PyErr_Format(PyExc_TypeError,
               refused == 1 ? "this %.100s object is initialised already"
                            : "the native object for this %.100s has another Python wrapper already",
               Py_TYPE(wrapper)->tp_name);
  ss_decref(object);
  return -1;
}

TVMFFIObject* ss_unbind(SsWrapper* wrapper) {
  return ss_word_unbind(SelfsameTieFind(ss_table, wrapper->handle), wrapper);
}

// ---- death of a wrapper ----

// Wrappers that a dying native is about to leave alone with their natives.
typedef struct {
  PyObject** items;
  Py_ssize_t count, room;
  PyObject* few[8];
} Orphans;

static int add_orphan(PyObject* wrapper, void* arg) {
  Orphans* orphans = arg;
  if (orphans->count == orphans->room) {
    Py_ssize_t room = 2 * orphans->room;
    PyObject** items = PyMem_Malloc((size_t)room * sizeof(PyObject*));
    if (items == NULL) return 0;  // those that do not fit wait for the collector
    memcpy(items, orphans->items, (size_t)orphans->count * sizeof(PyObject*));
    if (orphans->items != orphans->few) PyMem_Free(orphans->items);
    orphans->items = items;
    orphans->room = room;
  }
  Py_INCREF(wrapper);
  orphans->items[orphans->count++] = wrapper;
  return 0;
}

// Releases the last reference to a native. Held wrappers of what it owned alone are let go at once, so that a dropped
// tree needs no collector. CPython's trashcan bounds the recursion.
static __attribute__((noinline)) void release_with_orphans(TVMFFIObject* object) {
  Orphans orphans = {.room = 8};
  orphans.items = orphans.few;
  ss_visit_held_children(object, add_orphan, &orphans);
  ss_decref(object);
  for (Py_ssize_t i = 0; i < orphans.count; i++) {
    ss_cross(orphans.items[i]);
    Py_DECREF(orphans.items[i]);
  }
  if (orphans.items != orphans.few) PyMem_Free(orphans.items);
}

// Releases the wrapper's native. Returns 1 when the wrapper's block now belongs to the native.
static inline __attribute__((always_inline)) int drop_native(SsWrapper* wrapper) {
  ss_count(SS_COUNT_LIVE, -1);
  if (SS_UNLIKELY(wrapper->handle == NULL)) {
    ss_count(SS_COUNT_BLOCKS, -1);
    return 0;
  }
  ss_round_forget(wrapper);
  TVMFFIObject* object;
  // Once the interpreter shuts down, nothing is kept.
  int kept = ss_word_drop(SelfsameTieFind(ss_table, wrapper->handle), wrapper, ss_python_alive(), &object);
  if (SS_UNLIKELY(!kept && ss_counted(SS_COUNT_HELD) > 0) && ss_strong(object) == 1) {
    release_with_orphans(object);
  } else {
    ss_word_settle(object);
  }
  if (!kept) ss_count(SS_COUNT_BLOCKS, -1);
  return kept;
}

void ss_dealloc_static(PyObject* self) {
  PyObject_GC_UnTrack(self);
  // Called by CPython's dealloc of a heap type, which goes on to release the type: the block cannot be kept.
  if (SS_UNLIKELY(Py_TYPE(self)->tp_dealloc != ss_dealloc_static)) ss_flags_set(ss_wrapper(self), SS_STATEFUL);
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
  type->tp_free(self);
  Py_DECREF(type);
}

const char* ss_state_name(const SsWrapper* wrapper) {
  if (wrapper->handle == NULL) return wrapper->flags & SS_MOVED ? "Moved" : "Detached";
  return wrapper->flags & SS_HELD ? "Held" : "Active";
}
