// Field: the descriptor of a reflected field. Plain storage is read where it lies, anything else through the getter.
#include "types/field.h"

#include <stddef.h>
#include <structmember.h>

#include "wrapper/classes.h"
#include "convert/convert.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "types/field_storage.h"
#include "wrapper/fetch.h"
#include "convert/to_python.h"

// How often a field is read through its getter before the getter is looked up: that walks all symbols of a library.
enum { TRIALS = 1000 };

typedef struct {
  PyObject_HEAD int32_t owner;  // type index the field was registered for
  int32_t seen;                 // a type index known to be derived from it, which the next object probably has too
  int32_t depth;                // type depth of the owner
  SsFieldStorage storage;
  SsFieldStorage candidate;  // what the storage is if the getter only reads
  int32_t trials;            // reads until the getter is looked up; 0: it was, or nothing can come of it
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

// The error for an object that does not have the field.
static TVMFFIObject* no_native(Field* field, PyObject* object) {
  if (!ss_is_wrapper(object)) {
    PyErr_Format(PyExc_TypeError, "field '%U' of '%U' cannot be read from a '%.100s' object", field->name,
                 field->owner_key, Py_TYPE(object)->tp_name);
  } else if (ss_wrapper(object)->handle == NULL) {
    ss_no_handle(object);
  } else {
    PyErr_Format(PyExc_TypeError, "field '%U' of '%U' does not belong to a '%.100s' object", field->name,
                 field->owner_key, Py_TYPE(object)->tp_name);
  }
  return NULL;
}

// The native that has the field, or NULL with an error set.
static inline TVMFFIObject* native_of(Field* field, PyObject* object) {
  if (SS_UNLIKELY(!ss_is_wrapper(object))) return no_native(field, object);
  TVMFFIObject* native = ss_wrapper(object)->handle;
  if (SS_UNLIKELY(native == NULL)) return no_native(field, object);
  if (SS_LIKELY(native->type_index == field->owner) || derives_from(field, native->type_index)) return native;
  return no_native(field, object);
}

// Once a field was read often enough, and the getter gave what a reader would have found each time, its getter is
// looked up. Lets other threads run.
static void end_trials(Field* field) {
  PyThreadState* thread = PyEval_SaveThread();
  int only_reads = ss_getter_only_reads(field->getter, field->candidate);
  PyEval_RestoreThread(thread);
  if (only_reads) __atomic_store_n(&field->storage, field->candidate, __ATOMIC_RELAXED);
}

// Calls the getter. It may run Python code, which is not to move the native away from under it.
static int call_getter(Field* field, PyObject* object, char* address, TVMFFIAny* value) {
  ss_flags_add(ss_wrapper(object), SS_PIN);
  int rc = field->getter(address, value);
  ss_unpin(ss_wrapper(object));
  return rc;
}

static PyObject* by_getter(Field* field, PyObject* object, char* address) {
  TVMFFIAny value = {.type_index = kTVMFFINone};
  if (field->getter == NULL) {
    PyErr_Format(PyExc_AttributeError, "field '%U' of '%U' has no getter", field->name, field->owner_key);
    return NULL;
  }
  int32_t trials = __atomic_load_n(&field->trials, __ATOMIC_RELAXED);
  TVMFFIAny expected;
  if (trials > 0) expected = ss_field_storage_value(field->candidate, address);
  if (SS_UNLIKELY(call_getter(field, object, address, &value) != 0)) {
    ss_raise_native();
    return NULL;
  }
  if (trials > 0) {
    int same = value.type_index == expected.type_index && value.zero_padding == expected.zero_padding &&
               value.v_uint64 == expected.v_uint64;
    __atomic_store_n(&field->trials, same ? trials - 1 : 0, __ATOMIC_RELAXED);
    if (same && trials == 1) {
      PyObject* result = ss_value_take(&value);
      if (result != NULL) end_trials(field);
      return result;
    }
  }
  return ss_value_take(&value);
}

// Reads the field. The caller keeps the native alive and the field unchanged.
static inline PyObject* read_field(Field* field, PyObject* object) {
  TVMFFIObject* native = native_of(field, object);
  if (SS_UNLIKELY(native == NULL)) return NULL;
  char* address = (char*)native + field->offset;
  SsFieldStorage storage = __atomic_load_n(&field->storage, __ATOMIC_RELAXED);
  if (SS_LIKELY(storage == SS_PLAIN_OBJECT)) {
    TVMFFIObject* child = *(TVMFFIObject**)address;
    if (SS_UNLIKELY(child == NULL)) Py_RETURN_NONE;
    if (SS_LIKELY(child->type_index >= kTVMFFIStaticObjectEnd)) return ss_fetch_borrowed(child);
  }
  if (storage == SS_PLAIN_INT) return PyLong_FromLongLong(*(int64_t*)address);
  if (storage == SS_BY_GETTER) return by_getter(field, object, address);
  TVMFFIAny view = ss_field_storage_value(storage, address);
  return ss_value_from_view(&view);
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

// The most frequent read: of a plain object whose wrapper is there. Borrowed; NULL when it is another. Calls nothing,
// so that it needs no memory of its own.
static inline PyObject* peek_field(const Field* field, PyObject* object) {
  if (SS_FREE_THREADED) return NULL;  // a wrapper is looked at with a pin there
  if (SS_UNLIKELY(field->storage != SS_PLAIN_OBJECT || Py_TYPE(object)->tp_dealloc != ss_dealloc_heap)) return NULL;
  const TVMFFIObject* native = ss_wrapper(object)->handle;
  if (SS_UNLIKELY(native == NULL || (native->type_index != field->owner && native->type_index != field->seen))) {
    return NULL;
  }
  const TVMFFIObject* child = *(TVMFFIObject**)((char*)native + field->offset);
  if (SS_UNLIKELY(child == NULL || child->type_index < kTVMFFIStaticObjectEnd)) return NULL;
  return (PyObject*)ss_peek(child);
}

static __attribute__((noinline)) PyObject* get_slow(PyObject* self, PyObject* object) {
  if (object != NULL) return read_guarded((Field*)self, object);
  Py_INCREF(self);
  return self;
}

static PyObject* field_get(PyObject* self, PyObject* object, PyObject* type) {
  (void)type;
  PyObject* value = SS_LIKELY(object != NULL) ? peek_field((Field*)self, object) : NULL;
  if (SS_UNLIKELY(value == NULL)) return get_slow(self, object);
  Py_INCREF(value);
  return value;
}

// The setter's own call; a Function setter gets the field's address as an opaque pointer. The GIL stays,
// as it does for a C setter: it is what keeps two threads from changing one field at a time, or reading it meanwhile.
static int call_setter(Field* field, char* address, TVMFFIAny* view) {
  if (!(field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) {
    TVMFFIFieldSetter setter;
    *(void**)&setter = field->setter;
    return setter(address, view) == 0 ? 0 : ss_raise_native();
  }
  TVMFFIAny args[2] = {{.type_index = kTVMFFIOpaquePtr, .v_ptr = address}, *view};
  TVMFFIAny result;
  if (ss_invoke(field->setter, 0, args, 2, &result) != 0) return -1;
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
  field->candidate = ss_field_storage_if_plain(info);
  int plain = (info->flags & SELFSAME_FIELD_PLAIN) != 0;
  field->storage = plain ? field->candidate : SS_BY_GETTER;
  field->trials = plain || field->candidate == SS_BY_GETTER ? 0 : TRIALS;
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

static PyObject* get_plain(PyObject* self, void* closure) {
  (void)closure;
  return PyBool_FromLong(__atomic_load_n(&((Field*)self)->storage, __ATOMIC_RELAXED) != SS_BY_GETTER);
}

static PyGetSetDef getset[] = {
    {"plain", get_plain, NULL, "Whether reads look at the storage themselves, without the getter.", NULL},
    {"frozen", get_frozen, NULL, "Whether the field is read-only.", NULL},
    {"settable", get_settable, NULL,
     "Whether the field can be set at all: a read-only one when its object is restored.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject SsField_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)  //
        .tp_name = "selfsame_ffi._core.Field",
    .tp_basicsize = sizeof(Field),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = field_dealloc,
    .tp_repr = field_repr,
    .tp_descr_get = field_get,
    .tp_descr_set = field_set,
    .tp_members = members,
    .tp_getset = getset,
};
