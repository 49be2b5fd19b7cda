// Field: the descriptor of a reflected field. Plain storage is read where it lies, anything else through the getter.
#include "field.h"

#include <stddef.h>
#include <structmember.h>

#include "classes.h"
#include "convert.h"
#include "error.h"
#include "function.h"
#include "tie_states.h"
#include "value.h"

typedef enum { BY_GETTER, PLAIN_INT, PLAIN_BOOL, PLAIN_FLOAT, PLAIN_OBJECT, PLAIN_ANY } Storage;

typedef struct {
  PyObject_HEAD int32_t owner;  // type index the field was registered for
  int32_t seen;                 // a type index known to be derived from it, which the next object probably has too
  int32_t depth;                // type depth of the owner
  Storage storage;
  int64_t offset;
  int64_t flags;
  TVMFFIFieldGetter getter;
  void* setter;  // the type table keeps a Function setter alive for good
  PyObject* name;
  PyObject* doc;       // str or None
  PyObject* metadata;  // str: JSON text
  PyObject* owner_key;
  PyObject* default_value;  // a Python value; NULL without one or when it comes from a factory
} Field;

static int derives_from(Field* field, int32_t index) {
  if (index == field->seen) return 1;
  const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(index);
  if (info == NULL || info->type_depth <= field->depth ||
      info->type_ancestors[field->depth]->type_index != field->owner) {
    return 0;
  }
  field->seen = index;
  return 1;
}

// The native that has the field, or NULL with an error set.
static TVMFFIObject* native_of(Field* field, PyObject* object) {
  if (SS_UNLIKELY(!ss_is_wrapper(object))) {
    PyErr_Format(PyExc_TypeError, "field '%U' of '%U' cannot be read from a '%.100s' object", field->name,
                 field->owner_key, Py_TYPE(object)->tp_name);
    return NULL;
  }
  TVMFFIObject* native = ss_wrapper(object)->handle;
  if (SS_UNLIKELY(native == NULL)) {
    ss_no_handle(object);
    return NULL;
  }
  if (SS_UNLIKELY(native->type_index != field->owner && !derives_from(field, native->type_index))) {
    PyErr_Format(PyExc_TypeError, "field '%U' of '%U' does not belong to a '%.100s' object", field->name,
                 field->owner_key, Py_TYPE(object)->tp_name);
    return NULL;
  }
  return native;
}

static PyObject* by_getter(Field* field, char* address) {
  TVMFFIAny value = {.type_index = kTVMFFINone};
  if (field->getter == NULL) {
    PyErr_Format(PyExc_AttributeError, "field '%U' of '%U' has no getter", field->name, field->owner_key);
    return NULL;
  }
  if (SS_UNLIKELY(field->getter(address, &value) != 0)) {
    ss_raise_native();
    return NULL;
  }
  return ss_value_take(&value);
}

// Reads the field. The caller keeps the native alive and the field unchanged.
static inline PyObject* read_field(Field* field, PyObject* object) {
  TVMFFIObject* native = native_of(field, object);
  if (SS_UNLIKELY(native == NULL)) return NULL;
  char* address = (char*)native + field->offset;
  switch (field->storage) {
    case PLAIN_OBJECT: {
      TVMFFIObject* child = *(TVMFFIObject**)address;
      if (child == NULL) Py_RETURN_NONE;
      TVMFFIAny view = {.type_index = child->type_index, .v_obj = child};
      return ss_value_from_view(&view);
    }
    case PLAIN_INT:
      return PyLong_FromLongLong(*(int64_t*)address);
    case PLAIN_BOOL:
      return PyBool_FromLong(*(uint8_t*)address != 0);
    case PLAIN_FLOAT:
      return PyFloat_FromDouble(*(double*)address);
    case PLAIN_ANY:
      return ss_value_from_view((TVMFFIAny*)address);
    case BY_GETTER:
      break;
  }
  return by_getter(field, address);
}

