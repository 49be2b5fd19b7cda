// Reading native objects and their references for selfsame_ffi.debug: a walk that may be slow, but changes nothing.
//
// The walk owns one strong reference to each native object that it has met, so none is freed during it. Memory is read
// as a read of the field from Python reads it: with the GIL, or in the critical section of the wrapper. A value is
// copied and its reference taken before anything is allocated, because an allocation may run the collector.
#include "module.h"

#include <stdlib.h>

#include "convert/errors.h"
#include "convert/to_python.h"
#include "convert/convert.h"
#include "gc/references.h"
#include "selfsame/internal/error_links.h"
#include "tie/deferred.h"
#include "wrapper/classes.h"
#include "wrapper/fetch.h"

// ---- the walk ----

typedef struct {
  TVMFFIObject** natives;   // each owned
  PyObject** wrappers;      // of each, owned; NULL for none
  Py_ssize_t count, limit;  // of natives: how many there are, and how many there may be
  PyObject* numbers;        // from addresses to numbers
  PyObject* nodes;          // the list to return
} Walk;

static void end_walk(Walk* walk) {
  for (Py_ssize_t i = 0; i < walk->count; i++) {
    Py_XDECREF(walk->wrappers[i]);
    ss_decref(walk->natives[i]);
  }
  free(walk->natives);
  free(walk->wrappers);
  Py_XDECREF(walk->numbers);
}

// The number of a native object in the walk, which it joins when there is room; -1 when there is none, -2 with an error
// set. Borrows `native`.
static Py_ssize_t number_of(Walk* walk, TVMFFIObject* native) {
  PyObject* address = PyLong_FromVoidPtr(native);
  if (address == NULL) return -2;
  Py_ssize_t number = -1;
  PyObject* known = PyDict_GetItemWithError(walk->numbers, address);
  if (known != NULL) {
    number = PyLong_AsSsize_t(known);
  } else if (PyErr_Occurred()) {
    number = -2;
  } else if (walk->count < walk->limit) {
    PyObject* fresh = PyLong_FromSsize_t(walk->count);
    number = fresh == NULL || PyDict_SetItem(walk->numbers, address, fresh) != 0 ? -2 : walk->count;
    Py_XDECREF(fresh);
    if (number >= 0) {
      ss_incref(native);
      walk->natives[walk->count] = native;
      walk->wrappers[walk->count++] = NULL;
    }
  }
  Py_DECREF(address);
  return number;
}

// ---- one native object ----

typedef struct {
  Walk* walk;            // the walk that reads the object
  PyObject* fields;      // list of (label, value)
  PyObject* references;  // list of (kind, label, number in the walk)
  long long bytes;       // the object's memory, and that of its elements
} Reading;

// Whether a value is shown as a field, by its text: everything but objects, and of these String, Bytes and Shape.
static int is_shown(const TVMFFIAny* value) {
  int32_t index = value->type_index;
  return index < kTVMFFIStaticObjectBegin || index == kTVMFFIStr || index == kTVMFFIBytes || index == kTVMFFIShape;
}

// An owned copy of a value.
static TVMFFIAny own(const TVMFFIAny* value) {
  TVMFFIAny copy = *value;
  if (copy.type_index >= kTVMFFIStaticObjectBegin && copy.v_obj != NULL) ss_incref(copy.v_obj);
  return copy;
}

static void release(const TVMFFIAny* owned) {
  if (owned->type_index >= kTVMFFIStaticObjectBegin && owned->v_obj != NULL) ss_decref(owned->v_obj);
}

// Adds a reference (kind, label, number). Takes over the label, which may be NULL with an error set.
static int add_reference(Reading* reading, const char* kind, PyObject* label, TVMFFIObject* child) {
  Py_ssize_t number = label == NULL ? -2 : number_of(reading->walk, child);
  PyObject* tuple = number == -2 ? NULL : Py_BuildValue("(sOn)", kind, label, number);
  Py_XDECREF(label);
  return ss_list_take(reading->references, tuple);
}

