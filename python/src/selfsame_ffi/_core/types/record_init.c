// RecordInit; see types.h.
//
// A call has three steps: the arguments are sorted into one slot per field; the native object is made and each field
// gets its argument or its default, converted by its schema; then the object becomes the wrapper's. The native object
// has no other owner until then, so a failure releases it with what was stored.
#include "types/types.h"

#include <structmember.h>

#include "convert/arguments.h"
#include "convert/convert.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "types/field_internal.h"
#include "wrapper/fetch.h"
#include "wrapper/classes.h"

typedef struct {
  SsField* field;      // owned
  PyObject* standard;  // the default, owned; NULL without one
  PyObject* factory;   // the callable that makes the default, owned; NULL without one
  TVMFFIAny constant;  // the default's native value, when it may be shared; otherwise `shared` is 0
  int shared;          // whether constant is the default
  int takes;           // an argument sets it
  int by_name;         // only a keyword argument does
} Slot;

typedef struct {
  PyObject_VAR_HEAD vectorcallfunc vectorcall;
  int32_t type_index;        // of the objects that it makes
  Py_ssize_t positional;     // number of slots that positional arguments fill
  Py_ssize_t* order;         // their indices
  PyObject* type_key;        // str
  PyObject* missing;         // an argument that stands for none
  PyObject* after;           // called with the object at the end, or NULL
  PyObject* signature;       // for inspect
  TVMFFIObject* new_native;  // the type's __ffi_new__, which the type table owns
  Slot slots[];              // one for each field
} RecordInit;

enum { SLOTS_ON_STACK = 16 };

// ---- arguments ----

static int place(RecordInit* init, PyObject** values, Py_ssize_t slot, PyObject* value) {
  if (values[slot] != NULL) {
    PyErr_Format(PyExc_TypeError, "%U.__ffi_init__() got multiple values for argument '%U'", init->type_key,
                 init->slots[slot].field->name);
    return -1;
  }
  if (value != init->missing) values[slot] = value;
  return 0;
}

static Py_ssize_t find_name(RecordInit* init, PyObject* name) {
  for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {  // names of keywords and of fields are interned
    if (init->slots[i].field->name == name && init->slots[i].takes) return i;
  }
  for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {
    if (init->slots[i].takes && PyUnicode_Compare(init->slots[i].field->name, name) == 0) return i;
  }
  return -1;
}

// The names of the arguments. New reference, NULL with an error set.
static PyObject* names_of(const RecordInit* init) {
  PyObject* names = PyList_New(0);
  for (Py_ssize_t i = 0; names != NULL && i < Py_SIZE(init); i++) {
    if (init->slots[i].takes && PyList_Append(names, init->slots[i].field->name) != 0) Py_CLEAR(names);
  }
  return names;
}

// Sorts the arguments into `values`, borrowed, NULL where there is none.
static int sort_arguments(RecordInit* init, PyObject* const* args, Py_ssize_t count, PyObject* kwnames,
                          PyObject** values) {
  if (count > init->positional) {
    PyErr_Format(PyExc_TypeError, "%U.__ffi_init__() takes at most %zd positional argument(s), but %zd were given",
                 init->type_key, init->positional, count);
    return -1;
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    if (place(init, values, init->order[i], args[i]) != 0) return -1;
  }
  Py_ssize_t keywords = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
  for (Py_ssize_t i = 0; i < keywords; i++) {
    PyObject* name = PyTuple_GET_ITEM(kwnames, i);
    Py_ssize_t slot = find_name(init, name);
    if (slot < 0) {
      ss_set_unexpected_keyword(name, names_of(init));
      ss_prefix_error("%U.__ffi_init__() ", init->type_key);
      return -1;
    }
    if (place(init, values, slot, args[count + i]) != 0) return -1;
  }
  return 0;
}

// ---- fields ----

// Stores the value in a field of an object that nothing else owns yet.
static int store(const SsField* field, TVMFFIObject* native, PyObject* value) {
  char* address = (char*)native + field->offset;
  if (field->schema == NULL) return ss_field_set_native((SsField*)field, address, value);
  TVMFFIAny owned;
  if (ss_schema_to_owned(field->schema, value, &owned) != 0) return -1;
  TVMFFIAny old = ss_field_store(field->storage_index, address, &owned);
  ss_any_clear(&old);
  return 0;
}

