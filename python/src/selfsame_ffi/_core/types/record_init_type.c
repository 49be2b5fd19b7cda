// RecordInit as a type: what it reads of a declaration, and its attributes.
#include "types/record_init.h"

#include <structmember.h>

#include "convert/convert.h"

// A default's native value may be shared by all objects unless it is a container that each of them may change.
static int prepare_default(SsRecordSlot* slot) {
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
static int read_slot(SsRecordInit* init, SsRecordSlot* slot, PyObject* item) {
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
static int make_order(SsRecordInit* init) {
  init->order = PyMem_Malloc(((size_t)Py_SIZE(init) + 1) * sizeof(Py_ssize_t));
  if (init->order == NULL) return ss_no_memory();
  for (int required = 1; required >= 0; required--) {
    for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {
      const SsRecordSlot* slot = &init->slots[i];
      if (slot->takes && !slot->by_name && ss_record_requires(slot) == required) init->order[init->positional++] = i;
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
  SsRecordInit* init = new_native == NULL ? NULL : (SsRecordInit*)type->tp_alloc(type, PyTuple_GET_SIZE(fields));
  if (init == NULL) return NULL;
  init->vectorcall = ss_record_vectorcall;
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
  SsRecordInit* init = (SsRecordInit*)self;
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
  SsRecordInit* init = (SsRecordInit*)self;
  PyObject_GC_UnTrack(self);
  for (Py_ssize_t i = 0; i < Py_SIZE(init); i++) {
    SsRecordSlot* slot = &init->slots[i];
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
  return PyUnicode_FromFormat("<constructor of '%U'>", ((SsRecordInit*)self)->type_key);
}

static PyObject* get_name(PyObject* self, void* closure) {
  (void)self;
  (void)closure;
  return PyUnicode_FromString("__init__");
}

static PyObject* get_qualname(PyObject* self, void* closure) {
  (void)closure;
  return PyUnicode_FromFormat("%U.__init__", ((SsRecordInit*)self)->type_key);
}

static PyMethodDef methods[] = {
    {"fill", (PyCFunction)(void (*)(void))ss_record_fill, METH_FASTCALL | METH_KEYWORDS,
     "fill($self, object, /, *args, **kwargs)\n--\n\nSet the fields of an object that has a native one already."},
    {NULL, NULL, 0, NULL}};

static PyMemberDef members[] = {{"__signature__", T_OBJECT, offsetof(SsRecordInit, signature), READONLY, NULL},
                                {NULL, 0, 0, 0, NULL}};

static PyGetSetDef getset[] = {{"__name__", get_name, NULL, NULL, NULL},
                               {"__qualname__", get_qualname, NULL, NULL, NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject SsRecordInit_Type = {
    SS_TYPE("selfsame_ffi._core.RecordInit", "The __init__ of a class declared in Python.",
            offsetof(SsRecordInit, slots),
            Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR),
    .tp_itemsize = sizeof(SsRecordSlot),
    .tp_new = init_new,
    .tp_dealloc = init_dealloc,
    .tp_traverse = init_traverse,
    .tp_repr = init_repr,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(SsRecordInit, vectorcall),
    .tp_descr_get = bind,
    .tp_methods = methods,
    .tp_members = members,
    .tp_getset = getset,
    .tp_free = PyObject_GC_Del,
};