// The Python value of an owned value that is shown, or the key of its type. New reference, NULL with an error set.
static PyObject* shown(const TVMFFIAny* owned) {
  if (is_shown(owned)) return ss_value_from_view(owned);
  const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(owned->type_index);
  return info == NULL ? PyUnicode_FromString("?") : ss_text(&info->type_key);
}

// Adds a field or a reference for a value. Takes over `owned`, and the label, which may be NULL with an error set.
static int add_value(Reading* reading, const char* kind, PyObject* label, const TVMFFIAny* owned) {
  int rc = -1;
  if (label == NULL) {
    rc = -1;
  } else if (is_shown(owned)) {
    PyObject* value = shown(owned);
    rc = ss_list_take(reading->fields, value == NULL ? NULL : Py_BuildValue("(ON)", label, value));
  } else if (owned->v_obj != NULL) {
    Py_INCREF(label);
    rc = add_reference(reading, kind, label, owned->v_obj);
  } else {
    rc = ss_list_take(reading->fields, Py_BuildValue("(OO)", label, Py_None));
  }
  Py_XDECREF(label);
  release(owned);
  return rc;
}

static int read_sequence(Reading* reading, TVMFFIObject* native) {
  const TVMFFISeqCell* cell = SS_CELL(TVMFFISeqCell, native);
  reading->bytes += (long long)sizeof(TVMFFISeqCell) + (long long)cell->capacity * (long long)sizeof(TVMFFIAny);
  for (int64_t i = 0; i < cell->size; i++) {  // the size may change during an allocation
    TVMFFIAny value = own((const TVMFFIAny*)cell->data + i);
    if (is_shown(&value) && i >= 16) {  // enough of them to know what the container is
      release(&value);
      continue;
    }
    if (add_value(reading, "item", PyLong_FromLongLong(i), &value) != 0) return -1;
  }
  return ss_list_take(reading->fields, Py_BuildValue("(sL)", "len()", (long long)cell->size));
}

static int read_entry(Reading* reading, const TVMFFIAny* key, const TVMFFIAny* value, uint64_t at) {
  PyObject* label = shown(key);
  int rc = label == NULL ? -1 : 0;
  if (rc == 0 && !is_shown(key) && key->v_obj != NULL) {
    Py_INCREF(label);
    rc = add_reference(reading, "key", label, key->v_obj);
  }
  if (rc != 0 || (is_shown(value) && at >= 16)) {
    Py_XDECREF(label);
    release(value);
    return rc;
  }
  return add_value(reading, "value", label, value);
}

static int read_map(Reading* reading, TVMFFIObject* native) {
  const SsMapCell* cell = ss_map_cell(native);
  uint64_t room = cell->capacity & ~SS_MAP_SMALL;
  reading->bytes += (long long)sizeof(SsMapCell);
  reading->bytes +=
      (long long)(ss_map_is_small(cell) ? room * sizeof(SsEntry) : room / SS_BLOCK_BUCKETS * sizeof(SsBlock));
  uint64_t seen = 0;
  for (uint64_t i = 0; i < ss_map_walk_end(cell); i++) {
    const SsEntry* entry = ss_map_walk(cell, i);
    if (entry == NULL) continue;
    TVMFFIAny key = own(&entry->key), value = own(&entry->value);
    int rc = read_entry(reading, &key, &value, seen++);
    release(&key);
    if (rc != 0) return -1;
  }
  return ss_list_take(reading->fields, Py_BuildValue("(sK)", "len()", (unsigned long long)cell->size));
}

static int read_error(Reading* reading, TVMFFIObject* native) {
  const TVMFFIErrorCell* cell = SS_CELL(TVMFFIErrorCell, native);
  reading->bytes += (long long)(sizeof(TVMFFIErrorCell) + cell->kind.size + cell->message.size + cell->backtrace.size);
  PyObject *kind = ss_text(&cell->kind), *message = ss_text(&cell->message);
  int rc = kind == NULL || message == NULL ? -1 : ss_list_take(reading->fields, Py_BuildValue("(sO)", "kind", kind));
  if (rc == 0) rc = ss_list_take(reading->fields, Py_BuildValue("(sO)", "message", message));
  Py_XDECREF(kind);
  Py_XDECREF(message);
  TVMFFIObject *cause = ss_error_cause(cell), *context = ss_error_context(cell);
  if (rc == 0 && cause != NULL) rc = add_reference(reading, "field", PyUnicode_FromString("cause"), cause);
  if (rc == 0 && context != NULL) rc = add_reference(reading, "field", PyUnicode_FromString("context"), context);
  return rc;
}

