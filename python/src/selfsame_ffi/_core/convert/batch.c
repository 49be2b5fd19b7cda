// Many calls of a Go function in one; see convert.h.
#include "convert/convert.h"

#include "convert/call_values.h"
#include "convert/function.h"
#include "convert/lent_values.h"
#include "tie/deferred.h"

enum { MAX_COLUMNS = 32 };  // as many as a mask of lent arguments has bits

// What the column of an argument is made of.
typedef struct {
  SsLent* numbers;      // lent numbers; or NULL: `items` and `values`
  PyObject* items;      // a tuple, owned: another thread may change the list while the function runs
  Py_ssize_t done;      // how many of the items were converted
  SsCallValues values;  // of the items
} ColumnSource;

typedef struct {
  SelfsameBatch batch;                      // what Go gets: it leads to the columns
  SelfsameColumn columns[MAX_COLUMNS + 1];  // of the arguments, then of the results
  ColumnSource sources[MAX_COLUMNS];        // what fills the columns of the arguments, and what of it is owned
  int64_t first;                            // the number of the first item in messages
  Py_buffer out;                            // the caller's memory for the results, if out.obj is not NULL
} BatchCall;

// Puts the number of an item into the error that is set: its attribute `item`, and a note where errors have notes.
static void note_item(int64_t item) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  PyObject* number = PyLong_FromLongLong(item);
  if (number == NULL || PyObject_SetAttrString(value, "item", number) != 0) PyErr_Clear();
  Py_XDECREF(number);
#if PY_VERSION_HEX >= 0x030B0000
  PyObject* text = PyUnicode_FromFormat("in the call for item %lld", (long long)item);
  PyObject* noted = text == NULL ? NULL : PyObject_CallMethod(value, "add_note", "O", text);
  if (noted == NULL) PyErr_Clear();
  Py_XDECREF(text);
  Py_XDECREF(noted);
#endif
  PyErr_Restore(type, value, traceback);
}

static int too_short(Py_ssize_t at, Py_ssize_t got, Py_ssize_t wanted) {
  PyErr_Format(PyExc_RuntimeError, "map: argument %zd: expected %zd items, got %zd; was it changed during the call?",
               at + 1, wanted, got);
  return -1;
}

// Makes a column of the items of a list or tuple: values that are converted as arguments are. 0, or -1 with an error set.
static int make_values(PyObject* value, Py_ssize_t at, SsLentMask lent, BatchCall* call) {
  ColumnSource* source = &call->sources[at];
  Py_ssize_t count = (Py_ssize_t)call->batch.count;
  source->items = PySequence_Tuple(value);
  if (source->items == NULL) return -1;
  if (PyTuple_GET_SIZE(source->items) < count) return too_short(at, PyTuple_GET_SIZE(source->items), count);
  if ((size_t)count > SIZE_MAX / 2 / (sizeof(TVMFFIAny) + sizeof(SsTemp)) || count > INT32_MAX) {
    PyErr_Format(PyExc_OverflowError, "map: expected at most %d items, got %zd", INT32_MAX, count);
    return -1;
  }
  TVMFFIAny* views = PyMem_Malloc((size_t)count * (sizeof(TVMFFIAny) + sizeof(SsTemp)) + 1);
  if (views == NULL) return ss_no_memory();
  source->values.views = views;
  source->values.temps.items = (SsTemp*)(views + count);
  PyObject** items = PySequence_Fast_ITEMS(source->items);
  for (Py_ssize_t i = 0; i < count; i++, source->done++) {
    if (SS_LIKELY(ss_make_view(items[i], lent, 0, &views[i], &source->values) == 0)) continue;
    ss_prefix_error("map: argument %zd: ", at + 1);
    note_item(call->first + i);
    return -1;
  }
  call->columns[at] = (SelfsameColumn){views, sizeof(TVMFFIAny), {0, 0, 0}};
  return 0;
}

// Makes the column of an argument. 0, or -1 with an error set.
static int make_column(PyObject* value, Py_ssize_t at, SsLentMask lent, BatchCall* call) {
  TVMFFIAny view;
  SsLent* numbers = ss_lend_numbers(value, 0, &view);
  if (numbers == NULL) return make_values(value, at, lent, call);
  const DLTensor* tensor = view.v_ptr;
  if (tensor->ndim != 1) {  // the items are its rows
    ss_lent_release(numbers);
    return make_values(value, at, lent, call);
  }
  call->sources[at].numbers = numbers;
  if (tensor->shape[0] < call->batch.count) return too_short(at, (Py_ssize_t)tensor->shape[0], call->batch.count);
  call->columns[at] = (SelfsameColumn){tensor->data, tensor->strides[0] * (tensor->dtype.bits / 8), tensor->dtype};
  return 0;
}

// Makes the column of the results: in the buffer `out`, or in new memory. 0, or -1 with an error set.
static int make_result_column(PyObject* out, DLDataType dtype, BatchCall* call) {
  SelfsameColumn* column = &call->columns[call->batch.num_args];
  size_t size = dtype.bits == 0 ? sizeof(TVMFFIAny) : dtype.bits / 8;
  *column = (SelfsameColumn){NULL, (int64_t)size, dtype};
  if (out == Py_None) {
    column->data = PyMem_Calloc((size_t)call->batch.count + 1, size);
    if (column->data != NULL) return 0;
    PyErr_NoMemory();
    return -1;
  }
  if (PyObject_GetBuffer(out, &call->out, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) != 0) return -1;
  column->data = call->out.buf;
  if (dtype.bits != 0 && call->out.itemsize == (Py_ssize_t)size &&
      call->out.len >= (Py_ssize_t)size * (Py_ssize_t)call->batch.count && (uintptr_t)call->out.buf % size == 0) {
    return 0;
  }
  PyErr_SetString(PyExc_ValueError, "map: the memory for the results has another size, or the results are no numbers");
  return -1;
}

