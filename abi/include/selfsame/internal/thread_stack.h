// The calling thread's stack, and how far a recursion may use it. Any thread.
#ifndef SELFSAME_INTERNAL_THREAD_STACK_H_
#define SELFSAME_INTERNAL_THREAD_STACK_H_

#include <stddef.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <pthread.h>
#endif
#if defined(__linux__) && !defined(__GLIBC__)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

// The lowest address of the calling thread's stack and its size in bytes. 0: they are not known.
static inline int ss_thread_stack(const char** begin, size_t* size) {
#if defined(_WIN32)
  ULONG_PTR low = 0, high = 0;
  GetCurrentThreadStackLimits(&low, &high);
  *begin = (const char*)low;
  *size = high - low;
  return low != 0;
#elif defined(__APPLE__)
  *size = pthread_get_stacksize_np(pthread_self());
  *begin = (const char*)pthread_get_stackaddr_np(pthread_self()) - *size;  // the system gives the highest address
  return 1;
#else
  pthread_attr_t attr;
  void* lowest = NULL;
  if (pthread_getattr_np(pthread_self(), &attr) != 0) return 0;
  int known = pthread_attr_getstack(&attr, &lowest, size) == 0;
  pthread_attr_destroy(&attr);
  if (!known) return 0;
  *begin = (const char*)lowest;
#if defined(__linux__) && !defined(__GLIBC__)
  // musl tells only the part of the first thread's stack that is in use. The system lets it grow to the limit.
  if (syscall(SYS_gettid) == getpid()) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
    if (limit.rlim_cur > *size) {
      *begin -= (size_t)limit.rlim_cur - *size;
      *size = (size_t)limit.rlim_cur;
    }
  }
#endif
  return 1;
#endif
}

// The part of a thread's stack that a recursion leaves to what it calls.
typedef struct {
  const char* begin;  // NULL: the stack is not known
  const char* end;
} SsStackReserve;

static inline SsStackReserve ss_stack_reserve(void) {
  enum { RESERVE = 256 << 10 };  // for what a hook or callback needs
  const char* begin = NULL;
  size_t size = 0;
  if (!ss_thread_stack(&begin, &size)) return (SsStackReserve){NULL, NULL};
  return (SsStackReserve){begin, begin + (size / 4 < RESERVE ? size / 4 : RESERVE)};
}

// Whether a function, called on the thread of the reserve, runs in it. A stack that is not the thread's own, such as a
// fiber's, has no known end: 0.
static inline int ss_in_stack_reserve(const SsStackReserve* reserve) {
  const char* here = (const char*)__builtin_frame_address(0);
  return here < reserve->end && here >= reserve->begin;
}

#endif  // SELFSAME_INTERNAL_THREAD_STACK_H_