static int read_tensor(Reading* reading, TVMFFIObject* native) {
  const DLTensor* tensor = SS_CELL(DLTensor, native);
  unsigned long long elements = 1;  // wraps around for a shape that no memory can have
  PyObject* shape = PyTuple_New(tensor->ndim);
  for (int32_t i = 0; shape != NULL && i < tensor->ndim; i++) {
    elements *= (unsigned long long)tensor->shape[i];
    PyObject* size = PyLong_FromLongLong(tensor->shape[i]);
    if (size == NULL) Py_CLEAR(shape);
    if (size != NULL) PyTuple_SET_ITEM(shape, i, size);
  }
  reading->bytes += (long long)(sizeof(DLTensor) + (elements * tensor->dtype.bits * tensor->dtype.lanes + 7) / 8);
  if (ss_list_take(reading->fields, shape == NULL ? NULL : Py_BuildValue("(sN)", "shape", shape)) != 0) return -1;
  TVMFFIAny dtype = {.type_index = kTVMFFIDataType, .v_dtype = tensor->dtype};
  TVMFFIAny device = {.type_index = kTVMFFIDevice, .v_device = tensor->device};
  return add_value(reading, "field", PyUnicode_FromString("dtype"), &dtype) != 0 ||
                 add_value(reading, "field", PyUnicode_FromString("device"), &device) != 0
             ? -1
             : 0;
}

// A field that is not proven to own what it refers to: its value is shown, but never followed, since the getter may
// have made it.
static int read_by_getter(Reading* reading, TVMFFIObject* native, const TVMFFIFieldInfo* field) {
  TVMFFIAny value = {.type_index = kTVMFFINone};
  if (field->getter == NULL) return 0;
  if (field->getter((char*)native + field->offset, &value) != 0) {
    ss_raise_native();
    PyErr_Clear();  // a field that cannot be read is left out
    return 0;
  }
  PyObject* text = shown(&value);
  release(&value);
  if (text == NULL) return -1;
  PyObject* name = ss_text(&field->name);
  int rc = ss_list_take(reading->fields, name == NULL ? NULL : Py_BuildValue("(OO)", name, text));
  Py_XDECREF(name);
  Py_DECREF(text);
  return rc;
}

static int read_field(Reading* reading, TVMFFIObject* native, const TVMFFIFieldInfo* field) {
  const char* address = (const char*)native + field->offset;
  TVMFFIAny value = {.type_index = kTVMFFINone};
  switch (ss_owned_kind_of(field)) {
    case SS_OWNED_OBJECT:
      value.v_obj = __atomic_load_n((TVMFFIObject* const*)address, __ATOMIC_ACQUIRE);
      if (value.v_obj != NULL) value.type_index = value.v_obj->type_index;
      break;
    case SS_OWNED_ANY:
      value = *(const TVMFFIAny*)address;
      break;
    default:
      return read_by_getter(reading, native, field);
  }
  value = own(&value);
  return add_value(reading, "field", ss_text(&field->name), &value);
}

static int read_fields(Reading* reading, TVMFFIObject* native) {
  const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(native->type_index);
  if (info == NULL) return 0;
  if (info->metadata != NULL && info->metadata->total_size > (int32_t)sizeof(TVMFFIObject)) {
    reading->bytes = info->metadata->total_size;
  }
  for (int32_t level = 0; level <= info->type_depth; level++) {
    const TVMFFITypeInfo* at = level < info->type_depth ? info->type_ancestors[level] : info;
    for (int32_t i = 0; i < at->num_fields; i++) {
      if (read_field(reading, native, &at->fields[i]) != 0) return -1;
    }
  }
  return 0;
}

