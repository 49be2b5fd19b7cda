// Recursive conversions of nested values: see recursion.h.
#include "convert/recursion.h"

#if PY_VERSION_HEX < 0x030E0000

#include "selfsame/internal/thread_stack.h"

int ss_enter_recursion(const char* where) {
  static __thread SsStackReserve reserve;
  static __thread int asked;
  if (Py_EnterRecursiveCall(where) != 0) return -1;
  if (!asked) {
    reserve = ss_stack_reserve();
    asked = 1;
  }
  if (!ss_in_stack_reserve(&reserve)) return 0;
  Py_LeaveRecursiveCall();
  PyErr_Format(PyExc_RecursionError, "maximum recursion depth exceeded%s: it is nested too deep for the thread's stack",
               where);
  return -1;
}

#endif
