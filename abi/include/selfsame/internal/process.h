// What the C code asks of the process, where systems differ: forks, memory with an alignment, its environment.
#ifndef SELFSAME_INTERNAL_PROCESS_H_
#define SELFSAME_INTERNAL_PROCESS_H_

#include <pthread.h>
#include <stdlib.h>

#ifdef _WIN32

#include <io.h>
#include <malloc.h>
#include <process.h>
#include <windows.h>

// Windows has no fork: the handlers never run.
static inline int ss_watch_forks(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  (void)prepare;
  (void)parent;
  (void)child;
  return 0;
}

// Memory from ss_aligned_new is given back by ss_aligned_free alone. NULL: out of memory.
static inline void* ss_aligned_new(size_t alignment, size_t size) { return _aligned_malloc(size, alignment); }
static inline void ss_aligned_free(void* memory) { _aligned_free(memory); }

// The text of a variable, NULL when there is none or it does not fit into the buffer. Each C library of a process has an
// environment of its own on Windows: what Python changes is in the system's.
static inline const char* ss_variable(const char* name, char* buffer, size_t size) {
  DWORD length = GetEnvironmentVariableA(name, buffer, (DWORD)size);
  return length > 0 && length < size ? buffer : NULL;
}

// Writes a text to standard error, from anywhere, as far as it can be written.
static inline void ss_say(const char* text, size_t size) { (void)!_write(2, text, (unsigned)size); }

#else

#include <unistd.h>

// Adds handlers of fork; each may be NULL. 0, or an error number.
static inline int ss_watch_forks(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  return pthread_atfork(prepare, parent, child);
}

// Memory from ss_aligned_new is given back by ss_aligned_free alone. NULL: out of memory. The size is a
// multiple of the alignment, a power of two.
static inline void* ss_aligned_new(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }
static inline void ss_aligned_free(void* memory) { free(memory); }

// The text of a variable, NULL when there is none. The buffer is for systems that have to copy it.
static inline const char* ss_variable(const char* name, char* buffer, size_t size) {
  (void)buffer;
  (void)size;
  return getenv(name);
}

// Writes a text to standard error, from anywhere, as far as it can be written.
static inline void ss_say(const char* text, size_t size) {
  ssize_t written = write(STDERR_FILENO, text, size);
  (void)written;
}

#endif

#endif  // SELFSAME_INTERNAL_PROCESS_H_
