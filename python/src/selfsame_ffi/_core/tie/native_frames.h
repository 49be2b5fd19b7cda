// The addresses on the calling thread's native stack. Any thread.
#ifndef SELFSAME_CORE_TIE_NATIVE_FRAMES_H_
#define SELFSAME_CORE_TIE_NATIVE_FRAMES_H_

#include <stdlib.h>  // says which C library it is

#ifdef _WIN32

#include <windows.h>

// Stores at most `room` addresses, the most recent call first, and returns how many.
static inline int ss_native_frames(void** addresses, int room) {
  return RtlCaptureStackBackTrace(0, (DWORD)room, addresses, NULL);
}

#elif defined(__linux__) && !defined(__GLIBC__)  // musl has no function for it, and compilers have

#include <unwind.h>

typedef struct {
  void** addresses;  // where return addresses go; the caller's
  int room, count;   // how many fit, and are there
} SsNativeFrames;

static inline _Unwind_Reason_Code ss_native_frame(struct _Unwind_Context* context, void* data) {
  SsNativeFrames* frames = data;
  if (frames->count == frames->room) return _URC_NORMAL_STOP;
  frames->addresses[frames->count++] = (void*)_Unwind_GetIP(context);
  return _URC_NO_REASON;
}

// Stores at most `room` addresses, the most recent call first, and returns how many.
static inline int ss_native_frames(void** addresses, int room) {
  SsNativeFrames frames = {addresses, room, 0};
  _Unwind_Backtrace(ss_native_frame, &frames);
  return frames.count;
}

#else

#include <execinfo.h>

// Stores at most `room` addresses, the most recent call first, and returns how many.
static inline int ss_native_frames(void** addresses, int room) { return backtrace(addresses, room); }

#endif

#endif  // SELFSAME_CORE_TIE_NATIVE_FRAMES_H_
