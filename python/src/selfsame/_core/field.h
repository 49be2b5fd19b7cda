// Field: the descriptor of a reflected field.
#ifndef SELFSAME_PY_FIELD_H_
#define SELFSAME_PY_FIELD_H_

#include "core.h"

extern SS_HIDDEN PyTypeObject SsField_Type;

// The descriptor of a field of the type `owner`. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_field_new(const TVMFFITypeInfo* owner, const TVMFFIFieldInfo* info);

#endif  // SELFSAME_PY_FIELD_H_
