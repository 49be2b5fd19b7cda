// The transitions of the wrapper word. The table of states is in tie_states.h.
#include "tie_states.h"

#include "callback.h"
#include "classes.h"
#include "edges.h"
#include "queue.h"

#ifdef Py_GIL_DISABLED
#error "free-threaded CPython is not supported by this version"
#endif

SsTieCounts ss_counts;

static inline uintptr_t word_of(const SelfsameTieRecord* record) {
  return __atomic_load_n(&record->wrapper, __ATOMIC_ACQUIRE);
}

static inline void set_word(SelfsameTieRecord* record, uintptr_t word) {
  __atomic_store_n(&record->wrapper, word, __ATOMIC_RELEASE);
}

static void count_kept(PyObject* block, int sign) {
  ss_counts.kept_blocks += sign;
  ss_counts.kept_bytes += sign * (int64_t)(Py_TYPE(block)->tp_basicsize + 2 * (Py_ssize_t)sizeof(void*));
}

// ---- Active: bind, revive ----

// Detached -> Active. The only place that writes a wrapper's handle; takes over the caller's reference to `object`.
static void bind(SsWrapper* wrapper, TVMFFIObject* object, SelfsameTieRecord* record) {
  wrapper->handle = object;
  wrapper->flags &= ~(uintptr_t)SS_MOVED;
  set_word(record, (uintptr_t)wrapper);
}

void ss_block_free(PyObject* block) {
  PyTypeObject* type = Py_TYPE(block);
  count_kept(block, -1);
  PyObject_GC_Del(block);
  if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) Py_DECREF(type);
}

// Inactive -> Detached.
static void drop_kept_block(SelfsameTieRecord* record, PyObject* block) {
  set_word(record, 0);
  ss_block_free(block);
}

// A block serves again for the very type it was made for: the class registered now, or one derived from it.
static int block_fits(PyObject* block, PyTypeObject* wanted) {
  PyTypeObject* type = Py_TYPE(block);
  if (type != wanted && !PyType_IsSubtype(type, wanted)) return 0;
  return !ss_class_prepare(type);
}

// Inactive -> Active: a new life at the old address. The block kept its reference to its type.
static PyObject* revive(TVMFFIObject* object, SelfsameTieRecord* record, PyObject* block) {
  count_kept(block, -1);
#if defined(Py_TRACE_REFS) || defined(Py_REF_DEBUG)
  _Py_NewReference(block);
#else
  Py_SET_REFCNT(block, 1);
#endif
  ss_wrapper(block)->flags &= SS_KEPT_BITS;
  bind(ss_wrapper(block), object, record);
  PyObject_GC_Track(block);
  ss_counts.live_wrappers++;
  return block;
}

// ---- Held ----

// Active -> Held.
static void hold(SsWrapper* wrapper) {
  wrapper->flags |= SS_STATEFUL | SS_HELD;
  ss_counts.held_wrappers++;
  Py_INCREF((PyObject*)wrapper);
}

// Held -> Active. May free the wrapper, unless the caller holds a reference to it.
static void let_go(SsWrapper* wrapper) {
  wrapper->flags &= ~(uintptr_t)(SS_HELD | SS_ACCOUNTED);
  ss_counts.held_wrappers--;
  Py_DECREF((PyObject*)wrapper);
}

// Takes back the collector's "this object was finalized" mark, bit 0 of the second word of the collector's header,
// which CPython sets after every call of a finalizer and has no function to clear. Without this, a wrapper whose
// finalizer only took a hold would never see its __del__ run.
static void unfinalize(SsWrapper* wrapper) {
  wrapper->flags &= ~(uintptr_t)SS_UNFINALIZE;
  ((uintptr_t*)wrapper)[-1] &= ~(uintptr_t)1;
}

void ss_cross_slow(SsWrapper* wrapper) {
  if (wrapper->handle == NULL) return;
  if (wrapper->flags & SS_UNFINALIZE) unfinalize(wrapper);
  int shared = ss_strong(wrapper->handle) > 1;
  int held = (wrapper->flags & SS_HELD) != 0;
  if (shared && !held) hold(wrapper);
  if (!shared && held) let_go(wrapper);
}

// True when the native has owners that keep a held wrapper alive: more than the wrapper, and the one owner that the
// collector has found dead with it. Only the collector finalizes or clears a held wrapper, after it has visited the
// native's hold, so the mark is from the round under way.
static int has_other_owners(const SsWrapper* wrapper) {
  uint32_t known = (wrapper->flags & (SS_HELD | SS_ACCOUNTED)) == (SS_HELD | SS_ACCOUNTED) ? 2 : 1;
  return wrapper->handle != NULL && ss_strong(wrapper->handle) > known;
}

