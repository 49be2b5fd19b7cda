// List, the mutable sequence. Elements are changed in place; only a larger allocation is the runtime's.
//
// Every change has three steps. First it converts the new values, which may run Python code that changes the list. Then
// it checks and changes the list without running other code. Last it releases the values that were taken out, which may
// run Python code.
#include "types/types.h"

#include "convert/builtin.h"
#include "wrapper/classes.h"
#include "convert/convert.h"
#include "types/sequence.h"
#include "wrapper/fetch.h"
#include "wrapper/tp_slots.h"
#include "convert/exchanged.h"
#include "convert/recursion.h"

static TVMFFISeqCell* list_cell(PyObject* self) {
  TVMFFISeqCell* cell = ss_seq_cell(self);
  if (cell == NULL || ss_wrapper(self)->handle->type_index == kTVMFFIList) return cell;
  return ss_wrong_native(self, "a List");
}

static void release_values(TVMFFIAny* values, Py_ssize_t count) {
  for (Py_ssize_t i = 0; i < count; i++) ss_let_go(&values[i]);
}

// The same with an error set, which remains set. Returns -1.
static int fail_with(TVMFFIAny* values, Py_ssize_t count) {
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  release_values(values, count);
  PyErr_Restore(type, error, traceback);
  return -1;
}

// Makes room for `more` elements at the end. When the capacity grows, it at least doubles. Runs no Python code. 0, or
// -1 with an error set.
static int make_room(PyObject* self, TVMFFISeqCell* cell, int64_t more) {
  if (SS_LIKELY(more <= cell->capacity - cell->size)) return 0;
  int64_t wanted = cell->size + more;
  if (cell->capacity < INT32_MAX && wanted < 2 * cell->capacity) wanted = 2 * cell->capacity;
  TVMFFIObject* list = ss_pin(ss_wrapper(self));
  TVMFFIAny result,
      args[2] = {{.type_index = kTVMFFIList, .v_obj = list}, {.type_index = kTVMFFIInt, .v_int64 = wanted}};
  int rc = ss_call_builtin(SS_BUILTIN_LIST_RESERVE, args, 2, &result);
  ss_unpin(ss_wrapper(self));
  return rc;
}

// The items of an iterable as owned values: an array of *count, to be freed with PyMem_Free. NULL with an error set.
static TVMFFIAny* owned_items(PyObject* iterable, Py_ssize_t* count) {
  PyObject* items = PySequence_Tuple(iterable);
  if (items == NULL) return NULL;
  *count = PyTuple_GET_SIZE(items);
  TVMFFIAny* values = PyMem_Malloc((size_t)(*count + 1) * sizeof(TVMFFIAny));
  if (values == NULL) PyErr_NoMemory();
  Py_ssize_t done = 0;
  while (values != NULL && done < *count && ss_to_owned(PyTuple_GET_ITEM(items, done), &values[done]) == 0) done++;
  if (values != NULL && done < *count) {
    ss_prefix_error("item %zd: ", done);
    fail_with(values, done);
    PyMem_Free(values);
    values = NULL;
  }
  if (values == NULL) *count = 0;
  Py_DECREF(items);
  return values;
}

static int check(PyObject* self) { return list_cell(self) == NULL ? -1 : 0; }
SS_DEFINE_GUARDED(int, -1, check, (PyObject * self), (self), 0);

// ---- one element ----
//
// The guarded functions exchange values with the list: after success, *value is the value that came out of the list (or
// nothing), and the list owns the one that went in. After a failure *value is as before and the caller's.

// The position of an index, which may count from the end. -1 with IndexError set.
static inline Py_ssize_t checked_index(PyObject* self, const TVMFFISeqCell* cell, Py_ssize_t asked) {
  Py_ssize_t i = asked < 0 ? asked + (Py_ssize_t)cell->size : asked;
  return SS_LIKELY(i >= 0 && i < cell->size) ? i : ss_seq_bad_index(self, asked);
}

