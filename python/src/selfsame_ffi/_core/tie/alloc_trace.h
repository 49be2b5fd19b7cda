// Where native objects are made: while tracing is on, an allocator of this module stands before the process's own and
// notes for each object its size, its type, the Python stack and the native stack.
//
// An object that was made while tracing was on stays noted until it is freed. Objects without a delete_space in their
// prefix are not noted, since their death cannot be seen.
#ifndef SELFSAME_PY_ALLOC_TRACE_H_
#define SELFSAME_PY_ALLOC_TRACE_H_

#include "tie/core.h"

// Set while tracing is on: notes the calling thread's Python stack. A call that releases the GIL calls it before, so
// that objects made during the call are known by it. NULL otherwise.
extern SS_HIDDEN void (*ss_alloc_trace_note)(void);

// Functions of the module. start_tracing(frames): notes at most that many Python frames, 1 to 64, and forgets what was
// noted before. stop_tracing(): notes no more; objects that are noted stay so. is_tracing(). traced(): a list of (type
// index, size, Python stack, native stack), one for each noted object that is alive: the Python stack is a tuple of
// (file, line, function), the innermost first; the native stack is a tuple of texts.
SS_HIDDEN PyObject* ss_alloc_trace_start(PyObject* module, PyObject* frames);
SS_HIDDEN PyObject* ss_alloc_trace_stop(PyObject* module, PyObject* unused);
SS_HIDDEN PyObject* ss_alloc_trace_is_on(PyObject* module, PyObject* unused);
SS_HIDDEN PyObject* ss_alloc_trace_list(PyObject* module, PyObject* unused);

#endif  // SELFSAME_PY_ALLOC_TRACE_H_