void ss_finalize(PyObject* self) {
  SsWrapper* wrapper = ss_wrapper(self);
  if (has_other_owners(wrapper)) {
    // The native lives on, so the wrapper does; this was no death.
    if (!(wrapper->flags & SS_HELD)) hold(wrapper);
    wrapper->flags |= SS_UNFINALIZE;
    return;
  }
  ss_class_call_del(self);
  // __del__ may have given the native another owner.
  if (!(wrapper->flags & SS_HELD) && has_other_owners(wrapper)) hold(wrapper);
}

int ss_traverse(PyObject* self, visitproc visit, void* arg) {
  SsWrapper* wrapper = ss_wrapper(self);
  if (wrapper->flags & SS_UNFINALIZE) unfinalize(wrapper);
  // As long as nobody but this wrapper keeps the native, the reference that the native owns is the wrapper's own.
  if (wrapper->handle == NULL || ss_strong(wrapper->handle) != 1) return 0;
  wrapper->flags &= ~(uintptr_t)SS_ACCOUNTED;
  if (wrapper->flags & SS_HELD) Py_VISIT(self);
  // A call on another thread may be changing the native; somebody may be promoting a weak reference to it.
  if (wrapper->flags >= SS_PIN) return 0;
  if (__atomic_load_n(&wrapper->handle->combined_ref_count, __ATOMIC_ACQUIRE) != SS_BOTH_ONE) return 0;
  return ss_visit_owned(wrapper->handle, visit, arg);
}

int ss_clear(PyObject* self) {
  SsWrapper* wrapper = ss_wrapper(self);
  if (has_other_owners(wrapper)) return 0;  // the count again: it may have risen
  PyObject** callable = wrapper->handle == NULL ? NULL : ss_callable_of(wrapper->handle);
  if (callable != NULL) Py_CLEAR(*callable);
  if (wrapper->flags & SS_HELD) let_go(wrapper);
  return 0;
}

// ---- fetch ----

// Active -> Detached: Python code that runs inside the dealloc of a stateful wrapper (a weak reference's callback, the
// destructor of an attribute) met a native that got another owner meanwhile. The dying wrapper still releases its
// reference.
static void disown_dying(SelfsameTieRecord* record) { set_word(record, 0); }

// The live wrapper in the word, or NULL. New reference.
static PyObject* fetch_active(TVMFFIObject* object, SelfsameTieRecord* record) {
  uintptr_t word = word_of(record);
  if (word == 0 || (word & SELFSAME_TIE_TAGS) != 0) return NULL;
  PyObject* wrapper = (PyObject*)word;
  if (SS_UNLIKELY(Py_REFCNT(wrapper) == 0)) {
    disown_dying(record);
    return NULL;
  }
  Py_INCREF(wrapper);
  ss_decref_shared(object);
  ss_cross(wrapper);
  return wrapper;
}

// The common case of a drop and a refetch: the block was made for the class registered now.
static inline PyObject* fetch_kept(TVMFFIObject* object, SelfsameTieRecord* record) {
  uintptr_t word = word_of(record);
  if ((word & SELFSAME_TIE_TAGS) != SELFSAME_TIE_INACTIVE) return NULL;
  PyObject* block = (PyObject*)(word & ~SELFSAME_TIE_TAGS);
  PyTypeObject* cls = Py_TYPE(block);
  if (cls != ss_class_registered(object->type_index) || ss_class_prepare(cls)) return NULL;
  return revive(object, record, block);
}

PyObject* ss_fetch_slow(TVMFFIObject* object) {
  ss_queue_drain();
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  PyObject* wrapper = NULL;
  if (record != NULL) {
    wrapper = fetch_kept(object, record);
    if (wrapper == NULL) wrapper = fetch_active(object, record);
    if (wrapper != NULL) return wrapper;
  }
  PyTypeObject* cls = ss_class_of(object->type_index);
  if (cls == NULL) goto fail;
  record = ss_table->acquire(object);
  if (record == NULL) {
    PyErr_NoMemory();
    goto fail;
  }
  PyObject* fresh = NULL;
  for (;;) {  // again when Python code that ran in between has fetched the same native
    wrapper = fetch_active(object, record);
    if (wrapper != NULL) {
      Py_XDECREF(fresh);
      return wrapper;
    }
    uintptr_t word = word_of(record);
    if (word & SELFSAME_TIE_INACTIVE) {
      PyObject* block = (PyObject*)(word & ~SELFSAME_TIE_TAGS);
      if (fresh == NULL && block_fits(block, cls)) return revive(object, record, block);
      drop_kept_block(record, block);
      continue;
    }
    if (fresh != NULL) break;
    fresh = ss_class_new_wrapper(cls);
    if (fresh == NULL) goto fail;
  }
  bind(ss_wrapper(fresh), object, record);
  ss_cross(fresh);
  return fresh;
fail:
  ss_decref(object);
  return NULL;
}

