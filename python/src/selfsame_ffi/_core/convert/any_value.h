// CAny: an owned native value as a Python object.
#ifndef SELFSAME_CORE_CONVERT_ANY_VALUE_H_
#define SELFSAME_CORE_CONVERT_ANY_VALUE_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsAnyValue_Type;

// A new CAny. Takes over the value, on failure too. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_any_value_new(TVMFFIAny* value);

#endif  // SELFSAME_CORE_CONVERT_ANY_VALUE_H_
