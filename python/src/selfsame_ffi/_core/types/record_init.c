// The calls of a RecordInit: it makes objects, or fills them again.
//
// A call has three steps: the arguments are sorted into one slot per field; the native object is made and each field
// gets its argument or its default, converted by its schema; then the object becomes the wrapper's. The native object
// has no other owner until then, so a failure releases it with what was stored.
#include "types/record_init.h"

#include "convert/arguments.h"
#include "convert/convert.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "convert/schema_unchanged.h"
#include "types/field_store.h"
#include "wrapper/fetch.h"
#include "wrapper/classes.h"

enum { SLOTS_ON_STACK = 16 };

// ---- arguments ----

static int place(SsRecordInit* init, PyObject** values, Py_ssize_t slot, PyObject* value) {
  if (values[slot] != NULL) {
    PyErr_Format(PyExc_TypeError, "%U.__ffi_init__() got multiple values for argument '%U'", init->type_key,
                 init->slots[slot].field->name);
    return -1;
  }
  if (value != init->missing) values[slot] = value;
  return 0;
}

// The slot of a name; `first` is where it is looked for first, since names mostly come in the order of the fields.
static Py_ssize_t find_name(SsRecordInit* init, PyObject* name, Py_ssize_t first) {
  for (Py_ssize_t n = 0, i = first; n < Py_SIZE(init); n++, i++) {  // names of keywords and of fields are interned
    if (i >= Py_SIZE(init)) i = 0;
    if (init->slots[i].field->name == name && init->slots[i].takes) return i;
  }
  for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {
    if (init->slots[i].takes && PyUnicode_Compare(init->slots[i].field->name, name) == 0) return i;
  }
  return -1;
}

// The names of the arguments. New reference, NULL with an error set.
static PyObject* names_of(const SsRecordInit* init) {
  PyObject* names = PyList_New(0);
  for (Py_ssize_t i = 0; names != NULL && i < Py_SIZE(init); i++) {
    if (init->slots[i].takes && PyList_Append(names, init->slots[i].field->name) != 0) Py_CLEAR(names);
  }
  return names;
}

static int check_required(SsRecordInit* init, PyObject* const* values) {
  for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {
    const SsRecordSlot* slot = &init->slots[i];
    if (SS_LIKELY(values[i] != NULL || !ss_record_requires(slot))) continue;
    PyErr_Format(PyExc_TypeError, "%U.__ffi_init__() missing required %sargument: '%U'", init->type_key,
                 slot->by_name ? "keyword-only " : "", slot->field->name);
    return -1;
  }
  return 0;
}

// Sorts the arguments into `values`, borrowed, NULL where there is none. 0, or -1 with an error set.
static int sort_arguments(SsRecordInit* init, PyObject* const* args, Py_ssize_t count, PyObject* kwnames,
                          PyObject** values) {
  if (count > init->positional) {
    PyErr_Format(PyExc_TypeError, "%U.__ffi_init__() takes at most %zd positional argument(s), but %zd were given",
                 init->type_key, init->positional, count);
    return -1;
  }
  Py_ssize_t placed = 0;
  for (Py_ssize_t i = 0; i < count; i++) {
    if (SS_UNLIKELY(args[i] == init->missing)) continue;
    values[init->order[i]] = args[i];
    placed++;
  }
  Py_ssize_t keywords = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
  for (Py_ssize_t i = 0, slot = count - 1; i < keywords; i++) {
    PyObject* name = PyTuple_GET_ITEM(kwnames, i);
    slot = find_name(init, name, slot + 1);
    if (slot < 0) {
      ss_set_unexpected_keyword(name, names_of(init));
      ss_prefix_error("%U.__ffi_init__() ", init->type_key);
      return -1;
    }
    if (place(init, values, slot, args[count + i]) != 0) return -1;
  }
  return placed == Py_SIZE(init) ? 0 : check_required(init, values);
}

// ---- fields ----

// Stores the value in a field of an object that nothing else owns yet.
static int store(const SsField* field, TVMFFIObject* native, PyObject* value) {
  char* address = (char*)native + field->offset;
  if (field->schema == NULL) return ss_field_set_native((SsField*)field, address, value);
  TVMFFIAny owned;
  if (SS_UNLIKELY(!ss_fits_unchanged(field->schema, value, &owned)) &&
      ss_schema_to_owned(field->schema, value, &owned) != 0) {
    return -1;
  }
  TVMFFIAny old = ss_field_store(field->storage_index, address, &owned);
  ss_any_clear(&old);
  return 0;
}

