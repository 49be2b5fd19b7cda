// The module's functions behind selfsame_ffi.debug. Each returns a new reference, or NULL with an error set.
#ifndef SELFSAME_CORE_DEBUG_H_
#define SELFSAME_CORE_DEBUG_H_

#include "tie/core.h"

// State and counts of a wrapper, as a dict.
SS_HIDDEN PyObject* ss_debug_tie(PyObject* module, PyObject* object);

// Numbers of wrappers, tie records, kept blocks and deferred releases, as a dict. Runs the deferred releases first.
SS_HIDDEN PyObject* ss_debug_counters(PyObject* module, PyObject* unused);

// A dict from classes to [live wrappers that are not held, held ones, kept blocks, bytes of kept blocks]. Runs the
// deferred releases first.
SS_HIDDEN PyObject* ss_debug_wrapper_rows(PyObject* module, PyObject* unused);

// The type index that a class, or its nearest registered base, is registered for; None when there is none.
SS_HIDDEN PyObject* ss_debug_class_index(PyObject* module, PyObject* cls);

// The size in bytes that a type was registered with, header included; None when there is no such type or size.
SS_HIDDEN PyObject* ss_debug_type_size(PyObject* module, PyObject* key);

// A dict from type keys to numbers of live native objects of the builtin allocator.
SS_HIDDEN PyObject* ss_debug_live_objects(PyObject* module, PyObject* unused);

// How many tie records have a Go handle; native objects on a free list of Go are included.
SS_HIDDEN PyObject* ss_debug_go_handles(PyObject* module, PyObject* unused);

#endif  // SELFSAME_CORE_DEBUG_H_