static int swap_at(PyObject* self, Py_ssize_t asked, TVMFFIAny* value) {
  TVMFFISeqCell* cell = list_cell(self);
  Py_ssize_t i = cell == NULL ? -1 : checked_index(self, cell, asked);
  if (i < 0) return -1;
  TVMFFIAny* item = ss_seq_items(cell) + i;
  TVMFFIAny old = *item;
  *item = *value;
  *value = old;
  return 0;
}
SS_DEFINE_GUARDED(int, -1, swap_at, (PyObject * self, Py_ssize_t asked, TVMFFIAny* value), (self, asked, value), 1);

static int take_at(PyObject* self, Py_ssize_t asked, TVMFFIAny* value) {
  TVMFFISeqCell* cell = list_cell(self);
  Py_ssize_t i = cell == NULL ? -1 : checked_index(self, cell, asked);
  if (i < 0) return -1;
  TVMFFIAny* items = ss_seq_items(cell);
  *value = items[i];
  cell->size--;
  memmove(items + i, items + i + 1, (size_t)(cell->size - i) * sizeof(TVMFFIAny));
  return 0;
}
SS_DEFINE_GUARDED(int, -1, take_at, (PyObject * self, Py_ssize_t asked, TVMFFIAny* value), (self, asked, value), 1);

static int set_index(PyObject* self, PyObject* key, PyObject* value) {
  TVMFFIAny owned = {.type_index = kTVMFFINone};
  if (value != NULL && ss_to_owned(value, &owned) != 0) return -1;
  Py_ssize_t asked = PyNumber_AsSsize_t(key, PyExc_IndexError);
  if (asked == -1 && PyErr_Occurred()) return fail_with(&owned, 1);
  int rc = value == NULL ? SS_GUARDED(take_at)(self, asked, &owned) : SS_GUARDED(swap_at)(self, asked, &owned);
  if (SS_UNLIKELY(rc != 0)) return fail_with(&owned, 1);
  ss_let_go(&owned);
  return 0;
}

static int add_last(PyObject* self, const TVMFFIAny* value) {
  TVMFFISeqCell* cell = list_cell(self);
  if (cell == NULL || make_room(self, cell, 1) != 0) return -1;
  ss_seq_items(cell)[cell->size++] = *value;
  return 0;
}
SS_DEFINE_GUARDED(int, -1, add_last, (PyObject * self, const TVMFFIAny* value), (self, value), 1);

static PyObject* append(PyObject* self, PyObject* value) {
  TVMFFIAny owned;
  if (SS_GUARDED(check)(self) != 0 || ss_to_owned(value, &owned) != 0) return NULL;
  if (SS_GUARDED(add_last)(self, &owned) != 0) {
    fail_with(&owned, 1);
    return NULL;
  }
  Py_RETURN_NONE;
}

static int add_at(PyObject* self, Py_ssize_t i, const TVMFFIAny* value) {
  TVMFFISeqCell* cell = list_cell(self);
  if (cell == NULL || make_room(self, cell, 1) != 0) return -1;
  if (i < 0) i += (Py_ssize_t)cell->size;
  if (i < 0) i = 0;
  if (i > cell->size) i = (Py_ssize_t)cell->size;
  TVMFFIAny* items = ss_seq_items(cell);
  memmove(items + i + 1, items + i, (size_t)(cell->size - i) * sizeof(TVMFFIAny));
  items[i] = *value;
  cell->size++;
  return 0;
}
SS_DEFINE_GUARDED(int, -1, add_at, (PyObject * self, Py_ssize_t i, const TVMFFIAny* value), (self, i, value), 1);

static PyObject* insert(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  if (count != 2) return PyErr_Format(PyExc_TypeError, "List.insert: expected 2 arguments, got %zd", count);
  Py_ssize_t i = PyNumber_AsSsize_t(args[0], NULL);  // out of range: the nearest end
  if (i == -1 && PyErr_Occurred()) return NULL;
  TVMFFIAny owned;
  if (SS_GUARDED(check)(self) != 0 || ss_to_owned(args[1], &owned) != 0) return NULL;
  if (SS_GUARDED(add_at)(self, i, &owned) != 0) {
    fail_with(&owned, 1);
    return NULL;
  }
  Py_RETURN_NONE;
}