static int read_native(Reading* reading, TVMFFIObject* native) {
  switch (native->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      return read_sequence(reading, native);
    case kTVMFFIMap:
    case kTVMFFIDict:
      return read_map(reading, native);
    case kTVMFFIError:
      return read_error(reading, native);
    case kTVMFFITensor:
      return read_tensor(reading, native);
    default:
      return read_fields(reading, native);
  }
}

// The state of the wrapper, and the wrapper itself when it is alive: new reference in *wrapper, or NULL.
static const char* look_at(TVMFFIObject* native, PyObject** wrapper) {
  *wrapper = NULL;
  const SelfsameTieRecord* record = SelfsameTieFind(ss_table, native);
  if (record == NULL) return "None";
  uintptr_t word = __atomic_load_n(&record->wrapper, __ATOMIC_ACQUIRE);
  PyObject* block = (PyObject*)(word & ~SELFSAME_TIE_TAGS);
  if (block == NULL) return "Detached";
  if (word & SELFSAME_TIE_INACTIVE) return "Inactive";
  const char* state = word & SELFSAME_TIE_HELD ? "Held" : "Active";
#if !SS_FREE_THREADED  // there the caller fetches the wrapper
  if (Py_REFCNT(block) == 0 || (ss_flags(ss_wrapper(block)) & SS_FINAL)) return "Detached";
  Py_INCREF(block);
  *wrapper = block;
  if ((word & SELFSAME_TIE_HELD) && ss_pin(ss_wrapper(block)) != NULL) ss_unpin_as_is(ss_wrapper(block));
#endif
  return state;
}

static int add_node(Walk* walk, Py_ssize_t number) {
  TVMFFIObject* native = walk->natives[number];
  PyObject* wrapper = NULL;
  uint64_t counts = __atomic_load_n(&native->combined_ref_count, __ATOMIC_RELAXED);  // before the walk owns a wrapper
  const char* state = look_at(native, &wrapper);
  const SelfsameTieRecord* record = SelfsameTieFind(ss_table, native);
  unsigned long record_number = record == NULL ? 0 : native->__padding;
  unsigned long long go = record == NULL ? 0 : __atomic_load_n(&record->go, __ATOMIC_RELAXED);
  Reading reading = {walk, PyList_New(0), PyList_New(0), sizeof(TVMFFIObject)};
  int rc = reading.fields == NULL || reading.references == NULL ? -1 : 0;
#if SS_FREE_THREADED
  PyObject* lock = rc == 0 ? ss_fetch_borrowed(native) : NULL;
  if (lock == NULL) rc = -1;
  if (rc == 0) {
    int was_active = strcmp(state, "Active") == 0;
    if (was_active || strcmp(state, "Held") == 0) wrapper = Py_NewRef(lock);
    // Without what the wrapper owns because of this fetch, and without its shares.
    counts = __atomic_load_n(&native->combined_ref_count, __ATOMIC_RELAXED) - ss_shares(ss_wrapper(lock)) - !was_active;
    Py_BEGIN_CRITICAL_SECTION(lock);
    rc = read_native(&reading, native);
    Py_END_CRITICAL_SECTION();
  }
  Py_XDECREF(lock);
#else
  if (wrapper != NULL) counts -= ss_shares(ss_wrapper(wrapper));  // a wrapper counts once
  if (rc == 0) rc = read_native(&reading, native);
#endif
  walk->wrappers[number] = wrapper;
  PyObject* python = ss_owned_python_object(native);
  PyObject* tuple = NULL;
  if (rc == 0) {
    tuple = Py_BuildValue("(KikkksKLOOOO)", (unsigned long long)(uintptr_t)native, native->type_index,
                          (unsigned long)((uint32_t)counts - 1), (unsigned long)(counts >> 32), record_number, state,
                          go, reading.bytes, reading.fields, reading.references, wrapper == NULL ? Py_None : wrapper,
                          python == NULL ? Py_None : python);
  }
  Py_XDECREF(reading.fields);
  Py_XDECREF(reading.references);
  return ss_list_take(walk->nodes, tuple);
}

