// The module's function behind selfsame_ffi.debug.graph that finds the owners of native objects.
#ifndef SELFSAME_CORE_DEBUG_OWNERS_H_
#define SELFSAME_CORE_DEBUG_OWNERS_H_

#include "tie/core.h"

// owners(): the ownership graph of all native objects that have or had a wrapper. It is a list of tuples (address, type
// index or -1, strong count, owners found, flags, [address of each native object that it owns], its wrapper or None).
// Flags: 1 a wrapper that is alive, 2 a call under way, 4 could not be read. All is as it was at one time, but for the
// wrapper: None when it has died since. Empty when no graph was made (gc/graph_request.h). New reference, or NULL with
// an error set. Not for use inside the collector. Makes no wrapper.
SS_HIDDEN PyObject* ss_debug_owners(PyObject* module, PyObject* unused);

#endif  // SELFSAME_CORE_DEBUG_OWNERS_H_
