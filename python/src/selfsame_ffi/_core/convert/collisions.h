// Keys that differ on one side of a conversion and are equal on the other: 0.5 and Fraction(1, 2) + tiny as floats, 1 and True in a dict.
//
// A container made of them would lose entries, so it is an error that names two of them.
#ifndef SELFSAME_CORE_CONVERT_COLLISIONS_H_
#define SELFSAME_CORE_CONVERT_COLLISIONS_H_

#include "tie/core.h"

// Checks a Map or Dict that was made of `count` keys, which lie `step` apart. `converted` has their native values, in the
// same way, or is NULL: then they are converted again where keys were lost. Keys that Python has as equal may be one. 0, or
// -1 with a ValueError set that names two keys. Runs Python code only where keys were lost.
SS_HIDDEN int ss_check_keys(const TVMFFIObject* map, PyObject* const* keys, const TVMFFIAny* converted,
                            Py_ssize_t count, Py_ssize_t step);

// PyDict_SetItem for a key, and PySet_Add for an element, that must be new. 0, or -1 with an error set: a ValueError that
// names both keys when there is an equal one.
SS_HIDDEN int ss_dict_add_new(PyObject* dict, PyObject* key, PyObject* value);
SS_HIDDEN int ss_set_add_new(PyObject* set, PyObject* element);

#endif  // SELFSAME_CORE_CONVERT_COLLISIONS_H_
