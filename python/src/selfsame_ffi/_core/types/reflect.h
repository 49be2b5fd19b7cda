// Reflection data as Python values, for the registry.
#ifndef SELFSAME_CORE_TYPES_REFLECT_H_
#define SELFSAME_CORE_TYPES_REFLECT_H_

#include "tie/core.h"

// A dict with the reflection data of a type index, None when no type has the index. New reference, NULL with an error
// set.
//   type_index, type_key, ancestors (type indices, ffi.Object first), doc (str or None), total_size,
//   fields (list of Field), methods (list of (name, doc or None, metadata, flags, value)).
SS_HIDDEN PyObject* ss_reflect_type(int32_t type_index);

// The value of a type attribute, None when it is not set. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_reflect_attr(int32_t type_index, const char* name);

// A list of the type indices of a type's ancestors; empty for an index that no type has. New reference, NULL with an
// error set.
SS_HIDDEN PyObject* ss_reflect_ancestors(PyObject* module, PyObject* index);

#endif  // SELFSAME_CORE_TYPES_REFLECT_H_