static int store_default(const SsRecordSlot* slot, TVMFFIObject* native) {
  if (slot->shared) {
    TVMFFIAny value = slot->constant;
    if (value.type_index >= kTVMFFIStaticObjectBegin) ss_incref(value.v_obj);
    TVMFFIAny old = ss_field_store(slot->field->storage_index, (char*)native + slot->field->offset, &value);
    ss_any_clear(&old);
    return 0;
  }
  if (slot->standard != NULL) return store(slot->field, native, slot->standard);
  PyObject* made = PyObject_CallNoArgs(slot->factory);
  if (made == NULL) return -1;
  int rc = store(slot->field, native, made);
  Py_DECREF(made);
  return rc;
}

// Puts the field in front of the error that is set, and indents the error's own text, as the runtime's constructors do.
// Returns -1.
static int nest_error(SsRecordInit* init, const char* what, const SsField* field) {
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  PyObject* text = error == NULL ? NULL : PyObject_Str(error);
  PyObject* indented = text == NULL ? NULL : PyObject_CallMethod(text, "replace", "ss", "\n", "\n  ");
  int same = type == PyExc_TypeError || type == PyExc_ValueError || type == PyExc_OverflowError;
  if (indented != NULL && same) {
    PyErr_Format(type, "%U.__ffi_init__() %s '%U':\n  %U", init->type_key, what, field->name, indented);
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(traceback);
  } else {
    PyErr_Restore(type, error, traceback);
  }
  Py_XDECREF(text);
  Py_XDECREF(indented);
  return -1;
}

static int fill(SsRecordInit* init, TVMFFIObject* native, PyObject* const* values) {
  for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {
    const SsRecordSlot* slot = &init->slots[i];
    if (SS_LIKELY(values[i] != NULL)) {
      if (SS_UNLIKELY(store(slot->field, native, values[i]) != 0)) {
        return nest_error(init, "field", slot->field);
      }
    } else if (slot->standard != NULL || slot->factory != NULL) {
      if (SS_UNLIKELY(store_default(slot, native) != 0)) {
        return nest_error(init, "default for field", slot->field);
      }
    }
  }
  return 0;
}

// ---- the call ----

static int make(SsRecordInit* init, PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* kwnames,
                PyObject** values) {
  if (sort_arguments(init, args, count, kwnames, values) != 0) return -1;
  TVMFFIAny made;
  if (ss_invoke(init->new_native, 0, NULL, 0, &made) != 0) return -1;
  if (fill(init, made.v_obj, values) != 0) {
    PyObject *type, *error, *traceback;
    PyErr_Fetch(&type, &error, &traceback);
    ss_any_clear(&made);
    PyErr_Restore(type, error, traceback);
    return -1;
  }
  return ss_construct(ss_wrapper(self), made.v_obj);
}

// Makes the native object of `self`, a wrapper without one, from arguments that do not include it. 0, or -1 with an
// error set.
static int initialise(SsRecordInit* init, PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* kwnames) {
  PyObject* stack[SLOTS_ON_STACK] = {NULL};
  PyObject** values = stack;
  if (Py_SIZE(init) > SLOTS_ON_STACK) {
    values = PyMem_Calloc((size_t)Py_SIZE(init), sizeof(PyObject*));
    if (values == NULL) return ss_no_memory();
  }
  int rc = make(init, self, args, count, kwnames, values);
  if (values != stack) PyMem_Free(values);
  if (rc != 0 || init->after == NULL) return rc;
  PyObject* result = PyObject_CallOneArg(init->after, self);
  Py_XDECREF(result);
  return result == NULL ? -1 : 0;
}

// Sets each field of a wrapper's own native object, which other threads may use during the call. 0, or -1 with an error
// set.
static int refill(SsRecordInit* init, PyObject* self, PyObject* const* values) {
  for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {
    const SsRecordSlot* slot = &init->slots[i];
    PyObject* value = values[i] != NULL ? values[i] : slot->standard;
    if (value == NULL && slot->factory == NULL) continue;
    if (value == NULL) {
      value = PyObject_CallNoArgs(slot->factory);
    } else {
      Py_INCREF(value);
    }
    int rc = value == NULL ? -1 : ss_field_restore((PyObject*)slot->field, self, value);
    Py_XDECREF(value);
    if (rc != 0) return -1;  // an error of the field names it
  }
  return 0;
}

// RecordInit.fill(object, *args, **kwargs)
PyObject* ss_record_fill(PyObject* callable, PyObject* const* args, Py_ssize_t count, PyObject* kwnames) {
  SsRecordInit* init = (SsRecordInit*)callable;
  if (count < 1 || !ss_is_wrapper(args[0])) {
    return PyErr_Format(PyExc_TypeError, "%U.__ffi_init__: argument 'self': expected a '%U' object", init->type_key,
                        init->type_key);
  }
  PyObject** values = PyMem_Calloc((size_t)Py_SIZE(init) + 1, sizeof(PyObject*));
  if (values == NULL) return PyErr_NoMemory();
  int rc = sort_arguments(init, args + 1, count - 1, kwnames, values);
  if (rc == 0) rc = refill(init, args[0], values);
  PyMem_Free(values);
  if (rc != 0) return NULL;
  Py_RETURN_NONE;
}

