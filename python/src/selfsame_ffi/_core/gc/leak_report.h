// The native objects that cannot be collected in a cycle, and why: what selfsame_ffi.debug.unaccounted() lists.
#ifndef SELFSAME_PY_LEAK_REPORT_H_
#define SELFSAME_PY_LEAK_REPORT_H_

#include "tie/core.h"

// The native objects that are external for a reason of their own, not because of an owner that is, and those that may
// own a Python object that is not known: a list of (type index or -1, reason, number of unknown owners). The reasons
// are "owner", "weak", "call" and "unread", and "exporter" with the number of unknown Python objects. Without the GIL
// it runs a collection, since only a collection stops the other threads.
SS_HIDDEN PyObject* ss_leak_report(PyObject* module, PyObject* unused);

// To be called when a free-threaded collection begins: fills in the report that a thread has asked for. All other
// threads are stopped.
SS_HIDDEN void ss_leak_report_if_wanted(void);

#endif  // SELFSAME_PY_LEAK_REPORT_H_