static void batch_done(BatchCall* call) {
  for (int32_t i = 0; i < call->batch.num_args; i++) {
    ColumnSource* source = &call->sources[i];
    if (source->numbers != NULL) ss_lent_release(source->numbers);
    if (source->values.views != NULL) {
      ss_call_values_done(&source->values, PySequence_Fast_ITEMS(source->items), source->done);
      PyMem_Free(source->values.views);
    }
    Py_XDECREF(source->items);
  }
  if (call->out.obj != NULL) {
    PyBuffer_Release(&call->out);
  } else {
    PyMem_Free(call->columns[call->batch.num_args].data);
  }
}

// Releases the results before the item that failed.
static void drop_results(BatchCall* call) {
  const SelfsameColumn* column = &call->columns[call->batch.num_args];
  TVMFFIAny* values = column->dtype.bits == 0 ? column->data : NULL;
  for (int64_t i = 0; values != NULL && i < call->batch.failed; i++) ss_any_clear(&values[i]);
}

int ss_invoke_batch(SsWrapper* function, SelfsameBatch* batch) {
  TVMFFIObject* handle = ss_pin_function(function);
  if (handle == NULL) return -1;
  TVMFFIAny result, view = {.type_index = SELFSAME_BATCH, .v_ptr = batch};
  int rc = ss_invoke(handle, ss_batch_releases_gil(function), &view, 1, &result);
  ss_unpin(function);
  if (rc == 0) ss_any_clear(&result);
  return rc;
}

// Makes the columns and calls. *list is what ss_call_batch returns, or NULL when the results are in `out`. 0, or -1 with
// an error set.
static int run(SsWrapper* function, PyObject* columns, DLDataType dtype, PyObject* out, int partial, BatchCall* call,
               PyObject** list) {
  SsLentMask lent = ((SsFunction*)function)->lent;
  for (Py_ssize_t i = 0; i < call->batch.num_args; i++, lent = ss_lent_rest(lent)) {
    if (make_column(PyTuple_GET_ITEM(columns, i), i, lent, call) != 0) return -1;
  }
  if (make_result_column(out, dtype, call) != 0) return -1;
  int rc = ss_invoke_batch(function, &call->batch);
  if (rc != 0 && call->batch.failed >= 0) note_item(call->first + call->batch.failed);
  if (rc != 0 && (!partial || call->batch.failed < 0)) {
    drop_results(call);
    return -1;
  }
  if (out != Py_None) return rc;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  Py_ssize_t made = (Py_ssize_t)(rc == 0 ? call->batch.count : call->batch.failed);
  *list = ss_batch_list(&call->columns[call->batch.num_args], made);
  if (value != NULL && *list != NULL) Py_SETREF(*list, PyTuple_Pack(2, *list, value));
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  return *list == NULL ? -1 : 0;
}

PyObject* ss_call_batch(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *function, *columns, *out;
  Py_ssize_t count;
  const char* dtype;
  int parallel, partial = 0;
  long long first = 0;
  if (!PyArg_ParseTuple(args, "O!O!nsOp|pL:call_batch", &SsFunction_Type, &function, &PyTuple_Type, &columns, &count,
                        &dtype, &out, &parallel, &partial, &first)) {
    return NULL;
  }
  Py_ssize_t num_args = PyTuple_GET_SIZE(columns);
  if (num_args > MAX_COLUMNS || count < 0) {
    return PyErr_Format(PyExc_TypeError, "map: expected at most %d arguments, got %zd", MAX_COLUMNS, num_args);
  }
  ss_run_deferred();
  BatchCall* call = PyMem_Calloc(1, sizeof(*call));
  if (call == NULL) return PyErr_NoMemory();
  call->first = first;
  call->batch = (SelfsameBatch){count, call->columns, (int32_t)num_args, parallel, -1};
  PyObject* list = NULL;
  int rc = run(ss_wrapper(function), columns, ss_number_type(dtype), out, partial, call, &list);
  batch_done(call);
  PyMem_Free(call);
  if (rc != 0) return NULL;
  if (list != NULL) return list;
  Py_RETURN_NONE;
}

PyObject* ss_batch_kind(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *function, *kind = Py_None;
  if (!PyArg_ParseTuple(args, "O!|O:batch_kind", &SsFunction_Type, &function, &kind)) return NULL;
  uint32_t* place = &((SsFunction*)function)->batch_kind;
  if (kind == Py_None) return PyLong_FromUnsignedLong(__atomic_load_n(place, __ATOMIC_RELAXED));
  unsigned long number = PyLong_AsUnsignedLong(kind);
  if (PyErr_Occurred()) return NULL;
  if (number > UINT32_MAX) {
    return PyErr_Format(PyExc_OverflowError, "batch_kind: argument 'kind': expected at most %u, got %lu", UINT32_MAX,
                        number);
  }
  __atomic_store_n(place, (uint32_t)number, __ATOMIC_RELAXED);
  Py_RETURN_NONE;
}
