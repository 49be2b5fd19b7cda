// Field: the descriptor of a reflected field. field_read.c and field_set.c read and set fields.
#include "types/field.h"

#include <stddef.h>
#include <structmember.h>

#include "convert/to_python.h"
#include "types/field_internal.h"

static PyObject* text_or_none(const TVMFFIByteArray* bytes) {
  if (bytes->size == 0) Py_RETURN_NONE;
  return ss_text(bytes);
}

PyObject* ss_field_new(const TVMFFITypeInfo* owner, const TVMFFIFieldInfo* info) {
  SsField* field = PyObject_New(SsField, &SsField_Type);
  if (field == NULL) return NULL;
  field->owner = owner->type_index;
  field->last_derived = owner->type_index;
  field->depth = owner->type_depth;
  field->access = ss_field_access_of(info);
  field->offset = info->offset;
  field->flags = info->flags;
  field->getter = info->getter;
  field->setter = info->setter;
  field->name = ss_text(&info->name);
  field->doc = text_or_none(&info->doc);
  field->metadata = ss_text(&info->metadata);
  field->owner_key = ss_text(&owner->type_key);
  field->default_value = NULL;
  int ok = field->name != NULL && field->doc != NULL && field->metadata != NULL && field->owner_key != NULL;
  if (ok && (info->flags & kTVMFFIFieldFlagBitMaskHasDefault) &&
      !(info->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory)) {
    field->default_value = ss_value_from_view(&info->default_value_or_factory);
    ok = field->default_value != NULL;
  }
  if (ok) PyUnicode_InternInPlace(&field->name);
  if (!ok) Py_CLEAR(field);
  return (PyObject*)field;
}

static void field_dealloc(PyObject* self) {
  SsField* field = (SsField*)self;
  Py_XDECREF(field->name);
  Py_XDECREF(field->doc);
  Py_XDECREF(field->metadata);
  Py_XDECREF(field->owner_key);
  Py_XDECREF(field->default_value);
  PyObject_Free(self);
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
    {NULL, 0, 0, 0, NULL}};

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
    {"settable", get_settable, NULL,
     "Whether the field can be set at all: a read-only one when its object is restored.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject SsField_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)  //
        .tp_name = "selfsame_ffi._core.Field",
    .tp_basicsize = sizeof(SsField),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = field_dealloc,
    .tp_repr = field_repr,
    .tp_descr_get = ss_field_get,
    .tp_descr_set = ss_field_set,
    .tp_members = members,
    .tp_getset = getset,
};
