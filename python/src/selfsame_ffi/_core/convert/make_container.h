// Python lists, tuples and mappings to native containers.
#ifndef SELFSAME_PY_MAKE_CONTAINER_H_
#define SELFSAME_PY_MAKE_CONTAINER_H_

#include "convert/builtin.h"
#include "tie/core.h"

// A new Array of the sequence's items. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_array_from_sequence(PyObject* sequence);

// A new Map or Dict with the entries of `source`: a mapping, an iterable of pairs, or NULL for no entries. `maker` is
// SS_BUILTIN_MAP or SS_BUILTIN_DICT. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_map_from_mapping(PyObject* source, SsBuiltin maker);

#endif  // SELFSAME_PY_MAKE_CONTAINER_H_
