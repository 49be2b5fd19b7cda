// Python lists, tuples and mappings to native containers.
#ifndef SELFSAME_CORE_CONVERT_MAKE_CONTAINER_H_
#define SELFSAME_CORE_CONVERT_MAKE_CONTAINER_H_

#include "convert/builtin.h"
#include "convert/dlpack_exchange.h"

// `use` may be NULL; otherwise it is told of other packages' tensors among the values, at any depth, and where it says so
// they are lent: then the container must be released before ss_lent_tensors_done.

// A new Array of the sequence's items. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_array_from_sequence(PyObject* sequence, SsExchangeUse* use);

// A new Map or Dict with the entries of `source`: a mapping, an iterable of pairs, or NULL for no entries. `maker` is
// SS_BUILTIN_MAP or SS_BUILTIN_DICT. `called` is the class that is called, which errors about a key or value name; or
// NULL. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_map_from_mapping(PyObject* source, SsBuiltin maker, const char* called, SsExchangeUse* use);

#endif  // SELFSAME_CORE_CONVERT_MAKE_CONTAINER_H_
