// What the module is made of: the functions of the files in this folder, which module.c names.
#ifndef SELFSAME_CORE_MODULE_H_
#define SELFSAME_CORE_MODULE_H_

#include "tie/core.h"

// ---- at_exit.c ------------------------------------------------------------------------------------

// What native code keeps of Python's, at the end of the interpreter.

// Has the interpreter see from here on who keeps the callables of native code's Functions, the registered classes and those
// of errors: an object that dies with the modules. Called once, by the thread that ends the interpreter. The caller holds
// the GIL. 0, or -1 with an error set.
SS_HIDDEN int ss_let_go_at_exit(void);

// ---- debug.c --------------------------------------------------------------------------------------

// The module's functions behind selfsame_ffi.debug. Each returns a new reference, or NULL with an error set.

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

// ---- debug_graph.c --------------------------------------------------------------------------------

// The module's functions behind selfsame_ffi.debug.graph and debug.objects that read native objects. Each returns a new
// reference, or NULL with an error set. None is for use inside the collector.

// native_graph(wrappers, limit): what the wrappers' native objects lead to, at most `limit` native objects. A list of
// tuples (address, type index, strong, weak, record, state, Go handle id, bytes, fields, references, wrapper, Python
// object), roots first. `strong` leaves out the references that this function owns while it runs. `fields` is a list of
// (name, value), `references` one of (kind, label, number of the node or -1 beyond the limit). No wrapper is made with
// the GIL; without it one is made for each native object, because its lock is the native object's.
SS_HIDDEN PyObject* ss_debug_native_graph(PyObject* module, PyObject* args);

// objects(type_index): the wrappers of the native objects of exactly this type that have a wrapper or a kept block.
SS_HIDDEN PyObject* ss_debug_objects(PyObject* module, PyObject* type_index);

// ---- debug_owners.c -------------------------------------------------------------------------------

// The module's function behind selfsame_ffi.debug.graph that finds the owners of native objects.

// owners(): the ownership graph of all native objects that have or had a wrapper. It is a list of tuples (address, type
// index or -1, strong count, owners found, flags, [address of each native object that it owns], its wrapper or None).
// Flags: 1 a wrapper that is alive, 2 a call under way, 4 could not be read. All is as it was at one time, but for the
// wrapper: None when it has died since. Empty when no graph was made (gc/graph.h). New reference, or NULL with
// an error set. Not for use inside the collector. Makes no wrapper.
SS_HIDDEN PyObject* ss_debug_owners(PyObject* module, PyObject* unused);

// ---- extension.c ----------------------------------------------------------------------------------

// The module's functions that load libraries with Go packages. The caller must hold the GIL. Each returns a new
// reference, or NULL with an error set. A loaded library stays for the life of the process.

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

// ---- handlers.c -----------------------------------------------------------------------------------

// Handlers of signals that Python installs after Go's.

// Has faulthandler.enable, faulthandler.disable and signal.signal for SIGURG and SIGINT put their handlers below Go's from
// here on, for the life of the process: SelfsameBelowGo in selfsame.h. The caller holds the GIL. 0, or -1 with an error set.
SS_HIDDEN int ss_handlers_init(void);

// ---- process.c ------------------------------------------------------------------------------------

// The module's functions that the package calls once when a process starts, when it ends and around os.fork. The
// caller must hold the GIL. Each returns a new reference, or NULL with an error set.

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

#endif  // SELFSAME_CORE_MODULE_H_