static int check_not_empty(PyObject* self) {
  TVMFFISeqCell* cell = list_cell(self);
  if (cell == NULL) return -1;
  if (cell->size != 0) return 0;
  PyErr_SetString(PyExc_IndexError, "List.pop: the list is empty");
  return -1;
}
SS_DEFINE_GUARDED(int, -1, check_not_empty, (PyObject * self), (self), 1);

static int pop_at(PyObject* self, Py_ssize_t asked, TVMFFIAny* value) {
  return check_not_empty(self) != 0 ? -1 : take_at(self, asked, value);
}
SS_DEFINE_GUARDED(int, -1, pop_at, (PyObject * self, Py_ssize_t asked, TVMFFIAny* value), (self, asked, value), 1);

static PyObject* pop(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  if (count > 1) return PyErr_Format(PyExc_TypeError, "List.pop: expected at most 1 argument, got %zd", count);
  Py_ssize_t asked = -1;
  if (count == 1) {
    if (SS_GUARDED(check_not_empty)(self) != 0) return NULL;
    asked = PyNumber_AsSsize_t(args[0], PyExc_IndexError);
    if (asked == -1 && PyErr_Occurred()) return NULL;
  }
  TVMFFIAny taken;
  return SS_GUARDED(pop_at)(self, asked, &taken) == 0 ? ss_element_take(self, &taken) : NULL;
}

// Takes out the first element from the index *at on that equals a value, without Python code. As ss_seq_scan.
static SsComparison take_equal(PyObject* self, Py_ssize_t* at, const TVMFFIAny* view, TVMFFIAny* item) {
  if (list_cell(self) == NULL) return SS_ITEM_FAILED;
  SsComparison result = ss_seq_scan(self, at, PY_SSIZE_T_MAX, view, item);
  return result == SS_ITEM_EQUAL && take_at(self, *at, item) != 0 ? SS_ITEM_FAILED : result;
}
SS_DEFINE_GUARDED(SsComparison, SS_ITEM_FAILED, take_equal,
                  (PyObject * self, Py_ssize_t* at, const TVMFFIAny* view, TVMFFIAny* item), (self, at, view, item), 1);

// Takes out the element at an index if it is the very value of *item. 1: it was; 0: the list has changed; -1 with an error set.
static int take_this(PyObject* self, Py_ssize_t i, const TVMFFIAny* item) {
  TVMFFISeqCell* cell = list_cell(self);
  if (cell == NULL) return -1;
  const TVMFFIAny* now = ss_seq_items(cell) + i;
  if (i >= cell->size || now->type_index != item->type_index || now->v_uint64 != item->v_uint64) return 0;
  TVMFFIAny taken;
  if (take_at(self, i, &taken) != 0) return -1;
  ss_any_clear(&taken);  // not the last reference: the caller owns one
  return 1;
}
SS_DEFINE_GUARDED(int, -1, take_this, (PyObject * self, Py_ssize_t i, const TVMFFIAny* item), (self, i, item), 1);

// 1: removed; 0: no element equals the value; -1 with an error set.
static int remove_equal(PyObject* self, const TVMFFIAny* view, PyObject* wanted) {
  for (Py_ssize_t i = 0;; i++) {
    TVMFFIAny item;
    SsComparison result = SS_GUARDED(take_equal)(self, &i, view, &item);
    if (result == SS_ITEM_MISSING) return 0;
    if (result == SS_ITEM_FAILED) return -1;
    int removed = 1;
    if (result == SS_ITEM_UNDECIDED) {
      result = ss_seq_decide(&item, wanted);
      removed = result == SS_ITEM_FAILED ? -1 : result == SS_ITEM_EQUAL ? SS_GUARDED(take_this)(self, i, &item) : 0;
      if (result == SS_ITEM_EQUAL && removed == 0) i = -1;  // the list has changed: from the beginning
    }
    ss_seq_drop(&item);
    if (removed != 0) return removed;
  }
}

