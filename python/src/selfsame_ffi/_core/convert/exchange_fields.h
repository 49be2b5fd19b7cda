// Tensors of other packages in an argument that a Go func reads as a record: an instance of a dataclass, or another object
// with attributes. Native code gets the object itself and reads it during the call, so the tensors in it are looked for
// before the call, which then is one of their package.
#ifndef SELFSAME_CORE_CONVERT_EXCHANGE_FIELDS_H_
#define SELFSAME_CORE_CONVERT_EXCHANGE_FIELDS_H_

#include "convert/dlpack_exchange.h"

// Notes the tensors in the fields of `value`, and in the records, lists, tuples and dicts in these. Sets no error: the
// conversion of a field says what is wrong with it. May run Python code.
SS_HIDDEN void ss_exchange_use_fields(PyObject* value, SsExchangeUse* use);

// The names of the fields of a dataclass. New reference to a list; NULL when the class is no dataclass, or with an error
// set.
SS_HIDDEN PyObject* ss_dataclass_fields(PyTypeObject* cls);

#endif  // SELFSAME_CORE_CONVERT_EXCHANGE_FIELDS_H_