// Adds the roots. 0, or -1 with an error set.
static int add_roots(Walk* walk, PyObject* wrappers) {
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(wrappers); i++) {
    PyObject* object = PyList_GET_ITEM(wrappers, i);
    if (!ss_is_wrapper(object)) {
      PyErr_Format(PyExc_TypeError, "graph: expected selfsame objects, got %.100s", Py_TYPE(object)->tp_name);
      return -1;
    }
    TVMFFIObject* native = ss_pin(ss_wrapper(object));
    if (native == NULL) {
      ss_no_handle(object);
      return -1;
    }
    Py_ssize_t number = number_of(walk, native);
    ss_unpin(ss_wrapper(object));
    if (number == -2) return -1;
  }
  return 0;
}

PyObject* ss_debug_native_graph(PyObject* module, PyObject* args) {
  (void)module;
  PyObject* wrappers;
  Walk walk = {.limit = 0};
  if (!PyArg_ParseTuple(args, "O!n:native_graph", &PyList_Type, &wrappers, &walk.limit)) return NULL;
  if (walk.limit < 1 || walk.limit > 100000000) {
    return PyErr_Format(PyExc_ValueError, "graph: expected a limit from 1 to 100000000, got %zd", walk.limit);
  }
  ss_run_deferred();
  walk.natives = calloc((size_t)walk.limit, sizeof(TVMFFIObject*));
  walk.wrappers = calloc((size_t)walk.limit, sizeof(PyObject*));
  if (walk.natives == NULL || walk.wrappers == NULL) {
    free(walk.natives);
    free(walk.wrappers);
    return PyErr_NoMemory();
  }
  walk.numbers = PyDict_New();
  walk.nodes = PyList_New(0);
  int rc = walk.numbers == NULL || walk.nodes == NULL ? -1 : add_roots(&walk, wrappers);
  for (Py_ssize_t i = 0; rc == 0 && i < walk.count; i++) rc = add_node(&walk, i);
  end_walk(&walk);
  if (rc != 0) Py_CLEAR(walk.nodes);
  return walk.nodes;
}

// ---- objects ----

// A reference to a native object whose death is postponed; 0 when its last one was released already.
static int try_incref(TVMFFIObject* object) {
  uint64_t seen = __atomic_load_n(&object->combined_ref_count, __ATOMIC_RELAXED);
  do {
    if ((uint32_t)seen == 0) return 0;
  } while (!__atomic_compare_exchange_n(&object->combined_ref_count, &seen, seen + SS_STRONG_ONE, 1, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED));
  return 1;
}

// A reference to the native object of a record whose word says that it is not freed; NULL for none of this type.
static TVMFFIObject* take_native(SelfsameTieRecord* record, long type_index) {
  if (__atomic_load_n(&record->wrapper, __ATOMIC_SEQ_CST) == 0) return NULL;
  TVMFFIObject* object = __atomic_load_n(&record->object, __ATOMIC_ACQUIRE);
  return object != NULL && object->type_index == type_index && try_incref(object) ? object : NULL;
}

PyObject* ss_debug_objects(PyObject* module, PyObject* type_index) {
  (void)module;
  long index = PyLong_AsLong(type_index);
  if (index == -1 && PyErr_Occurred()) return NULL;
  ss_run_deferred();
  PyObject* list = PyList_New(0);
  uint32_t end = ss_table->record_end();
  for (uint32_t n = 1; list != NULL && n < end; n++) {
    SelfsameTieRecord* record = SelfsameTieRecordAt(ss_table, n);
    if (record == NULL) continue;
    ss_table->postpone_deaths(1);
    TVMFFIObject* object = take_native(record, index);
    if (ss_table->postpone_deaths(0)) ss_table->run_postponed();
    if (object != NULL && ss_list_take(list, ss_fetch(object)) != 0) Py_CLEAR(list);
  }
  return list;
}