int ss_adopt(SsWrapper* wrapper, TVMFFIObject* object) {
  if (wrapper->handle != NULL) {
    PyErr_Format(PyExc_TypeError, "this %.100s object is initialised already", Py_TYPE(wrapper)->tp_name);
    goto fail;
  }
  SelfsameTieRecord* record = ss_table->acquire(object);
  if (record == NULL) {
    PyErr_NoMemory();
    goto fail;
  }
  uintptr_t word = word_of(record);
  if (word & SELFSAME_TIE_INACTIVE) {
    drop_kept_block(record, (PyObject*)(word & ~SELFSAME_TIE_TAGS));
    word = word_of(record);
  }
  if (word != 0) {
    PyErr_Format(PyExc_TypeError, "the native object for this %.100s has another Python wrapper already",
                 Py_TYPE(wrapper)->tp_name);
    goto fail;
  }
  bind(wrapper, object, record);
  ss_cross((PyObject*)wrapper);
  return 0;
fail:
  ss_decref(object);
  return -1;
}

// Active or Held -> Detached.
TVMFFIObject* ss_unbind(SsWrapper* wrapper) {
  TVMFFIObject* object = wrapper->handle;
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  if (record != NULL && word_of(record) == (uintptr_t)wrapper) set_word(record, 0);
  wrapper->handle = NULL;
  wrapper->flags |= SS_MOVED;
  if (wrapper->flags & SS_HELD) let_go(wrapper);
  return object;
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
static void release_with_orphans(TVMFFIObject* object) {
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

// Active -> Detached: the wrapper's reference is the native's last one of either kind, or the wrapper is stateful.
static void drop_alone(TVMFFIObject* object, SelfsameTieRecord* record) {
  set_word(record, 0);
  if (SS_UNLIKELY(ss_counts.held_wrappers > 0) && ss_python_alive() && ss_strong(object) == 1) {
    release_with_orphans(object);
  } else {
    ss_decref(object);
  }
}

// Active -> Inactive. Everything of the wrapper's Python life is over, so the block is the native's from the store on:
// the release after it may free both, here or on another thread.
static void drop_shared(SsWrapper* wrapper, TVMFFIObject* object, SelfsameTieRecord* record) {
  count_kept((PyObject*)wrapper, 1);
  set_word(record, (uintptr_t)wrapper | SELFSAME_TIE_INACTIVE);
  ss_decref(object);
}

// Releases the wrapper's native. Returns 1 when the wrapper's block now belongs to the native.
static int drop_native(SsWrapper* wrapper) {
  TVMFFIObject* object = wrapper->handle;
  ss_counts.live_wrappers--;
  if (object == NULL) return 0;
  wrapper->handle = NULL;
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  if (record == NULL || word_of(record) != (uintptr_t)wrapper) {
    ss_decref(object);
    return 0;
  }
  // Alone with the only reference of either kind, nobody can appear. Once the interpreter shuts down, nothing is kept.
  if (__atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE) == SS_BOTH_ONE || (wrapper->flags & SS_STATEFUL) ||
      !ss_python_alive()) {
    drop_alone(object, record);
    return 0;
  }
  drop_shared(wrapper, object, record);
  return 1;
}

void ss_dealloc_static(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if (!drop_native(ss_wrapper(self))) Py_TYPE(self)->tp_free(self);
}

void ss_dealloc_heap(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  if (SS_UNLIKELY(type->tp_finalize != NULL) && type->tp_dealloc == ss_dealloc_heap) {
    // The class was given a __del__ after this instance was made.
    ss_class_make_stateful(type);
    ss_wrapper(self)->flags |= SS_STATEFUL;
    type->tp_dealloc(self);
    return;
  }
  PyObject_GC_UnTrack(self);
  if (drop_native(ss_wrapper(self))) return;
  type->tp_free(self);
  Py_DECREF(type);
}

const char* ss_state_name(const SsWrapper* wrapper) {
  if (wrapper->handle == NULL) return "Detached";
  return wrapper->flags & SS_HELD ? "Held" : "Active";
}