static int store_default(const Slot* slot, TVMFFIObject* native) {
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
static int nest_error(RecordInit* init, const char* what, const SsField* field) {
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

static int is_required(const Slot* slot) { return slot->takes && slot->standard == NULL && slot->factory == NULL; }

static int fill(RecordInit* init, TVMFFIObject* native, PyObject* const* values) {
  for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {
    const Slot* slot = &init->slots[i];
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

static int check_required(RecordInit* init, PyObject* const* values) {
  for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {
    const Slot* slot = &init->slots[i];
    if (SS_LIKELY(values[i] != NULL || !is_required(slot))) continue;
    PyErr_Format(PyExc_TypeError, "%U.__ffi_init__() missing required %sargument: '%U'", init->type_key,
                 slot->by_name ? "keyword-only " : "", slot->field->name);
    return -1;
  }
  return 0;
}

// ---- the call ----

static int make(RecordInit* init, PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* kwnames,
                PyObject** values) {
  if (sort_arguments(init, args, count, kwnames, values) != 0 || check_required(init, values) != 0) return -1;
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
static int initialise(RecordInit* init, PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* kwnames) {
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
static int refill(RecordInit* init, PyObject* self, PyObject* const* values) {
  for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {
    const Slot* slot = &init->slots[i];
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
static PyObject* fill_object(PyObject* callable, PyObject* const* args, Py_ssize_t count, PyObject* kwnames) {
  RecordInit* init = (RecordInit*)callable;
  if (count < 1 || !ss_is_wrapper(args[0])) {
    return PyErr_Format(PyExc_TypeError, "%U.__ffi_init__: argument 'self': expected a '%U' object", init->type_key,
                        init->type_key);
  }
  PyObject** values = PyMem_Calloc((size_t)Py_SIZE(init) + 1, sizeof(PyObject*));
  if (values == NULL) return PyErr_NoMemory();
  int rc = sort_arguments(init, args + 1, count - 1, kwnames, values);
  if (rc == 0) rc = check_required(init, values);
  if (rc == 0) rc = refill(init, args[0], values);
  PyMem_Free(values);
  if (rc != 0) return NULL;
  Py_RETURN_NONE;
}

static PyObject* vectorcall(PyObject* callable, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  RecordInit* init = (RecordInit*)callable;
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
                  ss_class_index(cls) != ((RecordInit*)found)->type_index)) {
    return call_as_type_does(callable, args, count, kwnames);
  }
  Py_INCREF(found);  // the call may replace the class's __init__
  PyObject* self = cls->tp_new(cls, NULL, NULL);
  if (SS_LIKELY(self != NULL) && SS_UNLIKELY(initialise((RecordInit*)found, self, args, count, kwnames) != 0)) {
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

// ---- the type ----

// A default's native value may be shared by all objects unless it is a container that each of them may change.
static int prepare_default(Slot* slot) {
  if (slot->standard == NULL || slot->field->schema == NULL) return 0;
  if (ss_schema_to_owned(slot->field->schema, slot->standard, &slot->constant) != 0) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return -1;
    PyErr_Clear();  // reported when an object takes the default
    return 0;
  }
  int32_t index = slot->constant.type_index;
  if (index < kTVMFFIStaticObjectBegin || index == kTVMFFIStr || index == kTVMFFIBytes) {
    slot->shared = 1;
  } else {
    ss_any_clear(&slot->constant);
  }
  return 0;
}

// An item of `fields`: (Field, default, factory, takes an argument, only by name); `missing` for no default.
static int read_slot(RecordInit* init, Slot* slot, PyObject* item) {
  PyObject *field, *standard, *factory;
  if (!PyTuple_Check(item) ||
      !PyArg_ParseTuple(item, "O!OOpp", &SsField_Type, &field, &standard, &factory, &slot->takes, &slot->by_name)) {
    return -1;
  }
  Py_INCREF(field);
  slot->field = (SsField*)field;
  if (standard != init->missing) Py_INCREF(standard);
  slot->standard = standard == init->missing ? NULL : standard;
  if (factory != init->missing) Py_INCREF(factory);
  slot->factory = factory == init->missing ? NULL : factory;
  return prepare_default(slot);
}

// The order of positional arguments: required ones first.
static int make_order(RecordInit* init) {
  init->order = PyMem_Malloc(((size_t)Py_SIZE(init) + 1) * sizeof(Py_ssize_t));
  if (init->order == NULL) return ss_no_memory();
  for (int required = 1; required >= 0; required--) {
    for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {
      const Slot* slot = &init->slots[i];
      if (slot->takes && !slot->by_name && is_required(slot) == required) init->order[init->positional++] = i;
    }
  }
  return 0;
}

static TVMFFIObject* allocator_of(int32_t type_index) {
  TVMFFIByteArray name = ss_bytes("__ffi_new__");
  const TVMFFITypeAttrColumn* column = ss_api.TVMFFIGetTypeAttrColumn(&name);
  int64_t i = column == NULL ? -1 : (int64_t)type_index - column->begin_index;
  if (i < 0 || i >= column->size || column->data[i].type_index != kTVMFFIFunction) {
    PyErr_Format(PyExc_ValueError, "RecordInit: the type of index %d has no __ffi_new__", (int)type_index);
    return NULL;
  }
  return column->data[i].v_obj;
}

static PyObject* init_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static char* names[] = {"type_index", "type_key", "fields", "missing", "after", "signature", NULL};
  int type_index;
  PyObject *type_key, *fields, *missing, *after = Py_None, *signature = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "iUO!O|OO", names, &type_index, &type_key, &PyTuple_Type, &fields,
                                   &missing, &after, &signature)) {
    return NULL;
  }
  TVMFFIObject* new_native = allocator_of(type_index);
  RecordInit* init = new_native == NULL ? NULL : (RecordInit*)type->tp_alloc(type, PyTuple_GET_SIZE(fields));
  if (init == NULL) return NULL;
  init->vectorcall = vectorcall;
  init->type_index = type_index;
  init->new_native = new_native;
  Py_INCREF(type_key);
  init->type_key = type_key;
  Py_INCREF(missing);
  init->missing = missing;
  if (after != Py_None) Py_INCREF(after);
  init->after = after == Py_None ? NULL : after;
  Py_INCREF(signature);
  init->signature = signature;
  int rc = 0;
  for (Py_ssize_t i = 0; rc == 0 && i < Py_SIZE(init); i++) {
    rc = read_slot(init, &init->slots[i], PyTuple_GET_ITEM(fields, i));
  }
  if (rc != 0 || make_order(init) != 0) Py_CLEAR(init);
  return (PyObject*)init;
}

static int init_traverse(PyObject* self, visitproc visit, void* arg) {
  RecordInit* init = (RecordInit*)self;
  Py_VISIT(init->missing);
  Py_VISIT(init->after);
  Py_VISIT(init->signature);
  for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {
    Py_VISIT(init->slots[i].field);
    Py_VISIT(init->slots[i].standard);
    Py_VISIT(init->slots[i].factory);
  }
  return 0;
}

static void init_dealloc(PyObject* self) {
  RecordInit* init = (RecordInit*)self;
  PyObject_GC_UnTrack(self);
  for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {
    Slot* slot = &init->slots[i];
    Py_XDECREF((PyObject*)slot->field);
    Py_XDECREF(slot->standard);
    Py_XDECREF(slot->factory);
    if (slot->shared) ss_any_clear(&slot->constant);
  }
  PyMem_Free(init->order);
  Py_XDECREF(init->type_key);
  Py_XDECREF(init->missing);
  Py_XDECREF(init->after);
  Py_XDECREF(init->signature);
  Py_TYPE(self)->tp_free(self);
}

static PyObject* bind(PyObject* self, PyObject* object, PyObject* type) {
  (void)type;
  if (object == NULL) return ss_new_ref(self);
  return PyMethod_New(self, object);
}

static PyObject* init_repr(PyObject* self) {
  return PyUnicode_FromFormat("<constructor of '%U'>", ((RecordInit*)self)->type_key);
}

static PyObject* get_name(PyObject* self, void* closure) {
  (void)self;
  (void)closure;
  return PyUnicode_FromString("__init__");
}

static PyObject* get_qualname(PyObject* self, void* closure) {
  (void)closure;
  return PyUnicode_FromFormat("%U.__init__", ((RecordInit*)self)->type_key);
}

static PyMethodDef methods[] = {
    {"fill", (PyCFunction)(void (*)(void))fill_object, METH_FASTCALL | METH_KEYWORDS,
     "fill($self, object, /, *args, **kwargs)\n--\n\nSet the fields of an object that has a native one already."},
    {NULL, NULL, 0, NULL}};

static PyMemberDef members[] = {{"__signature__", T_OBJECT, offsetof(RecordInit, signature), READONLY, NULL},
                                {NULL, 0, 0, 0, NULL}};

static PyGetSetDef getset[] = {{"__name__", get_name, NULL, NULL, NULL},
                               {"__qualname__", get_qualname, NULL, NULL, NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject SsRecordInit_Type = {
    SS_TYPE("selfsame_ffi._core.RecordInit", "The __init__ of a class declared in Python.", offsetof(RecordInit, slots),
            Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR),
    .tp_itemsize = sizeof(Slot),
    .tp_new = init_new,
    .tp_dealloc = init_dealloc,
    .tp_traverse = init_traverse,
    .tp_repr = init_repr,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(RecordInit, vectorcall),
    .tp_descr_get = bind,
    .tp_methods = methods,
    .tp_members = members,
    .tp_getset = getset,
    .tp_free = PyObject_GC_Del,
};