static PyObject* remove_value(PyObject* self, PyObject* wanted) {
  SsTemp item;
  SsTemps temps = {.items = &item};
  TVMFFIAny view;
  int rc = SS_GUARDED(check)(self) != 0 ? -1 : ss_seq_wanted(self, wanted, &view, &temps);
  if (rc > 0) {
    rc = remove_equal(self, &view, wanted);
    ss_views_done(&temps, &wanted, 1);
  }
  if (rc > 0) Py_RETURN_NONE;
  if (rc == 0)
    PyErr_Format(PyExc_ValueError, "%.100s.remove: %R is not in the sequence", Py_TYPE(self)->tp_name, wanted);
  return NULL;
}

// ---- slices ----
//
// As above: the guarded functions exchange values with the list, and Python code runs only before or after them.

typedef struct {
  TVMFFIAny* values;         // the values to put in; NULL deletes
  Py_ssize_t count;          // of the values that the list does not own yet
  TVMFFIAny* removed;        // the values that came out
  Py_ssize_t removed_count;  // of removed
  TVMFFIAny few[8];          // the memory of `removed` when they are few
} Change;

// Releases the values that the list does not own and those that came out. Returns rc; the error of a failure remains
// set.
static int finish_change(Change* change, int rc) {
  PyObject *type = NULL, *error = NULL, *traceback = NULL;
  if (rc != 0) PyErr_Fetch(&type, &error, &traceback);
  if (change->values != NULL) release_values(change->values, change->count);
  if (change->removed != NULL) release_values(change->removed, change->removed_count);
  if (change->removed != change->few) PyMem_Free(change->removed);
  if (rc != 0) PyErr_Restore(type, error, traceback);
  return rc;
}

// Makes room for `count` values that come out. 0, or -1 with an error set.
static int reserve_removed(Change* change, Py_ssize_t count) {
  change->removed = count <= 8 ? change->few : PyMem_Malloc((size_t)count * sizeof(TVMFFIAny));
  if (change->removed != NULL) return 0;
  PyErr_NoMemory();
  return -1;
}

// Replaces the elements from start to stop, both within the list, by the values.
static int splice(PyObject* self, TVMFFISeqCell* cell, Py_ssize_t start, Py_ssize_t stop, Change* change) {
  Py_ssize_t removed = stop - start, count = change->count;
  if (reserve_removed(change, removed) != 0) return -1;
  if (count > removed && make_room(self, cell, count - removed) != 0) return -1;
  TVMFFIAny* items = ss_seq_items(cell);  // after make_room, which may move them
  if (removed > 0) memcpy(change->removed, items + start, (size_t)removed * sizeof(TVMFFIAny));
  if (cell->size > stop) memmove(items + start + count, items + stop, (size_t)(cell->size - stop) * sizeof(TVMFFIAny));
  if (count > 0) memcpy(items + start, change->values, (size_t)count * sizeof(TVMFFIAny));
  cell->size += count - removed;
  change->removed_count = removed;
  change->count = 0;
  return 0;
}

// Exchanges every `step`th element with a value: afterwards change->values are the elements that came out.
static void swap_every_nth(TVMFFISeqCell* cell, Py_ssize_t start, Py_ssize_t step, Change* change) {
  TVMFFIAny* items = ss_seq_items(cell);
  for (Py_ssize_t i = 0; i < change->count; i++) {
    TVMFFIAny old = items[start + i * step];
    items[start + i * step] = change->values[i];
    change->values[i] = old;
  }
}

