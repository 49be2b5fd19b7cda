// Field: the descriptor of a reflected field. field_read.c and field_set.c read and set fields.
#include "types/types.h"

#include <stddef.h>
#include <structmember.h>

#include "convert/to_python.h"
#include "types/field_internal.h"

static PyObject* text_or_none(const TVMFFIByteArray* bytes) {
  if (bytes->size == 0) Py_RETURN_NONE;
  return ss_text(bytes);
}

PyObject* ss_field_new(const TVMFFITypeInfo* owner, const TVMFFIFieldInfo* info) {
  SsField* field = (SsField*)SsField_Type.tp_alloc(&SsField_Type, 0);
  if (field == NULL) return NULL;
  field->owner = owner->type_index;
  field->last_derived = owner->type_index;
  field->depth = owner->type_depth;
  field->access = ss_field_access_of(info);
  field->offset = info->offset;
  field->size = info->size;
  field->alignment = info->alignment;
  field->storage_index = info->field_static_type_index;
  field->flags = info->flags;
  field->getter = info->getter;
  field->setter = info->setter;
  field->name = ss_text(&info->name);
  field->doc = text_or_none(&info->doc);
  field->metadata = ss_text(&info->metadata);
  field->owner_key = ss_text(&owner->type_key);
  int ok = field->name != NULL && field->doc != NULL && field->metadata != NULL && field->owner_key != NULL;
  if (ok && (info->flags & kTVMFFIFieldFlagBitMaskHasDefault)) {
    PyObject* value = ss_value_from_view(&info->default_value_or_factory);
    *(info->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory ? &field->factory : &field->default_value) = value;
    ok = value != NULL;
  }
  if (ok) PyUnicode_InternInPlace(&field->name);
  if (!ok) Py_CLEAR(field);
  if (ok) ss_share_count((PyObject*)field);
  return (PyObject*)field;
}

static int field_traverse(PyObject* self, visitproc visit, void* arg) {
  SsField* field = (SsField*)self;
  Py_VISIT(field->default_value);
  Py_VISIT(field->factory);
  Py_VISIT(field->schema);
  return 0;
}

static void field_dealloc(PyObject* self) {
  SsField* field = (SsField*)self;
  PyObject_GC_UnTrack(self);
  Py_XDECREF(field->name);
  Py_XDECREF(field->doc);
  Py_XDECREF(field->metadata);
  Py_XDECREF(field->owner_key);
  Py_XDECREF(field->default_value);
  Py_XDECREF(field->factory);
  Py_XDECREF((PyObject*)field->schema);
  PyObject_GC_Del(self);
}

static PyObject* field_repr(PyObject* self) {
  SsField* field = (SsField*)self;
  return PyUnicode_FromFormat("<field '%U' of '%U'>", field->name, field->owner_key);
}

static PyMemberDef members[] = {
    {"__name__", T_OBJECT, offsetof(SsField, name), READONLY, "The field's name."},
    {"name", T_OBJECT, offsetof(SsField, name), READONLY, "The field's name."},
    {"__doc__", T_OBJECT, offsetof(SsField, doc), READONLY, NULL},
    {"doc", T_OBJECT, offsetof(SsField, doc), READONLY, "The field's documentation, or None."},
    {"metadata", T_OBJECT, offsetof(SsField, metadata), READONLY, "JSON text with the field's type schema."},
    {"type_key", T_OBJECT, offsetof(SsField, owner_key), READONLY, "Key of the type the field was registered for."},
    {"flags", T_LONGLONG, offsetof(SsField, flags), READONLY, "The flag bits of the ABI."},
    {"offset", T_LONGLONG, offsetof(SsField, offset), READONLY, "Offset from the native object's address."},
    {"default", T_OBJECT_EX, offsetof(SsField, default_value), READONLY, "The default; AttributeError without one."},
    {"default_factory", T_OBJECT_EX, offsetof(SsField, factory), READONLY,
     "The Function that makes the default; AttributeError without one."},
    {"size", T_LONGLONG, offsetof(SsField, size), READONLY, "Size of the storage in bytes."},
    {"alignment", T_LONGLONG, offsetof(SsField, alignment), READONLY, "Alignment of the storage in bytes."},
    {"storage_index", T_INT, offsetof(SsField, storage_index), READONLY, "Type index of the storage; -1 for Any."},
    {NULL, 0, 0, 0, NULL}};

