// The garbage collectors of the process, seen from Python: running those of other languages, and being run by them.
#ifndef SELFSAME_CORE_GC_COLLECTORS_H_
#define SELFSAME_CORE_GC_COLLECTORS_H_

#include "tie/core.h"

// Adds Python's collector to the process's list. Once, when the tie table is known. 0, or -1 with an exception set.
SS_HIDDEN int ss_collectors_init(void);

// Runs the collectors of the other languages once each, with the GIL released, and then the deferred releases. Returns
// how many objects they gave back. Keeps the exception that is set. Attached threads only; may run any code.
SS_HIDDEN int64_t ss_collect_others(void);

// ss_collect_others if these collectors' objects keep much more native memory than when they ran last: called when a
// full collection of CPython's begins.
SS_HIDDEN void ss_collect_others_if_much(void);

// The functions of the module that collectors.c has.
extern SS_HIDDEN PyMethodDef ss_collectors_functions[];

#endif  // SELFSAME_CORE_GC_COLLECTORS_H_
