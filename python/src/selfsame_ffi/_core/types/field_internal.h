// The layout of Field, and the functions of field_read.c and field_set.c that make it a descriptor; see field.h.
#ifndef SELFSAME_CORE_TYPES_FIELD_INTERNAL_H_
#define SELFSAME_CORE_TYPES_FIELD_INTERNAL_H_

#include "convert/schema.h"
#include "types/types.h"
#include "types/field_storage.h"
#include "wrapper/classes.h"

typedef struct {
  PyObject_HEAD int32_t owner;  // the type index that the field was registered for
  int32_t last_derived;         // owner, or the type derived from it that was seen last: the next object's, probably
  int32_t depth;                // type depth of the owner
  SsFieldAccess access;         // how the field is read
  int64_t offset;               // of the storage in the object
  int64_t size;                 // of the storage
  int64_t alignment;            // of the storage
  int32_t storage_index;        // the ABI's field_static_type_index
  int64_t flags;                // the ABI's kTVMFFIFieldFlagBitMask*
  TVMFFIFieldGetter getter;     // the class's own; NULL: the field cannot be read
  void* setter;                 // a C function, or a Function that the type table owns for the life of the process
  PyObject* name;               // str, interned
  PyObject* doc;                // str or None
  PyObject* metadata;           // str: JSON text
  PyObject* owner_key;          // str: the type key of the owner
  PyObject* default_value;      // a Python value; NULL without one or when it comes from a factory
  PyObject* factory;            // a Function, or NULL
  SsSchema* schema;  // of a field declared in Python: its values are converted by it and stored directly; or NULL
} SsField;

// The rest of ss_field_native: accepts objects of derived types. NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_field_native_slow(SsField* field, PyObject* object);

// The native object in `object`, which must be a wrapper of the field's type. Borrowed, NULL with an error set.
static inline TVMFFIObject* ss_field_native(SsField* field, PyObject* object) {
  if (SS_LIKELY(ss_is_wrapper(object))) {
    TVMFFIObject* native = ss_wrapper(object)->handle;
    if (SS_LIKELY(native != NULL &&
                  (native->type_index == field->owner || native->type_index == field->last_derived))) {
      return native;
    }
  }
  return ss_field_native_slow(field, object);
}

// tp_descr_get and tp_descr_set of Field.
SS_HIDDEN PyObject* ss_field_get(PyObject* self, PyObject* object, PyObject* type);
SS_HIDDEN int ss_field_set(PyObject* self, PyObject* object, PyObject* value);

// Sets a field of a native object that nothing else owns yet, at its address, by its setter. 0, or -1 with an error
// set.
SS_HIDDEN int ss_field_set_native(SsField* field, char* address, PyObject* value);

// The message of a setter that refused a value of a wrong type, in the words of Python (field_error.c); None for any
// other message. `name` is that of the field with its class. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_field_error_in_words(PyObject* message, PyObject* name);

#endif  // SELFSAME_CORE_TYPES_FIELD_INTERNAL_H_
