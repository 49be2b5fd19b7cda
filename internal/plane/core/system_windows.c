// What the plane asks of the system, on Windows: see system.h.
#ifdef _WIN32

#include "system.h"

#include <windows.h>

static DWORD first_thread;

// In an executable, constructors run on the first thread. In a library it may be another one, but nobody asks there.
__attribute__((constructor(101))) static void note_thread(void) { first_thread = GetCurrentThreadId(); }

int ss_on_first_thread(void) { return GetCurrentThreadId() == first_thread; }

int ss_in_executable(void) {
  HMODULE own = NULL;
  DWORD how = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  return GetModuleHandleExW(how, (LPCWSTR)(const void*)&first_thread, &own) && own == GetModuleHandleW(NULL);
}

#endif  // _WIN32
