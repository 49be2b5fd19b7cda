// Python values as keys of Map and Dict.
//
// A container compares keys that are None, numbers, text, data types and devices by value, objects of a class with
// __any_equal__ as that says, and every other native object by its address. A Python value that becomes a new native object at each crossing would never be found again.
#ifndef SELFSAME_CORE_CONVERT_KEYS_H_
#define SELFSAME_CORE_CONVERT_KEYS_H_

#include "tie/core.h"

// Returns the object to convert in the place of `key`: the key itself, or the Function that stands for this callable in all containers.
// With `refuse`, a list, tuple, dict, tensor or exception is refused with a TypeError, because it could not be found
// again; else the container gets its new native object. May run Python code. New reference, NULL with an error set, whose
// message does not name the key.
SS_HIDDEN PyObject* ss_key_to_convert(PyObject* key, int refuse);

#endif  // SELFSAME_CORE_CONVERT_KEYS_H_
