// The module's functions that the package calls once when a process starts, when it ends and around os.fork. The
// caller must hold the GIL. Each returns a new reference, or NULL with an error set.
#ifndef SELFSAME_CORE_PROCESS_H_
#define SELFSAME_CORE_PROCESS_H_

#include "tie/core.h"

// start(library, release_gil): opens the runtime library and binds its functions, once in a process. Returns whether
// this was the first call.
SS_HIDDEN PyObject* ss_process_start(PyObject* module, PyObject* args);

// For atexit: from here on no release is deferred and no block kept.
SS_HIDDEN PyObject* ss_process_shut_down(PyObject* module, PyObject* unused);

// For os.register_at_fork.
SS_HIDDEN PyObject* ss_process_before_fork(PyObject* module, PyObject* unused);
SS_HIDDEN PyObject* ss_process_after_fork_in_parent(PyObject* module, PyObject* unused);

// For os.register_at_fork, in the child, whose only thread is the main one.
SS_HIDDEN PyObject* ss_process_after_fork(PyObject* module, PyObject* unused);

#endif  // SELFSAME_CORE_PROCESS_H_
