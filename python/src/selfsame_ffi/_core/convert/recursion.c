// How deep conversions and callbacks may nest: see recursion.h.
#include "convert/recursion.h"

#if PY_VERSION_HEX < 0x030E0000

__thread SsRecursion ss_recursion SS_STATIC_TLS;

int ss_enter_recursion(const char* where) {
  if (Py_EnterRecursiveCall(where) != 0) return -1;
  if (!ss_stack_is_low()) return 0;
  Py_LeaveRecursiveCall();
  PyErr_Format(PyExc_RecursionError, "maximum recursion depth exceeded%s: the thread's stack is almost full", where);
  return -1;
}

#endif
