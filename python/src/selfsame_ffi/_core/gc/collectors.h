// The garbage collectors of the process, seen from Python: running those of other languages, and being run by them.
#ifndef SELFSAME_PY_COLLECTORS_H_
#define SELFSAME_PY_COLLECTORS_H_

#include "tie/core.h"

// Adds Python's collector to the process's list. Once, when the tie table is known. 0, or -1 with an exception set.
SS_HIDDEN int ss_collectors_init(void);

// Runs the collectors of the other languages once each, with the GIL released, and then the deferred releases. Returns
// how many objects they gave back. Keeps the exception that is set. Attached threads only; may run any code.
SS_HIDDEN int64_t ss_collect_others(void);

// ss_collect_others if these collectors' objects keep much more native memory than when they ran last: called when a
// full collection of CPython's begins.
SS_HIDDEN void ss_collect_others_if_much(void);

// The method collectors() of the module: a list of (language, bytes of native memory that its objects keep, or None).
SS_HIDDEN PyObject* ss_collectors_list(PyObject* module, PyObject* unused);

// The method collect_others() of the module: ss_collect_others.
SS_HIDDEN PyObject* ss_collectors_run(PyObject* module, PyObject* unused);

// The method wait_for_cleanups() of the module, with the GIL let go.
SS_HIDDEN PyObject* ss_collectors_wait(PyObject* module, PyObject* unused);

// The method collect_at_exit() of the module, for atexit: runs the other collectors until they find nothing more,
// unless their objects keep nothing. Keeps the GIL.
SS_HIDDEN PyObject* ss_collectors_exit(PyObject* module, PyObject* unused);

#endif  // SELFSAME_PY_COLLECTORS_H_
