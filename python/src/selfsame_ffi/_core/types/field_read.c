// Reading a reflected field: plain storage directly, any other field by its getter.
#include "convert/errors.h"
#include "convert/function.h"
#include "convert/to_python.h"
#include "types/field_internal.h"
#include "wrapper/fetch.h"

// Whether objects of the type have the field. Remembers the type for the next object.
static int derives_from_owner(SsField* field, int32_t index) {
  const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(index);
  if (info == NULL || info->type_depth <= field->depth ||
      info->type_ancestors[field->depth]->type_index != field->owner) {
    return 0;
  }
  field->last_derived = index;
  return 1;
}

TVMFFIObject* ss_field_native_slow(SsField* field, PyObject* object) {
  if (ss_is_wrapper(object)) {
    TVMFFIObject* native = ss_wrapper(object)->handle;
    if (native == NULL) {
      ss_no_handle(object);
      return NULL;
    }
    if (derives_from_owner(field, native->type_index)) return native;
  }
  PyErr_Format(PyExc_TypeError, "%U.%U: expected a '%U' object, got %.100s", field->owner_key, field->name,
               field->owner_key, Py_TYPE(object)->tp_name);
  return NULL;
}

static PyObject* read_by_getter(SsField* field, PyObject* object, char* address) {
  TVMFFIAny value = {.type_index = kTVMFFINone};
  if (field->getter == NULL) {
    return PyErr_Format(PyExc_AttributeError, "%U.%U: the field has no getter", field->owner_key, field->name);
  }
  ss_pin(ss_wrapper(object));  // the getter may run Python code that moves the native object away
  int rc = field->getter(address, &value);
  ss_unpin(ss_wrapper(object));
  if (SS_UNLIKELY(rc != 0)) return ss_raise_native_null();
  ss_field_access_count(&field->access, field->getter, address, &value);
  return ss_value_take(&value);
}

// Reads the field. The caller keeps the native object alive and the field unchanged.
static inline PyObject* read_field(SsField* field, PyObject* object) {
  TVMFFIObject* native = ss_field_native(field, object);
  if (SS_UNLIKELY(native == NULL)) return NULL;
  char* address = (char*)native + field->offset;
  SsFieldStorage storage = ss_field_storage(&field->access);
  if (SS_LIKELY(storage == SS_PLAIN_OBJECT)) {
    TVMFFIObject* child = *(TVMFFIObject**)address;
    if (SS_UNLIKELY(child == NULL)) Py_RETURN_NONE;
    if (SS_LIKELY(child->type_index >= kTVMFFIStaticObjectEnd)) return ss_fetch_borrowed(child);
  }
  if (storage == SS_PLAIN_INT) return PyLong_FromLongLong(*(int64_t*)address);
  if (storage == SS_BY_GETTER) return read_by_getter(field, object, address);
  TVMFFIAny view = ss_field_storage_value(storage, address);
  return ss_value_from_view(&view);
}

#if SS_FREE_THREADED
// As in types/guard.h: a setter on another thread may release the value that is being read.
static PyObject* read_guarded(SsField* field, PyObject* object) {
  PyObject* value;
  if (!ss_is_wrapper(object)) return read_field(field, object);  // sets the error
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

// The most frequent read: a plain object field whose value has a live wrapper. New reference, NULL for any other read.
// Calls no function, so the compiler needs no stack frame for it.
static inline PyObject* peek_field(const SsField* field, PyObject* object) {
  if (SS_FREE_THREADED) return NULL;  // there, looking at a wrapper needs a pin
  if (SS_UNLIKELY(field->access.storage != SS_PLAIN_OBJECT || Py_TYPE(object)->tp_dealloc != ss_dealloc_heap)) {
    return NULL;
  }
  const TVMFFIObject* native = ss_wrapper(object)->handle;
  if (SS_UNLIKELY(native == NULL ||
                  (native->type_index != field->owner && native->type_index != field->last_derived))) {
    return NULL;
  }
  TVMFFIObject* child = *(TVMFFIObject**)((char*)native + field->offset);
  if (SS_UNLIKELY(child == NULL || child->type_index < kTVMFFIStaticObjectEnd)) return NULL;
  SsWrapper* wrapper = ss_peek(child);
  return SS_LIKELY(wrapper != NULL) ? ss_peeked(wrapper, child) : NULL;
}

static __attribute__((noinline)) PyObject* get_slow(PyObject* self, PyObject* object) {
  if (object != NULL) return read_guarded((SsField*)self, object);
  Py_INCREF(self);  // read from the class: the descriptor itself
  return self;
}

PyObject* ss_field_get(PyObject* self, PyObject* object, PyObject* type) {
  (void)type;
  PyObject* value = SS_LIKELY(object != NULL) ? peek_field((SsField*)self, object) : NULL;
  return SS_LIKELY(value != NULL) ? value : get_slow(self, object);
}
