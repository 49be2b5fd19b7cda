// The locks of objects in a forked child of a free-threaded interpreter.
//
// Why they are opened. os.fork stops the other threads first, and a thread that stops gives back the locks of its critical
// sections. But one that waited for a lock may have been handed it and not have gone on: in the child it never does, and
// a use of the object waits for ever. What the lock guards is whole, since its owner has not begun. CPython leaves the
// locks of its own lists and dicts so.
#include "tie/word_lock.h"

#if SS_FREE_THREADED

#include "tie/api.h"

// Whether a critical section of this thread, the one that has forked, holds a lock.
static int is_mine(const PyMutex* lock) {
  enum { SUSPENDED = 1, TWO_LOCKS = 2, TAGS = 3 };  // in the link to a section
  uintptr_t link = PyThreadState_Get()->critical_section;
  while ((link & ~(uintptr_t)TAGS) != 0) {
    const PyCriticalSection2* section = (const PyCriticalSection2*)(link & ~(uintptr_t)TAGS);
    int holds = section->_cs_base._cs_mutex == lock || ((link & TWO_LOCKS) && section->_cs_mutex2 == lock);
    if (holds && !(link & SUSPENDED)) return 1;
    link = section->_cs_base._cs_prev;
  }
  return 0;
}

static void open_lock(PyObject* object) {
  if (object->ob_mutex._bits != 0 && !is_mine(&object->ob_mutex)) object->ob_mutex._bits = 0;
}

// The dict with an object's attributes, borrowed; NULL for none. CPython 3.13 to 3.15 keep a managed one before the object.
static PyObject* attributes_of(PyObject* object) {
  PyTypeObject* cls = Py_TYPE(object);
  if (cls->tp_flags & Py_TPFLAGS_MANAGED_DICT) return ((PyObject**)object)[-1];
  return cls->tp_dictoffset > 0 ? *(PyObject**)((char*)object + cls->tp_dictoffset) : NULL;
}

void ss_object_locks_after_fork(void) {
  uint32_t end = ss_table->record_end();
  for (uint32_t n = 1; n < end; n++) {
    const SelfsameTieRecord* record = SelfsameTieRecordAt(ss_table, n);
    uintptr_t word = record == NULL ? 0 : record->wrapper;
    PyObject* wrapper = (PyObject*)(word & ~SELFSAME_TIE_TAGS);
    if (wrapper == NULL || (word & SELFSAME_TIE_INACTIVE)) continue;
    open_lock(wrapper);
    PyObject* attributes = attributes_of(wrapper);
    if (attributes != NULL) open_lock(attributes);
  }
}

#else

typedef int ss_object_locks_are_not_needed;

#endif  // SS_FREE_THREADED