#if SS_FREE_THREADED
// See guard.h. The setter of another thread may release what is being read.
static PyObject* read_guarded(Field* field, PyObject* object) {
  PyObject* value;
  if (!ss_is_wrapper(object)) return read_field(field, object);  // its error
  if (ss_pin(ss_wrapper(object)) == NULL) return ss_no_handle(object);
  if (field->flags & kTVMFFIFieldFlagBitMaskWritable) {
    Py_BEGIN_CRITICAL_SECTION(object);
    value = read_field(field, object);
    Py_END_CRITICAL_SECTION();
  } else {
    value = read_field(field, object);
  }
  ss_unpin(ss_wrapper(object));
  return value;
}
#else
#define read_guarded read_field
#endif

// Whether the object has the field, with an error set when not: as long as nobody else runs, or with a pin.
static int has_field(Field* field, PyObject* object) {
#if SS_FREE_THREADED
  if (!ss_is_wrapper(object)) return native_of(field, object) != NULL;  // its error
  if (ss_pin(ss_wrapper(object)) == NULL) return ss_no_handle(object) != NULL;
  int has = native_of(field, object) != NULL;
  ss_unpin(ss_wrapper(object));
  return has;
#else
  return native_of(field, object) != NULL;
#endif
}

static PyObject* field_get(PyObject* self, PyObject* object, PyObject* type) {
  (void)type;
  if (SS_UNLIKELY(object == NULL)) {
    Py_INCREF(self);
    return self;
  }
  return read_guarded((Field*)self, object);
}

// The setter's own call; a Function setter gets the field's address as an opaque pointer.
static int call_setter(Field* field, char* address, TVMFFIAny* view) {
  if (!(field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) {
    TVMFFIFieldSetter setter;
    *(void**)&setter = field->setter;
    return setter(address, view) == 0 ? 0 : ss_raise_native();
  }
  TVMFFIAny args[2] = {{.type_index = kTVMFFIOpaquePtr, .v_ptr = address}, *view};
  TVMFFIAny result;
  if (ss_invoke(field->setter, ss_release_gil_default, args, 2, &result) != 0) return -1;
  ss_any_clear(&result);
  return 0;
}

// Puts the field's name in front of the error that is set, unless whoever raised it has named the field.
static void name_field_in_error(const Field* field) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject* name = PyUnicode_FromFormat("%U.%U", field->owner_key, field->name);
  PyObject* text = name == NULL || value == NULL ? NULL : PyObject_Str(value);
  int named = text != NULL && PyUnicode_Contains(text, name) == 1;
  Py_XDECREF(name);
  Py_XDECREF(text);
  PyErr_Restore(type, value, traceback);
  if (!named) ss_prefix_error("%U.%U: ", field->owner_key, field->name);
}

// Sets the field; with `frozen_too`, one that is read-only for Python as well.
static int set(Field* field, PyObject* object, PyObject* value, int frozen_too) {
  if (!has_field(field, object)) return -1;
  if ((!(field->flags & kTVMFFIFieldFlagBitMaskWritable) && !frozen_too) || field->setter == NULL) {
    PyErr_Format(PyExc_AttributeError, "field '%U' of '%U' is read-only", field->name, field->owner_key);
    return -1;
  }
  if (value == NULL) {
    PyErr_Format(PyExc_AttributeError, "field '%U' of '%U' cannot be deleted", field->name, field->owner_key);
    return -1;
  }
  SsTemp item;
  SsTemps temps = {&item, 0, 0};
  TVMFFIAny view;
  int rc = ss_to_view(value, &view, &temps);
  if (rc == 0) {
    TVMFFIObject* native = ss_pin(ss_wrapper(object));  // now: the conversion may have run Python code
    rc = -1;
    if (native != NULL) {
      SS_BEGIN_CRITICAL_SECTION(object);
      rc = call_setter(field, (char*)native + field->offset, &view);
      SS_END_CRITICAL_SECTION();
      ss_unpin(ss_wrapper(object));
    } else {
      ss_no_handle(object);
    }
    ss_views_done(&temps, &value, 1);
  }
  if (rc != 0) name_field_in_error(field);
  return rc;
}

