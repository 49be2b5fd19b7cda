// RecordInit, the __init__ of a class declared in Python: its parts, which record_init_type.c makes of the declaration and
// record_init.c uses in each call.
#ifndef SELFSAME_CORE_TYPES_RECORD_INIT_H_
#define SELFSAME_CORE_TYPES_RECORD_INIT_H_

#include "types/field_internal.h"

typedef struct {
  SsField* field;      // owned
  PyObject* standard;  // the default, owned; NULL without one
  PyObject* factory;   // the callable that makes the default, owned; NULL without one
  TVMFFIAny constant;  // the default's native value, when it may be shared; otherwise `shared` is 0
  int shared;          // whether constant is the default
  int takes;           // an argument sets it
  int by_name;         // only a keyword argument does
} SsRecordSlot;

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
  SsRecordSlot slots[];      // one for each field
} SsRecordInit;

// Whether a call must have an argument for the field.
static inline int ss_record_requires(const SsRecordSlot* slot) {
  return slot->takes && slot->standard == NULL && slot->factory == NULL;
}

// RecordInit.__call__(object, *args, **kwargs): makes the native object of a wrapper without one.
SS_HIDDEN PyObject* ss_record_vectorcall(PyObject* init, PyObject* const* args, size_t nargsf, PyObject* kwnames);

// RecordInit.fill(object, *args, **kwargs): sets the fields of an object that has a native one.
SS_HIDDEN PyObject* ss_record_fill(PyObject* init, PyObject* const* args, Py_ssize_t count, PyObject* kwnames);

#endif  // SELFSAME_CORE_TYPES_RECORD_INIT_H_
