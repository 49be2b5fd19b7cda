// Fetch, construction and kept blocks, in terms of CPython. The transitions of the wrapper word are in
// tie_word.h.
#include "wrapper/fetch.h"

#include "tie/deferred.h"
#include "tie/tie_word.h"
#include "wrapper/classes.h"
#include "wrapper/spare_blocks.h"

// ---- kept blocks ----

void ss_block_free(PyObject* block) {
  PyTypeObject* type = Py_TYPE(block);
  ss_count(SS_COUNT_BLOCKS, -1);
  if (!ss_spare_block_put(block, type)) PyObject_GC_Del(block);
  if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) Py_DECREF(type);
}

// The class of a kept block was given a __del__: the wrapper that the block becomes is stateful. The layout of its
// instances cannot have changed.
static __attribute__((noinline)) int mark_stateful(PyObject* block) {
  if (Py_TYPE(block)->tp_dealloc == ss_dealloc_heap) ss_class_make_stateful(Py_TYPE(block));
  ss_wrapper(block)->flags |= SS_STATEFUL;
  return 1;
}

// A kept block can only become an instance of its own type again, which must be the wanted class or derived from it.
inline __attribute__((always_inline)) int ss_block_fits(PyObject* block, PyTypeObject* wanted) {
  PyTypeObject* type = Py_TYPE(block);
  if (SS_UNLIKELY(type != wanted) && !PyType_IsSubtype(type, wanted)) return 0;
  return SS_LIKELY(ss_class_is_lean(type)) ? 1 : mark_stateful(block);
}

// A kept block whose native object is dead. The queue entry takes the place of handle and flags, which are not used any
// more.
typedef struct {
  PyObject_HEAD SsDeferred link;
} DeferredBlock;

static void run_block_free(SsDeferred* self) {
  ss_block_free((PyObject*)((char*)self - offsetof(DeferredBlock, link)));
}

void ss_reclaim_block(void* block) {
  _Static_assert(sizeof(DeferredBlock) <= sizeof(SsWrapper), "the link must fit into every kept block");
  SsDeferred* link = &((DeferredBlock*)block)->link;
  link->run = run_block_free;
  ss_defer_memory(link);
}

// ---- Held ----

void ss_own_native(SsWrapper* wrapper) {
  TVMFFIObject* object = wrapper->handle;
  while (!ss_promote(object)) ss_await_hand_back(object);
  ss_word_own_native(SelfsameTieFind(ss_table, object), wrapper, object);
}

// ---- fetch ----

// The record of a native object, made if it has none. Without another owner, the reference that the caller passed is the
// only one. NULL without memory.
static inline SelfsameTieRecord* record_of(TVMFFIObject* object) {
  int alone = __atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE) == SS_BOTH_ONE;
  return alone ? ss_table->acquire_alone(object) : ss_table->acquire(object);
}

// The wrapper of a native object that had no record, in a spare block, so of a lean class. With the GIL no other code
// that writes the word runs before it is written. NULL, with nothing done, when that cannot be.
static inline PyObject* wrap_in_spare_block(TVMFFIObject* object, PyTypeObject* cls) {
  if (SS_FREE_THREADED) return NULL;
  PyObject* wrapper = ss_class_spare_wrapper(cls);
  if (SS_UNLIKELY(wrapper == NULL)) return NULL;
  SelfsameTieRecord* record = record_of(object);
  if (SS_UNLIKELY(record == NULL)) {
    Py_DECREF(wrapper);
    return NULL;
  }
  ss_word_unlock(record, ss_row_bind(ss_word_lock(record), ss_wrapper(wrapper), object));
  return wrapper;
}

static PyObject* fetch_or_wrap(TVMFFIObject* object, SelfsameTieRecord* record, PyTypeObject* cls) {
  PyObject* wrapper;
  if (record != NULL && cls != NULL) {
    wrapper = ss_word_fetch(record, object, cls, NULL);
    if (wrapper != NULL) goto found;
  }
  if (SS_UNLIKELY(cls == NULL) && (cls = ss_class_of(object->type_index)) == NULL) goto fail;
  record = record_of(object);
  if (record == NULL) {
    PyErr_NoMemory();
    goto fail;
  }
  // Making a wrapper may run Python code, and without the GIL other threads run: either may fetch the same native
  // object first. Then ss_word_fetch returns that wrapper.
  PyObject* fresh = ss_class_new_wrapper(cls);
  if (fresh == NULL) goto fail;
  ss_enable_try_incref(fresh);
  wrapper = ss_word_fetch(record, object, cls, ss_wrapper(fresh));
  if (wrapper != fresh) Py_DECREF(fresh);
found:
  ss_renew_finalizer(ss_wrapper(wrapper));
  return wrapper;
fail:
  ss_decref(object);
  return NULL;
}

PyObject* ss_fetch_slow(TVMFFIObject* object) {
  ss_run_deferred();
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  PyTypeObject* cls = ss_class_registered(object->type_index);
  if (record == NULL && SS_LIKELY(cls != NULL)) {
    PyObject* wrapper = wrap_in_spare_block(object, cls);
    if (SS_LIKELY(wrapper != NULL)) return wrapper;
  }
  return fetch_or_wrap(object, record, cls);
}

int ss_construct(SsWrapper* wrapper, TVMFFIObject* object) {
  SelfsameTieRecord* record = ss_table->acquire(object);
  if (record == NULL) {
    PyErr_NoMemory();
    ss_decref(object);
    return -1;
  }
  int refused;
  ss_enable_try_incref((PyObject*)wrapper);
  // Without the GIL two threads may construct the same wrapper: the critical section lets one of them see no handle.
  SS_BEGIN_CRITICAL_SECTION(wrapper);
  refused = ss_word_construct(record, wrapper, object);
  SS_END_CRITICAL_SECTION();
  if (refused == 0) return 0;
  if (refused != 1) return ss_wrapped_already_raise((PyObject*)wrapper, object);
  PyErr_Format(PyExc_TypeError, "this %.100s object is initialised already", Py_TYPE(wrapper)->tp_name);
  ss_decref(object);
  return -1;
}

TVMFFIObject* ss_unbind(SsWrapper* wrapper) {
  return ss_word_unbind(SelfsameTieFind(ss_table, wrapper->handle), wrapper);
}

const char* ss_state_name(const SsWrapper* wrapper) {
  if (wrapper->handle == NULL) return wrapper->flags & SS_MOVED ? "Moved" : "Detached";
  return wrapper->flags & SS_HELD ? "Held" : "Active";
}
