// What all containers share beyond their own operations: comparing, hashing and printing, by the runtime.
#ifndef SELFSAME_PY_CONTAINER_COMMON_H_
#define SELFSAME_PY_CONTAINER_COMMON_H_

#include "tie/core.h"

// Functions of the module: containers_equal(a, b), container_hash(a), container_repr(a), for any two wrappers.
SS_HIDDEN PyObject* ss_containers_equal(PyObject* module, PyObject* args);
SS_HIDDEN PyObject* ss_container_hash(PyObject* module, PyObject* container);
SS_HIDDEN PyObject* ss_container_repr(PyObject* module, PyObject* container);

#endif  // SELFSAME_PY_CONTAINER_COMMON_H_
