// Field: the Python descriptor of a reflected field.
#ifndef SELFSAME_CORE_TYPES_FIELD_H_
#define SELFSAME_CORE_TYPES_FIELD_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsField_Type;

// A descriptor for the field `info` of the type `owner`. Keeps both pointers' data only as copies, but for the setter,
// which the type table owns. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_field_new(const TVMFFITypeInfo* owner, const TVMFFIFieldInfo* info);

// Sets a field, also a read-only one: for an object that is being restored from a pickle or a copy. `field` is a Field.
// 0, or -1 with an error set.
SS_HIDDEN int ss_field_restore(PyObject* field, PyObject* object, PyObject* value);

#endif  // SELFSAME_CORE_TYPES_FIELD_H_
