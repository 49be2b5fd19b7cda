// The module's functions that load libraries with Go packages. The caller must hold the GIL. Each returns a new
// reference, or NULL with an error set. A loaded library stays for the life of the process.
#ifndef SELFSAME_CORE_EXTENSION_H_
#define SELFSAME_CORE_EXTENSION_H_

#include "tie/core.h"

// Loads the library at a path and does not enter Go. Returns what its packages wait for, as text, "" where that is not
// known. Returns None when they are initialised, or do not say.
SS_HIDDEN PyObject* ss_extension_open(PyObject* module, PyObject* path);

// Loads the library at a path and runs its SelfsameExtensionInit without the GIL; raises the library's own error. Returns what
// ss_extension_setenv takes, or None for a library whose Go cannot be told of the environment.
SS_HIDDEN PyObject* ss_extension_load(PyObject* module, PyObject* path);

// Tells the Go of a loaded library of a variable's value in the environment, None when it is gone: (capsule, bytes, bytes or None).
SS_HIDDEN PyObject* ss_extension_setenv(PyObject* module, PyObject* args);

// The path of another runtime library that the process's tvm-ffi symbols come from, or None.
SS_HIDDEN PyObject* ss_extension_foreign_runtime(PyObject* module, PyObject* unused);

#endif  // SELFSAME_CORE_EXTENSION_H_
