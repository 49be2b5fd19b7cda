// Counting wrappers, tie records and live objects.
#include "module.h"

#include "wrapper/classes.h"
#include "tie/deferred.h"
#include "wrapper/fetch.h"
#include "tie/word_lock.h"

static PyObject* ss_debug_tie(PyObject* module, PyObject* object) {
  (void)module;
  if (!ss_is_wrapper(object)) {
    return PyErr_Format(PyExc_TypeError, "tie: expected a selfsame object, got %.100s", Py_TYPE(object)->tp_name);
  }
  SsWrapper* wrapper = ss_wrapper(object);
  TVMFFIObject* native = ss_pin_as_is(wrapper);
  uint64_t counts = native == NULL ? 0 : __atomic_load_n(&native->combined_ref_count, __ATOMIC_RELAXED);
  uint32_t shares = ss_shares(wrapper);
  const SelfsameTieRecord* record = native == NULL ? NULL : SelfsameTieFind(ss_table, native);
  unsigned long number = record == NULL ? 0 : native->__padding;
  unsigned long long go = record == NULL ? 0 : __atomic_load_n(&record->go, __ATOMIC_RELAXED);
  if (native != NULL) ss_unpin_as_is(wrapper);
  return Py_BuildValue("{s:s,s:O,s:k,s:K,s:k,s:k,s:k,s:K}", "state", ss_state_name(wrapper), "stateful",
                       wrapper->flags & SS_STATEFUL ? Py_True : Py_False, "record", number, "go_handle", go, "strong",
                       (unsigned long)((uint32_t)counts - shares), "shares", (unsigned long)shares, "weak",
                       (unsigned long)(counts >> 32), "address", (unsigned long long)(uintptr_t)native);
}

// Adds one wrapper or kept block of class `type` to its row: [active, held, kept blocks, kept bytes].
static int add_to_row(PyObject* rows, PyTypeObject* type, int column, Py_ssize_t bytes) {
  PyObject* row = PyDict_GetItemWithError(rows, (PyObject*)type);
  if (row == NULL) {
    if (PyErr_Occurred()) return -1;
    row = Py_BuildValue("[iiii]", 0, 0, 0, 0);
    int failed = row == NULL || PyDict_SetItem(rows, (PyObject*)type, row) != 0;
    Py_XDECREF(row);  // the dict owns it
    if (failed) return -1;
  }
  PyObject* number = PyLong_FromLongLong(PyLong_AsLongLong(PyList_GET_ITEM(row, column)) + 1);
  if (number == NULL || PyList_SetItem(row, column, number) != 0) return -1;
  if (bytes == 0) return 0;
  number = PyLong_FromLongLong(PyLong_AsLongLong(PyList_GET_ITEM(row, 3)) + bytes);
  return number == NULL ? -1 : PyList_SetItem(row, 3, number);
}

// Reads the word of a tie record: returns the type of its block (new reference), and whether it is a kept block or a
// held wrapper; NULL without a block. Does not read the native object, which may die on another thread when it has no
// live wrapper. The block is not freed during the call: with the GIL because only attached threads free blocks, without
// it because the word is locked.
static PyTypeObject* look_at_word(SelfsameTieRecord* record, int* kept, int* held) {
  uintptr_t word = __atomic_load_n(&record->wrapper, __ATOMIC_ACQUIRE);
#if SS_FREE_THREADED
  if (!ss_word_try_look(record, &word)) return NULL;
#endif
  PyObject* block = (PyObject*)(word & ~SELFSAME_TIE_TAGS);
  PyTypeObject* type = block == NULL ? NULL : Py_TYPE(block);
  if (type != NULL) {
    Py_INCREF(type);  // adding a row may run the collector
    *kept = (word & SELFSAME_TIE_INACTIVE) != 0;
    *held = !*kept && (ss_flags(ss_wrapper(block)) & SS_HELD) != 0;
  }
#if SS_FREE_THREADED
  ss_word_looked(record, word);
#endif
  return type;
}

// Calls visit for each live wrapper and kept block, with its type and its size in bytes, the collector's header
// included. Ends with the first result that is not 0, and returns it.
typedef int (*Visit)(PyTypeObject* type, Py_ssize_t bytes, int kept, int held, void* arg);
static int each_block(Visit visit, void* arg) {
  uint32_t end = ss_table->record_end();
  for (uint32_t n = 1; n < end; n++) {
    SelfsameTieRecord* record = SelfsameTieRecordAt(ss_table, n);
    if (record == NULL) continue;
    int kept = 0, held = 0;
    if (SS_FREE_THREADED) ss_table->postpone_deaths(1);  // so that the kept block is not freed during the look
    PyTypeObject* type = look_at_word(record, &kept, &held);
    if (SS_FREE_THREADED && ss_table->postpone_deaths(0)) ss_table->run_postponed();
    if (type == NULL) continue;
    int rc = visit(type, type->tp_basicsize + 2 * (Py_ssize_t)sizeof(void*), kept, held, arg);
    Py_DECREF(type);
    if (rc != 0) return rc;
  }
  return 0;
}

