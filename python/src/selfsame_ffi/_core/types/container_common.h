// Comparing, hashing and printing any container, by the runtime's own functions. Operations of one family are in
// list.c, map.c and so on; the conversion of Python lists and dicts to containers is in convert/make_container.c.
#ifndef SELFSAME_CORE_TYPES_CONTAINER_COMMON_H_
#define SELFSAME_CORE_TYPES_CONTAINER_COMMON_H_

#include "tie/core.h"

// Functions of the module: containers_equal(a, b), container_hash(a), container_repr(a). TypeError for an argument that
// is no wrapper; see _core.pyi.
SS_HIDDEN PyObject* ss_containers_equal(PyObject* module, PyObject* args);
SS_HIDDEN PyObject* ss_container_hash(PyObject* module, PyObject* container);
SS_HIDDEN PyObject* ss_container_repr(PyObject* module, PyObject* container);

#endif  // SELFSAME_CORE_TYPES_CONTAINER_COMMON_H_