// Field.set(obj, value)
static PyObject* set_method(PyObject* self, PyObject* args) {
  PyObject *object, *value;
  if (!PyArg_ParseTuple(args, "OO:set", &object, &value) || ss_field_restore(self, object, value) != 0) return NULL;
  Py_RETURN_NONE;
}

// The property's function of stock's descriptors: the bound slot.
static PyObject* get_fget(PyObject* self, void* closure) {
  (void)closure;
  return PyObject_GetAttrString(self, "__get__");
}

static PyObject* get_fset(PyObject* self, void* closure) {
  (void)closure;
  if (!(((SsField*)self)->flags & kTVMFFIFieldFlagBitMaskWritable)) Py_RETURN_NONE;
  return PyObject_GetAttrString(self, "__set__");
}

static PyObject* copy_with_flags(SsField* field, int64_t flags) {
  SsField* copy = (SsField*)SsField_Type.tp_alloc(&SsField_Type, 0);
  if (copy == NULL) return NULL;
  char* from = (char*)field + sizeof(PyObject);
  memcpy((char*)copy + sizeof(PyObject), from, sizeof(SsField) - sizeof(PyObject));
  copy->flags = flags;
  Py_XINCREF(copy->name);
  Py_XINCREF(copy->doc);
  Py_XINCREF(copy->metadata);
  Py_XINCREF(copy->owner_key);
  Py_XINCREF(copy->default_value);
  Py_XINCREF(copy->factory);
  Py_XINCREF((PyObject*)copy->schema);
  ss_share_count((PyObject*)copy);
  return (PyObject*)copy;
}

static PyObject* as_frozen(PyObject* self, PyObject* unused) {
  (void)unused;
  SsField* field = (SsField*)self;
  return copy_with_flags(field, field->flags & ~(int64_t)kTVMFFIFieldFlagBitMaskWritable);
}

static PyObject* with_schema(PyObject* self, PyObject* schema) {
  if (Py_TYPE(schema) != &SsSchema_Type) {
    return PyErr_Format(PyExc_TypeError, "with_schema: expected a Schema, got %.100s", Py_TYPE(schema)->tp_name);
  }
  PyObject* copy = copy_with_flags((SsField*)self, ((SsField*)self)->flags);
  if (copy == NULL) return NULL;
  Py_INCREF(schema);
  Py_XSETREF(((SsField*)copy)->schema, (SsSchema*)schema);
  return copy;
}

static PyMethodDef methods[] = {
    {"set", set_method, METH_VARARGS, "set($self, obj, value, /)\n--\n\nSet the field, even a read-only one."},
    {"as_frozen", as_frozen, METH_NOARGS, "as_frozen($self, /)\n--\n\nThe same field, read-only in Python."},
    {"with_schema", with_schema, METH_O,
     "with_schema($self, schema, /)\n--\n\nThe same field, whose values a schema converts."},
    {NULL, NULL, 0, NULL}};

static PyObject* get_frozen(PyObject* self, void* closure) {
  (void)closure;
  return PyBool_FromLong(!(((SsField*)self)->flags & kTVMFFIFieldFlagBitMaskWritable));
}

static PyObject* get_settable(PyObject* self, void* closure) {
  (void)closure;
  return PyBool_FromLong(((SsField*)self)->setter != NULL);
}

static PyObject* get_plain(PyObject* self, void* closure) {
  (void)closure;
  return PyBool_FromLong(ss_field_storage(&((SsField*)self)->access) != SS_BY_GETTER);
}

static PyGetSetDef getset[] = {
    {"plain", get_plain, NULL, "Whether a read takes the value from the storage, without a call of the getter.", NULL},
    {"frozen", get_frozen, NULL, "Whether the field is read-only.", NULL},
    {"fget", get_fget, NULL, "The function that reads the field, as a property has it.", NULL},
    {"fset", get_fset, NULL, "The function that sets the field; None when it is read-only.", NULL},
    {"settable", get_settable, NULL,
     "Whether the field can be set at all: a read-only one when its object is restored.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject SsField_Type = {
    SS_TYPE("selfsame_ffi._core.Field", NULL, sizeof(SsField), Py_TPFLAGS_HAVE_GC),
    .tp_dealloc = field_dealloc,
    .tp_traverse = field_traverse,
    .tp_free = PyObject_GC_Del,
    .tp_repr = field_repr,
    .tp_descr_get = ss_field_get,
    .tp_descr_set = ss_field_set,
    .tp_methods = methods,
    .tp_members = members,
    .tp_getset = getset,
};
