// The native objects that cannot be collected in a cycle, and why: what selfsame_ffi.debug.unaccounted() lists.
#ifndef SELFSAME_PY_LEAK_REPORT_H_
#define SELFSAME_PY_LEAK_REPORT_H_

#include "tie/core.h"

// Returns a list of (type index or -1, reason, number of unknown owners). It names the native objects that are external
// for a reason of their own, not because of an owner that is, and those that may own a Python object that is not known.
// The reasons are "owner", "weak", "call" and "unread", and "exporter" with the number of unknown Python objects. Empty
// when no graph was made (graph_request.h). New reference, or NULL with an error set.
SS_HIDDEN PyObject* ss_leak_report(PyObject* module, PyObject* unused);

#endif  // SELFSAME_PY_LEAK_REPORT_H_
