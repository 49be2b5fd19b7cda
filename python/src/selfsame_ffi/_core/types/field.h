// Field: the descriptor of a reflected field.
#ifndef SELFSAME_PY_FIELD_H_
#define SELFSAME_PY_FIELD_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsField_Type;

// The descriptor of a field of the type `owner`. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_field_new(const TVMFFITypeInfo* owner, const TVMFFIFieldInfo* info);

// Sets a field, a read-only one too: for objects that are being restored. `field` is a Field. 0, or -1 with an error
// set.
SS_HIDDEN int ss_field_restore(PyObject* field, PyObject* object, PyObject* value);

#endif  // SELFSAME_PY_FIELD_H_
