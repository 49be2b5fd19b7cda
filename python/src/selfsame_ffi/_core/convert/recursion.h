// Recursive conversions of nested values.
#ifndef SELFSAME_PY_RECURSION_H_
#define SELFSAME_PY_RECURSION_H_

#include "tie/core.h"

// Py_EnterRecursiveCall that also heeds the thread's stack: CPython before 3.14 counts calls, however small the stack is.
// `where` follows "maximum recursion depth exceeded". 0, or -1 with a RecursionError set; after 0 the caller calls
// ss_leave_recursion. The caller must hold the GIL.
#if PY_VERSION_HEX < 0x030E0000
SS_HIDDEN int ss_enter_recursion(const char* where);
#else
#define ss_enter_recursion Py_EnterRecursiveCall
#endif

static inline void ss_leave_recursion(void) { Py_LeaveRecursiveCall(); }

#endif  // SELFSAME_PY_RECURSION_H_
