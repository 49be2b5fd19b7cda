// Spare blocks: the memory of dead lean wrappers, used for the next ones. CPython does the same for its own small
// types. A wrapper that is made and dropped then costs neither CPython's allocator nor the clearing of its memory.
//
// Only for classes whose instances are no larger than SsWrapper, and only with the GIL: without it the collector finds
// its objects by walking the allocator's memory. There are none when PYTHONMALLOC is set, so that tools which watch
// memory see every wrapper.
#ifndef SELFSAME_CORE_WRAPPER_SPARE_BLOCKS_H_
#define SELFSAME_CORE_WRAPPER_SPARE_BLOCKS_H_

#include "tie/core.h"

// Whether CPython keeps the __dict__ or the list of weak references of the instances in front of the collector's
// header. The size of the type does not count them.
static inline int ss_has_managed_state(PyTypeObject* cls) {
  unsigned long managed = 0;
#ifdef Py_TPFLAGS_MANAGED_DICT
  managed |= Py_TPFLAGS_MANAGED_DICT;
#endif
#ifdef Py_TPFLAGS_MANAGED_WEAKREF
  managed |= Py_TPFLAGS_MANAGED_WEAKREF;
#endif
  return (cls->tp_flags & managed) != 0;
}

#if SS_FREE_THREADED

static inline void ss_spare_blocks_init(void) {}
static inline PyObject* ss_spare_block_take(PyTypeObject* cls) {
  (void)cls;
  return NULL;
}
static inline int ss_spare_block_put(PyObject* block, PyTypeObject* type) {
  (void)block;
  (void)type;
  return 0;
}

#else

enum { SS_SPARE_BLOCKS = 64 };

typedef struct {
  int count, limit;                   // how many there are, and may be
  PyObject* blocks[SS_SPARE_BLOCKS];  // untracked, without a class; owned
} SsSpareBlocks;
extern SS_HIDDEN SsSpareBlocks ss_spare_blocks;

// Once, when the core starts.
SS_HIDDEN void ss_spare_blocks_init(void);

// A spare block as a new, tracked instance of `cls`, a prepared lean class, without a handle and with flags 0. New
// reference; NULL without an error when there is none.
static inline PyObject* ss_spare_block_take(PyTypeObject* cls) {
  if (SS_UNLIKELY(ss_spare_blocks.count == 0 || cls->tp_basicsize != sizeof(SsWrapper))) return NULL;
  PyObject* block = ss_spare_blocks.blocks[--ss_spare_blocks.count];
  ((uintptr_t*)block)[-2] = ((uintptr_t*)block)[-1] = 0;  // the collector's header: as in a new object
  ss_wrapper(block)->handle = NULL;
  ss_wrapper(block)->flags = 0;
  (void)PyObject_Init(block, cls);
  PyObject_GC_Track(block);
  return block;
}

// Takes over the memory of a dead wrapper, which is untracked and whose class is `type`, if it has the size of a lean
// one. 1: taken; 0: the caller frees it. The caller still owns the wrapper's reference to its class.
static inline int ss_spare_block_put(PyObject* block, PyTypeObject* type) {
  if (SS_UNLIKELY(ss_spare_blocks.count >= ss_spare_blocks.limit || type->tp_basicsize != sizeof(SsWrapper))) return 0;
  if (SS_UNLIKELY(ss_has_managed_state(type))) return 0;
  ss_spare_blocks.blocks[ss_spare_blocks.count++] = block;
  return 1;
}

#endif  // SS_FREE_THREADED
#endif  // SELFSAME_CORE_WRAPPER_SPARE_BLOCKS_H_
