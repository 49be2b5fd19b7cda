// Reading an Array or List; see sequence.h.
#include "types/sequence.h"

#include "convert/builtin.h"
#include "convert/convert.h"
#include "wrapper/fetch.h"
#include "convert/exchanged.h"
#include "types/types.h"
#include "wrapper/tp_slots.h"

static inline PyObject* element(PyObject* self, const TVMFFISeqCell* cell, Py_ssize_t i) {
  return ss_element_from_view(self, ss_seq_items(cell) + i);
}

Py_ssize_t ss_seq_bad_index(PyObject* self, Py_ssize_t index) {
  const TVMFFISeqCell* cell = ss_seq_cell(self);
  if (cell != NULL) {
    PyErr_Format(PyExc_IndexError, "%.100s: index %zd is out of range, the size is %lld", Py_TYPE(self)->tp_name, index,
                 (long long)cell->size);
  }
  return -1;
}

Py_ssize_t ss_seq_length(PyObject* self) {
  const TVMFFISeqCell* cell = ss_seq_cell(self);
  return cell == NULL ? -1 : (Py_ssize_t)cell->size;
}

PyObject* ss_seq_item(PyObject* self, Py_ssize_t i) {
  const TVMFFISeqCell* cell = ss_seq_cell(self);
  if (cell == NULL) return NULL;
  if (i < 0 || i >= cell->size) {
    ss_seq_bad_index(self, i);
    return NULL;
  }
  return element(self, cell, i);
}

// The item at an index that may be negative.
static PyObject* item_at(PyObject* self, Py_ssize_t asked) {
  const TVMFFISeqCell* cell = ss_seq_cell(self);
  if (cell == NULL) return NULL;
  Py_ssize_t i = asked < 0 ? asked + (Py_ssize_t)cell->size : asked;
  if (SS_LIKELY(i >= 0 && i < cell->size)) return element(self, cell, i);
  ss_seq_bad_index(self, asked);
  return NULL;
}

static PyObject* items_between(PyObject* self, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t step) {
  Py_ssize_t length = ss_seq_length(self);
  if (length < 0) return NULL;
  Py_ssize_t count = PySlice_AdjustIndices(length, &start, &stop, step);
  PyObject* list = PyList_New(count);
  for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
    PyObject* value = ss_seq_item(self, start + i * step);  // checks again: the first fetch of a class runs Python code
    if (value == NULL) {
      Py_CLEAR(list);
    } else {
      PyList_SET_ITEM(list, i, value);
    }
  }
  return list;
}

SS_DEFINE_GUARDED_EXTERN(Py_ssize_t, -1, ss_seq_length, (PyObject * self), (self), ss_is_mutable(native));
SS_DEFINE_GUARDED_EXTERN(PyObject*, NULL, ss_seq_item, (PyObject * self, Py_ssize_t i), (self, i),
                         ss_is_mutable(native));
SS_DEFINE_GUARDED(PyObject*, NULL, item_at, (PyObject * self, Py_ssize_t asked), (self, asked), ss_is_mutable(native));
SS_DEFINE_GUARDED(PyObject*, NULL, items_between, (PyObject * self, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t step),
                  (self, start, stop, step), ss_is_mutable(native));

// Converts the key before it looks at the sequence: __index__ is Python code.
PyObject* ss_seq_subscript(PyObject* self, PyObject* key) {
  if (SS_LIKELY(PyLong_CheckExact(key))) {
    Py_ssize_t i = PyLong_AsSsize_t(key);
    if (SS_LIKELY(i >= 0)) return SS_GUARDED(item_at)(self, i);
    if (i == -1) PyErr_Clear();  // -1, or too large: handled below
  }
  if (PyIndex_Check(key)) {
    Py_ssize_t asked = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (SS_UNLIKELY(asked == -1 && PyErr_Occurred())) return NULL;
    return SS_GUARDED(item_at)(self, asked);
  }
  if (PySlice_Check(key)) {
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step) != 0) return NULL;
    return SS_GUARDED(items_between)(self, start, stop, step);
  }
  PyErr_Format(PyExc_TypeError, "%.100s: expected an int or a slice as index, got %.100s", Py_TYPE(self)->tp_name,
               Py_TYPE(key)->tp_name);
  return NULL;
}

static int is_text(int32_t type_index) {
  return (type_index >= kTVMFFIRawStr && type_index <= kTVMFFISmallBytes) || type_index == kTVMFFIStr ||
         type_index == kTVMFFIBytes;
}

static int is_number(int32_t type_index) { return type_index == kTVMFFIInt || type_index == kTVMFFIBool; }

