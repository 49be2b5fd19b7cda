// Where native objects are made: while tracing is on, an allocator of this module stands before the process's own and
// notes for each object its size, its type, the Python stack and the native stack.
//
// An object that was made while tracing was on stays noted until it is freed. Objects without a delete_space in their
// prefix are not noted, since their death cannot be seen.
#ifndef SELFSAME_CORE_TIE_ALLOC_TRACE_H_
#define SELFSAME_CORE_TIE_ALLOC_TRACE_H_

#include "tie/core.h"

// Set while tracing is on: notes the calling thread's Python stack. A call that releases the GIL calls it before, so
// that objects made during the call are known by it. NULL otherwise.
extern SS_HIDDEN void (*ss_alloc_trace_note)(void);

// The functions of the module that alloc_trace.c has.
extern SS_HIDDEN PyMethodDef ss_alloc_trace_functions[];

#endif  // SELFSAME_CORE_TIE_ALLOC_TRACE_H_