static int field_set(PyObject* self, PyObject* object, PyObject* value) { return set((Field*)self, object, value, 0); }

int ss_field_restore(PyObject* field, PyObject* object, PyObject* value) {
  return set((Field*)field, object, value, 1);
}

static Storage storage_of(const TVMFFIFieldInfo* info) {
  if (!(info->flags & SELFSAME_FIELD_PLAIN)) return BY_GETTER;
  int32_t index = info->field_static_type_index;
  if (index == kTVMFFIInt && info->size == 8) return PLAIN_INT;
  if (index == kTVMFFIBool && info->size == 1) return PLAIN_BOOL;
  if (index == kTVMFFIFloat && info->size == 8) return PLAIN_FLOAT;
  if (index >= kTVMFFIStaticObjectBegin && info->size == 8) return PLAIN_OBJECT;
  if (index == kTVMFFIAny && info->size == 16) return PLAIN_ANY;
  return BY_GETTER;
}

static PyObject* text_or_none(const TVMFFIByteArray* bytes) {
  if (bytes->size == 0) Py_RETURN_NONE;
  return ss_text(bytes);
}

PyObject* ss_field_new(const TVMFFITypeInfo* owner, const TVMFFIFieldInfo* info) {
  Field* field = PyObject_New(Field, &SsField_Type);
  if (field == NULL) return NULL;
  field->owner = owner->type_index;
  field->seen = owner->type_index;
  field->depth = owner->type_depth;
  field->storage = storage_of(info);
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
  Field* field = (Field*)self;
  Py_XDECREF(field->name);
  Py_XDECREF(field->doc);
  Py_XDECREF(field->metadata);
  Py_XDECREF(field->owner_key);
  Py_XDECREF(field->default_value);
  PyObject_Free(self);
}

static PyObject* field_repr(PyObject* self) {
  Field* field = (Field*)self;
  return PyUnicode_FromFormat("<field '%U' of '%U'>", field->name, field->owner_key);
}

static PyMemberDef members[] = {
    {"__name__", T_OBJECT, offsetof(Field, name), READONLY, "The field's name."},
    {"name", T_OBJECT, offsetof(Field, name), READONLY, "The field's name."},
    {"__doc__", T_OBJECT, offsetof(Field, doc), READONLY, NULL},
    {"doc", T_OBJECT, offsetof(Field, doc), READONLY, "The field's documentation, or None."},
    {"metadata", T_OBJECT, offsetof(Field, metadata), READONLY, "JSON text with the field's type schema."},
    {"type_key", T_OBJECT, offsetof(Field, owner_key), READONLY, "Key of the type the field was registered for."},
    {"flags", T_LONGLONG, offsetof(Field, flags), READONLY, "The flag bits of the ABI."},
    {"offset", T_LONGLONG, offsetof(Field, offset), READONLY, "Offset from the native object's address."},
    {"default", T_OBJECT_EX, offsetof(Field, default_value), READONLY, "The default; AttributeError without one."},
    {NULL, 0, 0, 0, NULL}};

static PyObject* get_frozen(PyObject* self, void* closure) {
  (void)closure;
  return PyBool_FromLong(!(((Field*)self)->flags & kTVMFFIFieldFlagBitMaskWritable));
}

static PyObject* get_settable(PyObject* self, void* closure) {
  (void)closure;
  return PyBool_FromLong(((Field*)self)->setter != NULL);
}

static PyGetSetDef getset[] = {
    {"frozen", get_frozen, NULL, "Whether the field is read-only.", NULL},
    {"settable", get_settable, NULL,
     "Whether the field can be set at all: a read-only one when its object is restored.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject SsField_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)  //
        .tp_name = "selfsame._core.Field",
    .tp_basicsize = sizeof(Field),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = field_dealloc,
    .tp_repr = field_repr,
    .tp_descr_get = field_get,
    .tp_descr_set = field_set,
    .tp_members = members,
    .tp_getset = getset,
};