// Compares the element at an index with a value, as Python does: 1 equals True and 1.0. A NaN equals itself. SS_ITEM_UNDECIDED:
// Python's == decides.
static SsComparison compare(const TVMFFIAny* item, const TVMFFIAny* view) {
  if (item->type_index == view->type_index && item->v_uint64 == view->v_uint64 &&
      item->zero_padding == view->zero_padding) {
    return SS_ITEM_EQUAL;
  }
  if (is_text(item->type_index) && is_text(view->type_index)) {
    TVMFFIAny result, args[2] = {*item, *view};
    if (ss_call_builtin(SS_BUILTIN_EQUAL, args, 2, &result) != 0) return SS_ITEM_FAILED;
    return result.v_int64 != 0 ? SS_ITEM_EQUAL : SS_ITEM_DIFFERENT;
  }
  if (item->type_index == kTVMFFIFloat && view->type_index == kTVMFFIFloat) {
    int both_nan = item->v_float64 != item->v_float64 && view->v_float64 != view->v_float64;
    return item->v_float64 == view->v_float64 || both_nan ? SS_ITEM_EQUAL : SS_ITEM_DIFFERENT;
  }
  if (is_number(item->type_index) && is_number(view->type_index)) {
    return item->v_int64 == view->v_int64 ? SS_ITEM_EQUAL : SS_ITEM_DIFFERENT;
  }
  return SS_ITEM_UNDECIDED;
}

SsComparison ss_seq_scan(PyObject* self, Py_ssize_t* at, Py_ssize_t stop, const TVMFFIAny* view, TVMFFIAny* item) {
  const TVMFFISeqCell* cell = ss_seq_cell(self);
  if (cell == NULL) return SS_ITEM_FAILED;
  for (; *at < stop && *at < cell->size; ++*at) {
    *item = ss_seq_items(cell)[*at];
    SsComparison result = compare(item, view);
    if (result == SS_ITEM_UNDECIDED && item->type_index >= kTVMFFIStaticObjectBegin) ss_incref(item->v_obj);
    if (result != SS_ITEM_DIFFERENT) return result;
  }
  return SS_ITEM_MISSING;
}
SS_DEFINE_GUARDED(SsComparison, SS_ITEM_FAILED, ss_seq_scan,
                  (PyObject * self, Py_ssize_t* at, Py_ssize_t stop, const TVMFFIAny* view, TVMFFIAny* item),
                  (self, at, stop, view, item), ss_is_mutable(native));

SsComparison ss_seq_decide(const TVMFFIAny* item, PyObject* wanted) {
  PyObject* value = ss_value_from_view(item);
  int equal = value == NULL ? -1 : PyObject_RichCompareBool(value, wanted, Py_EQ);
  Py_XDECREF(value);
  return equal < 0 ? SS_ITEM_FAILED : equal ? SS_ITEM_EQUAL : SS_ITEM_DIFFERENT;
}

void ss_seq_drop(TVMFFIAny* item) {
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  ss_let_go(item);
  PyErr_Restore(type, error, traceback);
}

// The index of the first element from `at` on, and before `stop`, that equals a value; -1 without one, -2 with an error set.
static Py_ssize_t find(PyObject* self, const TVMFFIAny* view, PyObject* wanted, Py_ssize_t at, Py_ssize_t stop) {
  for (;; at++) {
    TVMFFIAny item;
    SsComparison result = SS_GUARDED(ss_seq_scan)(self, &at, stop, view, &item);
    if (result == SS_ITEM_UNDECIDED) {
      result = ss_seq_decide(&item, wanted);
      ss_seq_drop(&item);
    }
    if (result == SS_ITEM_DIFFERENT) continue;
    return result == SS_ITEM_EQUAL ? at : result == SS_ITEM_FAILED ? -2 : -1;
  }
}

static int check(PyObject* self) { return ss_seq_cell(self) == NULL ? -1 : 0; }
SS_DEFINE_GUARDED(int, -1, check, (PyObject * self), (self), 0);

int ss_seq_wanted(PyObject* self, PyObject* wanted, TVMFFIAny* view, SsTemps* temps) {
  if (SS_GUARDED(check)(self) != 0) return -1;
  if (ss_to_view(wanted, view, temps) == 0) return 1;
  return ss_no_native_value() ? 0 : -1;  // a value without a native form is in no sequence
}

// As find.
static Py_ssize_t find_value(PyObject* self, PyObject* wanted, Py_ssize_t start, Py_ssize_t stop) {
  SsTemp item;
  SsTemps temps = {.items = &item};
  TVMFFIAny view;
  int rc = ss_seq_wanted(self, wanted, &view, &temps);
  if (rc <= 0) return rc - 1;
  Py_ssize_t found = find(self, &view, wanted, start, stop);
  ss_views_done(&temps, &wanted, 1);
  return found;
}