// Takes out the elements of an extended slice and closes the gaps. 0, or -1 with an error set.
static int delete_every_nth(TVMFFISeqCell* cell, Py_ssize_t start, Py_ssize_t step, Py_ssize_t count, Change* change) {
  if (step < 0) {
    start += step * (count - 1);
    step = -step;
  }
  if (reserve_removed(change, count) != 0) return -1;
  TVMFFIAny* items = ss_seq_items(cell);
  Py_ssize_t taken = 0, kept = start;
  for (Py_ssize_t i = start; i < cell->size; i++) {
    if (taken < count && i == start + taken * step) {
      change->removed[taken++] = items[i];
    } else {
      items[kept++] = items[i];
    }
  }
  cell->size = kept;
  change->removed_count = taken;
  return 0;
}

// Assigns to a slice, or deletes it when change->values is NULL. 0, or -1 with an error set.
static int change_slice(PyObject* self, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t step, Change* change) {
  TVMFFISeqCell* cell = list_cell(self);
  if (cell == NULL) return -1;
  Py_ssize_t selected = PySlice_AdjustIndices((Py_ssize_t)cell->size, &start, &stop, step);
  if (step == 1) return splice(self, cell, start, stop < start ? start : stop, change);
  if (change->values == NULL) return selected == 0 ? 0 : delete_every_nth(cell, start, step, selected, change);
  if (selected != change->count) {
    PyErr_Format(PyExc_ValueError, "%.100s: cannot assign %zd values to an extended slice of size %zd",
                 Py_TYPE(self)->tp_name, change->count, selected);
    return -1;
  }
  swap_every_nth(cell, start, step, change);
  return 0;
}
SS_DEFINE_GUARDED(int, -1, change_slice,
                  (PyObject * self, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t step, Change* change),
                  (self, start, stop, step, change), 1);

static int set_slice(PyObject* self, PyObject* slice, PyObject* value) {
  Py_ssize_t start, stop, step;
  Change change = {.removed = NULL};
  if (value != NULL && (change.values = owned_items(value, &change.count)) == NULL) return -1;
  TVMFFIAny* values = change.values;
  int rc = PySlice_Unpack(slice, &start, &stop, &step);
  if (rc == 0) rc = SS_GUARDED(change_slice)(self, start, stop, step, &change);
  rc = finish_change(&change, rc);
  PyMem_Free(values);
  return rc;
}

static int assign_subscript(PyObject* self, PyObject* key, PyObject* value) {
  if (SS_GUARDED(check)(self) != 0) return -1;
  if (SS_LIKELY(PyIndex_Check(key))) return set_index(self, key, value);
  if (PySlice_Check(key)) return set_slice(self, key, value);
  PyErr_Format(PyExc_TypeError, "%.100s: expected an int or a slice as index, got %.100s", Py_TYPE(self)->tp_name,
               Py_TYPE(key)->tp_name);
  return -1;
}

static PyObject* extend(PyObject* self, PyObject* iterable) {
  Change change = {.removed = NULL};
  if (SS_GUARDED(check)(self) != 0) return NULL;
  TVMFFIAny* values = change.values = owned_items(iterable, &change.count);
  if (values == NULL) return NULL;
  int rc = SS_GUARDED(change_slice)(self, PY_SSIZE_T_MAX, PY_SSIZE_T_MAX, 1, &change);
  rc = finish_change(&change, rc);
  PyMem_Free(values);
  if (rc != 0) return NULL;
  Py_RETURN_NONE;
}

static PyObject* clear(PyObject* self, PyObject* unused) {
  (void)unused;
  Change change = {.removed = NULL};
  int rc = SS_GUARDED(change_slice)(self, 0, PY_SSIZE_T_MAX, 1, &change);
  if (finish_change(&change, rc) != 0) return NULL;
  Py_RETURN_NONE;
}

static PyObject* reverse(PyObject* self, PyObject* unused) {
  (void)unused;
  TVMFFISeqCell* cell = list_cell(self);
  if (cell == NULL) return NULL;
  TVMFFIAny* items = ss_seq_items(cell);
  for (int64_t i = 0, j = cell->size - 1; i < j; i++, j--) {
    TVMFFIAny item = items[i];
    items[i] = items[j];
    items[j] = item;
  }
  Py_RETURN_NONE;
}
SS_DEFINE_GUARDED(PyObject*, NULL, reverse, (PyObject * self, PyObject* unused), (self, unused), 1);

