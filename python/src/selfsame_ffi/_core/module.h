// What the module is made of: the functions of the files in this folder, which module.c names.
#ifndef SELFSAME_CORE_MODULE_H_
#define SELFSAME_CORE_MODULE_H_

#include "tie/core.h"

// The functions of the module that these files have, which end with an entry without a name.
extern SS_HIDDEN PyMethodDef ss_debug_functions[], ss_extension_functions[], ss_process_functions[],
    ss_registry_functions[];

// ---- at_exit.c ------------------------------------------------------------------------------------

// What native code keeps of Python's, at the end of the interpreter.

// Has the interpreter see from here on who keeps the callables of native code's Functions, the registered classes and those
// of errors: an object that dies with the modules. Called once, by the thread that ends the interpreter. The caller holds
// the GIL. 0, or -1 with an error set.
SS_HIDDEN int ss_let_go_at_exit(void);

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

// ---- handlers.c -----------------------------------------------------------------------------------

// Handlers of signals that Python installs after Go's.

// Has faulthandler.enable, faulthandler.disable and signal.signal for SIGURG and SIGINT put their handlers below Go's from
// here on, for the life of the process: SelfsameBelowGo in selfsame.h. The caller holds the GIL. 0, or -1 with an error set.
SS_HIDDEN int ss_handlers_init(void);

#endif  // SELFSAME_CORE_MODULE_H_