int ss_seq_contains(PyObject* self, PyObject* wanted) {
  Py_ssize_t found = find_value(self, wanted, 0, PY_SSIZE_T_MAX);
  return found == -2 ? -1 : found >= 0;
}

PyObject* ss_seq_find(PyObject* self, PyObject* args) {
  PyObject* wanted;
  Py_ssize_t start, stop;
  if (!PyArg_ParseTuple(args, "Onn:_find", &wanted, &start, &stop)) return NULL;
  Py_ssize_t found = find_value(self, wanted, start, stop);
  return found == -2 ? NULL : PyLong_FromSsize_t(found);
}

PyObject* ss_seq_count(PyObject* self, PyObject* wanted) {
  Py_ssize_t count = 0, at = -1;
  while ((at = find_value(self, wanted, at + 1, PY_SSIZE_T_MAX)) >= 0) count++;
  return at == -2 ? NULL : PyLong_FromSsize_t(count);
}

PyObject* ss_seq_joined(PyObject* self, PyObject* other) {
  PyObject* all = PySequence_List(self);
  PyObject* tail = all == NULL ? NULL : PySequence_List(other);
  PyObject* sum = tail == NULL ? NULL : PySequence_InPlaceConcat(all, tail);
  Py_XDECREF(all);
  Py_XDECREF(tail);
  return sum;
}

int ss_seq_init_items(PyObject* self, PyObject* args, PyObject* kwargs, const char* format, int lists,
                      PyObject** items) {
  static char* names[] = {"input_list", NULL};
  PyObject* source = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, format, names, &source)) return -1;
  if (((SsWrapper*)self)->handle != NULL) {
    PyErr_Format(PyExc_TypeError, "%s.__init__: the object is initialised already", strchr(format, ':') + 1);
    return -1;
  }
  if (lists && source != NULL && PyList_CheckExact(source)) {
    *items = ss_new_ref(source);
  } else {
    *items = source == NULL ? PyTuple_New(0) : PySequence_Tuple(source);
  }
  return *items == NULL ? -1 : 0;
}

// ---- iterator ----

typedef struct {
  PyObject_HEAD PyObject* sequence;  // NULL once exhausted
  Py_ssize_t next;                   // the index of the next element
} SequenceIter;

PyObject* ss_seq_iter(PyObject* self) {
  if (SS_GUARDED(check)(self) != 0) return NULL;
  SequenceIter* iter = PyObject_GC_New(SequenceIter, &SsSequenceIter_Type);
  if (iter == NULL) return NULL;
  Py_INCREF(self);
  iter->sequence = self;
  iter->next = 0;
  PyObject_GC_Track(iter);
  return (PyObject*)iter;
}

// The item at an index. New reference; NULL with an error set, or without one after the last item.
static PyObject* next_of(PyObject* self, Py_ssize_t i) {
  const TVMFFISeqCell* cell = ss_seq_cell(self);
  return cell != NULL && i < cell->size ? element(self, cell, i) : NULL;
}
SS_DEFINE_GUARDED(PyObject*, NULL, next_of, (PyObject * self, Py_ssize_t i), (self, i), ss_is_mutable(native));

static PyObject* step(SequenceIter* iter) {
  if (iter->sequence == NULL) return NULL;
  PyObject* item = SS_GUARDED(next_of)(iter->sequence, iter->next);
  if (item != NULL) {
    iter->next++;
  } else if (!PyErr_Occurred()) {
    Py_CLEAR(iter->sequence);
  }
  return item;
}

static PyObject* iter_next(PyObject* self) {
  PyObject* item;
  SS_BEGIN_CRITICAL_SECTION(self);
  item = step((SequenceIter*)self);
  SS_END_CRITICAL_SECTION();
  return item;
}

static PyObject* length_hint(SequenceIter* iter) {
  if (iter->sequence == NULL) return PyLong_FromLong(0);
  Py_ssize_t length = SS_GUARDED(ss_seq_length)(iter->sequence);
  return length < 0 ? NULL : PyLong_FromSsize_t(length > iter->next ? length - iter->next : 0);
}

static PyObject* iter_length_hint(PyObject* self, PyObject* unused) {
  (void)unused;
  PyObject* hint;
  SS_BEGIN_CRITICAL_SECTION(self);
  hint = length_hint((SequenceIter*)self);
  SS_END_CRITICAL_SECTION();
  return hint;
}

static void iter_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Py_XDECREF(((SequenceIter*)self)->sequence);
  PyObject_GC_Del(self);
}

static int iter_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(((SequenceIter*)self)->sequence);
  return 0;
}

PyTypeObject SsSequenceIter_Type = SS_ITERATOR_TYPE("selfsame_ffi._core.SequenceIterator", SequenceIter);
