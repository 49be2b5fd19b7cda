// What Array and List have in common: reading. Elements are read where they lie.
#ifndef SELFSAME_PY_SEQUENCE_H_
#define SELFSAME_PY_SEQUENCE_H_

#include "tie/core.h"
#include "convert/function.h"
#include "types/guard.h"

extern SS_HIDDEN PyTypeObject SsSequenceIter_Type;

// The sequence in a wrapper, or NULL with an error set: no native, or one that is neither Array nor List. It stays
// valid until Python or native code runs.
static inline TVMFFISeqCell* ss_seq_cell(PyObject* self) {
  TVMFFIObject* object = ((SsWrapper*)self)->handle;
  if (SS_LIKELY(object != NULL && (object->type_index == kTVMFFIArray || object->type_index == kTVMFFIList))) {
    return SS_CELL(TVMFFISeqCell, object);
  }
  return ss_wrong_native(self, "a sequence");
}

static inline TVMFFIAny* ss_seq_items(const TVMFFISeqCell* cell) { return (TVMFFIAny*)cell->data; }

// Raises the IndexError for an index and returns -1.
SS_HIDDEN Py_ssize_t ss_seq_bad_index(PyObject* self, Py_ssize_t index);

// Slots. In a type's tables the first two stand as SS_GUARDED(...): see guard.h.
SS_HIDDEN Py_ssize_t ss_seq_length(PyObject* self);
SS_HIDDEN PyObject* ss_seq_item(PyObject* self, Py_ssize_t index);
SS_HIDDEN PyObject* ss_seq_subscript(PyObject* self, PyObject* key);
SS_HIDDEN int ss_seq_contains(PyObject* self, PyObject* wanted);
SS_HIDDEN PyObject* ss_seq_iter(PyObject* self);

#if SS_FREE_THREADED
SS_HIDDEN Py_ssize_t ss_seq_length_guarded(PyObject* self);
SS_HIDDEN PyObject* ss_seq_item_guarded(PyObject* self, Py_ssize_t index);
#endif

// A list of the items of `self` followed by those of `other`. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_seq_joined(PyObject* self, PyObject* other);

// The start of a tp_init with one optional argument: *items is a tuple of its items (new reference). `format` is
// "|O:Family". -1 with an error set; refuses a wrapper that has a native already.
SS_HIDDEN int ss_seq_init_items(PyObject* self, PyObject* args, PyObject* kwargs, const char* format, PyObject** items);

#endif  // SELFSAME_PY_SEQUENCE_H_