PyObject* ss_record_vectorcall(PyObject* callable, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  SsRecordInit* init = (SsRecordInit*)callable;
  Py_ssize_t count = PyVectorcall_NARGS(nargsf);
  if (count < 1 || !ss_is_wrapper(args[0])) {
    return PyErr_Format(PyExc_TypeError, "%U.__init__: argument 'self': expected a '%U' object", init->type_key,
                        init->type_key);
  }
  PyObject* self = args[0];
  if (ss_wrapper(self)->handle != NULL) {
    if (ss_object_init_again(self, count > 1 || (kwnames != NULL && PyTuple_GET_SIZE(kwnames) != 0)) != 0) return NULL;
    Py_RETURN_NONE;
  }
  if (ss_class_index(Py_TYPE(self)) != init->type_index) {
    return PyErr_Format(PyExc_TypeError, "%U.__init__: cannot make the native object of a %.100s", init->type_key,
                        Py_TYPE(self)->tp_name);
  }
  if (initialise(init, self, args + 1, count - 1, kwnames) != 0) return NULL;
  Py_RETURN_NONE;
}

// ---- calls of the class ----

static PyObject* name_init;  // interned "__init__"

static PyObject* call_as_type_does(PyObject* cls, PyObject* const* args, Py_ssize_t count, PyObject* kwnames) {
  PyObject* tuple = PyTuple_New(count);
  PyObject* named = tuple == NULL || kwnames == NULL || PyTuple_GET_SIZE(kwnames) == 0 ? NULL : PyDict_New();
  for (Py_ssize_t i = 0; tuple != NULL && i < count; i++) {
    Py_INCREF(args[i]);
    PyTuple_SET_ITEM(tuple, i, args[i]);
  }
  int ok = tuple != NULL && (named != NULL || kwnames == NULL || PyTuple_GET_SIZE(kwnames) == 0);
  for (Py_ssize_t i = 0; ok && named != NULL && i < PyTuple_GET_SIZE(kwnames); i++) {
    ok = PyDict_SetItem(named, PyTuple_GET_ITEM(kwnames, i), args[count + i]) == 0;
  }
  PyObject* made = ok ? PyType_Type.tp_call(cls, tuple, named) : NULL;
  Py_XDECREF(tuple);
  Py_XDECREF(named);
  return made != NULL ? made : ss_wrapped_already_take((PyTypeObject*)cls);
}

// tp_vectorcall of a class: `cls(...)`, and with a RecordInit without a tuple of arguments and a call of __init__. The
// class may have been given another __init__ or a __new__ since.
//
// Why a class declared in Python is called without its __init__. type.__call__ packs a tuple, calls __new__, looks
// __init__ up and calls it: most of the time of an object with one field. A py_class gets a tp_vectorcall that converts
// the arguments where they lie and stores them. Each call looks up whether __init__ is still the RecordInit and __new__
// the core's, and otherwise does what type.__call__ does. A derived class has no such slot.
static PyObject* class_vectorcall(PyObject* callable, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  PyTypeObject* cls = (PyTypeObject*)callable;
  Py_ssize_t count = PyVectorcall_NARGS(nargsf);
  PyObject* found = _PyType_Lookup(cls, name_init);
  if (SS_UNLIKELY(found == NULL || Py_TYPE(found) != &SsRecordInit_Type || cls->tp_new != SsObject_Type.tp_new ||
                  (cls->tp_flags & Py_TPFLAGS_IS_ABSTRACT) ||
                  ss_class_index(cls) != ((SsRecordInit*)found)->type_index)) {
    return call_as_type_does(callable, args, count, kwnames);
  }
  Py_INCREF(found);  // the call may replace the class's __init__
  PyObject* self = cls->tp_new(cls, NULL, NULL);
  if (SS_LIKELY(self != NULL) && SS_UNLIKELY(initialise((SsRecordInit*)found, self, args, count, kwnames) != 0)) {
    Py_CLEAR(self);
  }
  Py_DECREF(found);
  return self != NULL ? self : ss_wrapped_already_take(cls);
}

int ss_record_call_class(PyTypeObject* cls) {
  if (name_init == NULL) name_init = PyUnicode_InternFromString("__init__");
  if (name_init == NULL) return -1;
  // A metaclass may have a __call__ of its own.
  if ((cls->tp_flags & Py_TPFLAGS_HEAPTYPE) && Py_TYPE(cls)->tp_call == PyType_Type.tp_call) {
    cls->tp_vectorcall = class_vectorcall;
  }
  return 0;
}
