// Reading an Array or List: the type slots that both share. Elements are read in place, without a call of the runtime.
#ifndef SELFSAME_CORE_TYPES_SEQUENCE_H_
#define SELFSAME_CORE_TYPES_SEQUENCE_H_

#include "tie/core.h"
#include "convert/convert.h"
#include "convert/function.h"
#include "types/guard.h"

extern SS_HIDDEN PyTypeObject SsSequenceIter_Type;

// The cell of the Array or List in a wrapper. Borrowed, valid until Python or native code runs. NULL with an error set:
// RuntimeError without a native object, TypeError when it is neither an Array nor a List.
static inline TVMFFISeqCell* ss_seq_cell(PyObject* self) {
  TVMFFIObject* object = ((SsWrapper*)self)->handle;
  if (SS_LIKELY(object != NULL && (object->type_index == kTVMFFIArray || object->type_index == kTVMFFIList))) {
    return SS_CELL(TVMFFISeqCell, object);
  }
  return ss_wrong_native(self, "a sequence");
}

static inline TVMFFIAny* ss_seq_items(const TVMFFISeqCell* cell) { return (TVMFFIAny*)cell->data; }

// Sets IndexError for an index that is out of range. Returns -1.
SS_HIDDEN Py_ssize_t ss_seq_bad_index(PyObject* self, Py_ssize_t index);

// Type slots. Use the first two as SS_GUARDED(...); see guard.h.
SS_HIDDEN Py_ssize_t ss_seq_length(PyObject* self);
SS_HIDDEN PyObject* ss_seq_item(PyObject* self, Py_ssize_t index);
SS_HIDDEN PyObject* ss_seq_subscript(PyObject* self, PyObject* key);
SS_HIDDEN int ss_seq_contains(PyObject* self, PyObject* wanted);
SS_HIDDEN PyObject* ss_seq_iter(PyObject* self);

// Methods of Array and List: _find(value, start, stop), the index of the first element that equals a value, or -1; and
// count(value).
SS_HIDDEN PyObject* ss_seq_find(PyObject* self, PyObject* args);
SS_HIDDEN PyObject* ss_seq_count(PyObject* self, PyObject* wanted);

// The result of comparing an element with a wanted value. SS_ITEM_FAILED: an error is set.
typedef enum { SS_ITEM_FAILED, SS_ITEM_MISSING, SS_ITEM_EQUAL, SS_ITEM_DIFFERENT, SS_ITEM_UNDECIDED } SsComparison;

// Views a wanted value, for which the caller calls ss_views_done. 1; 0 for a value that is in no sequence; -1 with an error
// set.
SS_HIDDEN int ss_seq_wanted(PyObject* self, PyObject* wanted, TVMFFIAny* view, SsTemps* temps);

// Goes on from the index *at to the first element before `stop` that may equal a value, without Python code. The element is
// *item, borrowed. SS_ITEM_UNDECIDED: it is owned, and ss_seq_decide, which runs Python code, tells.
SS_HIDDEN SsComparison ss_seq_scan(PyObject* self, Py_ssize_t* at, Py_ssize_t stop, const TVMFFIAny* view,
                                   TVMFFIAny* item);
SS_HIDDEN SsComparison ss_seq_decide(const TVMFFIAny* item, PyObject* wanted);

// Releases an owned value; the error that is set remains set.
SS_HIDDEN void ss_seq_drop(TVMFFIAny* item);

#if SS_FREE_THREADED
SS_HIDDEN Py_ssize_t ss_seq_length_guarded(PyObject* self);
SS_HIDDEN PyObject* ss_seq_item_guarded(PyObject* self, Py_ssize_t index);
#endif

// A list of the items of `self` followed by those of `other`. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_seq_joined(PyObject* self, PyObject* other);

// Parses the arguments of a tp_init that takes one optional iterable: *items is a tuple of its items, or with `lists` the
// iterable itself if it is a list (new reference). `format` is "|O:Family". 0, or -1 with an error set; TypeError also for a
// wrapper that has a native object already.
SS_HIDDEN int ss_seq_init_items(PyObject* self, PyObject* args, PyObject* kwargs, const char* format, int lists,
                                PyObject** items);

#endif  // SELFSAME_CORE_TYPES_SEQUENCE_H_
