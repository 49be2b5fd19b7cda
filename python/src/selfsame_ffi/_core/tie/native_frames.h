// The addresses on the calling thread's native stack. Any thread.
#ifndef SELFSAME_PY_NATIVE_FRAMES_H_
#define SELFSAME_PY_NATIVE_FRAMES_H_

#ifdef _WIN32

#include <windows.h>

// Stores at most `room` addresses, the most recent call first, and returns how many.
static inline int ss_native_frames(void** addresses, int room) {
  return RtlCaptureStackBackTrace(0, (DWORD)room, addresses, NULL);
}

#else

#include <execinfo.h>

// Stores at most `room` addresses, the most recent call first, and returns how many.
static inline int ss_native_frames(void** addresses, int room) { return backtrace(addresses, room); }

#endif

#endif  // SELFSAME_PY_NATIVE_FRAMES_H_