// ---- making ----

static TVMFFIObject* list_from_items(PyObject* items) {
  TVMFFIAny result;
  if (ss_call_builtin(SS_BUILTIN_LIST, NULL, 0, &result) != 0) return NULL;
  TVMFFIObject* list = result.v_obj;
  Change change = {.removed = NULL};
  // No other code has the new list, so a wrapper on the stack is enough to fill it.
  SsWrapper holder = {.handle = list};
  if (ss_enter_recursion(" while converting a nested list to a List") == 0) {
    change.values = owned_items(items, &change.count);
    ss_leave_recursion();
  }
  TVMFFIAny* values = change.values;
  int rc = values == NULL ? -1 : splice((PyObject*)&holder, SS_CELL(TVMFFISeqCell, list), 0, 0, &change);
  if (finish_change(&change, rc) != 0) {
    ss_decref(list);
    list = NULL;
  }
  PyMem_Free(values);
  return list;
}

static PyObject* list_concat(PyObject* self, PyObject* other) {
  PyObject* sum = ss_seq_joined(self, other);
  TVMFFIObject* list = sum == NULL ? NULL : list_from_items(sum);
  Py_XDECREF(sum);
  return list == NULL ? NULL : ss_fetch(list);
}

static int list_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* items;
  if (ss_seq_init_items(self, args, kwargs, "|O:List", 0, &items) != 0) return -1;
  TVMFFIObject* list = list_from_items(items);
  Py_DECREF(items);
  if (list == NULL) ss_prefix_error("%.100s: ", Py_TYPE(self)->tp_name);
  return list == NULL ? -1 : ss_construct(ss_wrapper(self), list);
}

static PyMethodDef methods[] = {
    {"append", append, METH_O, "append($self, value, /)\n--\n\nAdd a value at the end."},
    {"insert", (PyCFunction)(void (*)(void))insert, METH_FASTCALL,
     "insert($self, index, value, /)\n--\n\nInsert a value before an index."},
    {"pop", (PyCFunction)(void (*)(void))pop, METH_FASTCALL,
     "pop($self, index=-1, /)\n--\n\nRemove and return the value at an index."},
    {"remove", remove_value, METH_O,
     "remove($self, value, /)\n--\n\nRemove the first element that equals a value. Raises ValueError without one."},
    {"_find", ss_seq_find, METH_VARARGS,
     "_find($self, value, start, stop, /)\n--\n\nThe index of the first element that equals a value, or -1."},
    {"count", ss_seq_count, METH_O, "count($self, value, /)\n--\n\nThe number of elements that equal a value."},
    {"extend", extend, METH_O, "extend($self, values, /)\n--\n\nAdd all values of an iterable at the end."},
    {"clear", clear, METH_NOARGS, "clear($self, /)\n--\n\nRemove all values."},
    {"reverse", SS_GUARDED(reverse), METH_NOARGS, "reverse($self, /)\n--\n\nTurn the order around, in place."},
    {NULL, NULL, 0, NULL}};

static PyMappingMethods as_mapping = {
    .mp_length = SS_GUARDED(ss_seq_length), .mp_subscript = ss_seq_subscript, .mp_ass_subscript = assign_subscript};
static PySequenceMethods as_sequence = {.sq_length = SS_GUARDED(ss_seq_length),
                                        .sq_item = SS_GUARDED(ss_seq_item),
                                        .sq_contains = ss_seq_contains,
                                        .sq_concat = list_concat};

PyTypeObject SsList_Type = {
    SS_WRAPPER_TYPE("selfsame_ffi._core.ListBase", "The native half of selfsame_ffi.List.", &SsObject_Type, SsWrapper,
                    Py_TPFLAGS_BASETYPE),
    .tp_init = list_init,
    .tp_iter = ss_seq_iter,
    .tp_methods = methods,
    .tp_as_mapping = &as_mapping,
    .tp_as_sequence = &as_sequence,
};
