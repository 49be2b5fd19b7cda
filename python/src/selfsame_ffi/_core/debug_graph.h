// The module's functions behind selfsame_ffi.debug.graph and debug.objects that read native objects. Each returns a new
// reference, or NULL with an error set. None is for use inside the collector.
#ifndef SELFSAME_CORE_DEBUG_GRAPH_H_
#define SELFSAME_CORE_DEBUG_GRAPH_H_

#include "tie/core.h"

// native_graph(wrappers, limit): what the wrappers' native objects lead to, at most `limit` native objects. A list of
// tuples (address, type index, strong, weak, record, state, Go handle id, bytes, fields, references, wrapper, Python
// object), roots first. `strong` leaves out the references that this function owns while it runs. `fields` is a list of
// (name, value), `references` one of (kind, label, number of the node or -1 beyond the limit). No wrapper is made with
// the GIL; without it one is made for each native object, because its lock is the native object's.
SS_HIDDEN PyObject* ss_debug_native_graph(PyObject* module, PyObject* args);

// objects(type_index): the wrappers of the native objects of exactly this type that have a wrapper or a kept block.
SS_HIDDEN PyObject* ss_debug_objects(PyObject* module, PyObject* type_index);

#endif  // SELFSAME_CORE_DEBUG_GRAPH_H_