static int add_bytes(PyTypeObject* type, Py_ssize_t bytes, int kept, int held, void* arg) {
  (void)type;
  (void)held;
  if (kept) *(long long*)arg += bytes;
  return 0;
}

static PyObject* ss_debug_counters(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  ss_run_deferred();
  long long kept_bytes = 0;
  each_block(add_bytes, &kept_bytes);
  return Py_BuildValue("{s:L,s:L,s:L,s:L,s:L,s:L,s:L}", "wrappers", (long long)ss_counted(SS_COUNT_LIVE), "held",
                       (long long)ss_counted(SS_COUNT_HELD), "kept_blocks", (long long)ss_counted_kept(), "kept_bytes",
                       kept_bytes, "records", (long long)ss_table->live_records(), "releases_queued",
                       (long long)ss_deferred_total(), "releases_waiting", (long long)ss_deferred_waiting());
}

static int add_to_rows(PyTypeObject* type, Py_ssize_t bytes, int kept, int held, void* rows) {
  return kept ? add_to_row(rows, type, 2, bytes) : add_to_row(rows, type, held, 0);
}

static PyObject* ss_debug_wrapper_rows(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  ss_run_deferred();
  PyObject* rows = PyDict_New();
  if (rows != NULL && each_block(add_to_rows, rows) != 0) Py_CLEAR(rows);
  return rows;
}

static PyObject* ss_debug_class_index(PyObject* module, PyObject* cls) {
  (void)module;
  int32_t index = PyType_Check(cls) ? ss_class_index((PyTypeObject*)cls) : -1;
  if (index < 0) Py_RETURN_NONE;
  return PyLong_FromLong(index);
}

static PyObject* ss_debug_type_size(PyObject* module, PyObject* key) {
  (void)module;
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(key, &size);
  if (text == NULL) return NULL;
  TVMFFIByteArray name = {text, (size_t)size};
  int32_t index = 0;
  const TVMFFITypeInfo* info = NULL;
  if (ss_api.TVMFFITypeKeyToIndex(&name, &index) == 0) info = ss_api.SelfsameFindTypeInfo(index);
  if (info == NULL || info->metadata == NULL || info->metadata->total_size <= 0) Py_RETURN_NONE;
  return PyLong_FromLong(info->metadata->total_size);
}

static PyObject* ss_debug_live_objects(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  PyObject* result = PyDict_New();
  int32_t end = ss_api.SelfsameTypeIndexEnd();
  for (int32_t i = kTVMFFIStaticObjectBegin; result != NULL && i < end; i++) {
    int64_t live = ss_api.SelfsameLiveObjects(i);
    const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(i);
    if (live == 0 || info == NULL) continue;
    PyObject* key = ss_text(&info->type_key);
    PyObject* number = PyLong_FromLongLong(live);
    if (key == NULL || number == NULL || PyDict_SetItem(result, key, number) != 0) Py_CLEAR(result);
    Py_XDECREF(key);
    Py_XDECREF(number);
  }
  return result;
}

static PyObject* ss_debug_go_handles(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  long long count = 0;
  uint32_t end = ss_table->record_end();
  for (uint32_t n = 1; n < end; n++) {
    const SelfsameTieRecord* record = SelfsameTieRecordAt(ss_table, n);
    if (record == NULL) continue;
    // A free record has the number of the next one in `go`.
    count += __atomic_load_n(&record->object, __ATOMIC_ACQUIRE) != NULL &&
             __atomic_load_n(&record->go, __ATOMIC_RELAXED) != 0;
  }
  return PyLong_FromLongLong(count);
}

PyMethodDef ss_debug_functions[] = {
    {"tie", ss_debug_tie, METH_O, "State and counts of a wrapper, as a dict."},
    {"counters", ss_debug_counters, METH_NOARGS,
     "Numbers of wrappers, tie records, kept blocks and deferred releases, as a dict. Runs the deferred releases first."},
    {"wrapper_rows", ss_debug_wrapper_rows, METH_NOARGS,
     "A dict from classes to [live wrappers that are not held, held ones, kept blocks, bytes of kept blocks]. Runs the deferred "
     "releases first."},
    {"class_index", ss_debug_class_index, METH_O, "The type index of a class or its nearest registered base, or None."},
    {"type_size", ss_debug_type_size, METH_O,
     "The size in bytes that a type was registered with, header included; None when there is no such type or size."},
    {"go_handles", ss_debug_go_handles, METH_NOARGS,
     "go_handles()\n--\n\nHow many tie records have a Go handle; native objects on a free list of Go are included."},
    {"live_objects", ss_debug_live_objects, METH_NOARGS, "Live native objects of the builtin allocator by type key."},
    {NULL, NULL, 0, NULL}};
