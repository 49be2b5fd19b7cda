// How deep conversions and callbacks may nest on the thread's stack.
//
// CPython before 3.14 counts nested calls, however small the stack is; from 3.14 on it heeds the stack itself.
//
// Why conversions and callbacks look at the thread's stack. CPython before 3.14 stops a recursion by a count of calls,
// 10,000 of C code on 3.12 and 3.13. A dict that contains itself, converted to a Map, needed more stack for them than
// the 8 MB that a thread usually has. A list needed more than the 1.9 MB of a main thread under wine, and on 3.11 more
// than 512 KB. So each level asks whether the thread has 256 KB left, a quarter on smaller stacks, as visits do, and
// raises a RecursionError (python/tests/calls/test_deep_values.py). Where the stack ends is found out once for each
// thread. The rest is two comparisons: a callback with 8 objects takes 1 % more instructions (`make
// bench-instructions`). A stack that is not the thread's own, such as a fiber's, is not known, and counts alone stop
// there. From 3.14 on CPython looks at the stack itself, so nothing is asked.
#ifndef SELFSAME_CORE_CONVERT_RECURSION_H_
#define SELFSAME_CORE_CONVERT_RECURSION_H_

#include "tie/core.h"

#if PY_VERSION_HEX < 0x030E0000

#include "selfsame/internal/thread_stack.h"

typedef struct {
  int known;               // whether reserve was found out
  SsStackReserve reserve;  // the part of the thread's stack that stays unused
} SsRecursion;

extern SS_HIDDEN __thread SsRecursion ss_recursion SS_STATIC_TLS;

// Whether the calling thread has used its stack up to the reserve. Any thread; needs no interpreter.
static inline int ss_stack_is_low(void) {
  if (SS_UNLIKELY(!ss_recursion.known)) ss_recursion = (SsRecursion){1, ss_stack_reserve()};
  return ss_in_stack_reserve(&ss_recursion.reserve);
}

// Py_EnterRecursiveCall that also heeds the stack. `where` follows "maximum recursion depth exceeded". 0, or -1 with a
// RecursionError set; after 0 the caller calls ss_leave_recursion. The caller must hold the GIL.
SS_HIDDEN int ss_enter_recursion(const char* where);

#else

static inline int ss_stack_is_low(void) { return 0; }
#define ss_enter_recursion Py_EnterRecursiveCall

#endif

static inline void ss_leave_recursion(void) { Py_LeaveRecursiveCall(); }

#endif  // SELFSAME_CORE_CONVERT_RECURSION_H_
