// Looking at wrappers, records and live objects: functions of the module, behind selfsame_ffi.debug.
#ifndef SELFSAME_PY_DEBUG_H_
#define SELFSAME_PY_DEBUG_H_

#include "tie/core.h"

// State and counts of a wrapper, as a dict.
SS_HIDDEN PyObject* ss_debug_tie(PyObject* module, PyObject* object);

// Numbers of wrappers, records, kept blocks and queued releases, as a dict. Runs what is queued first.
SS_HIDDEN PyObject* ss_debug_counters(PyObject* module, PyObject* unused);

// [live, held, kept blocks, kept bytes] by class, as a dict. Runs what is queued first.
SS_HIDDEN PyObject* ss_debug_wrapper_rows(PyObject* module, PyObject* unused);

// The type index that a class or its nearest base is registered for, or None.
SS_HIDDEN PyObject* ss_debug_class_index(PyObject* module, PyObject* cls);

// The size in bytes that a type was registered with, header included; None when it has none or is not known.
SS_HIDDEN PyObject* ss_debug_type_size(PyObject* module, PyObject* key);

// Live native objects of the builtin allocator by type key, as a dict.
SS_HIDDEN PyObject* ss_debug_live_objects(PyObject* module, PyObject* unused);

#endif  // SELFSAME_PY_DEBUG_H_
