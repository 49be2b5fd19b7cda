// The raised error of the calling thread (raise.c), errors about memory (error.c), and checks of arguments.
#ifndef SELFSAME_INTERNAL_PLANE_CORE_RAISE_H_
#define SELFSAME_INTERNAL_PLANE_CORE_RAISE_H_

#include "selfsame/internal/attributes.h"
#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// Raises an error with a formatted message in the calling thread. Always returns -1.
int ss_raise(const char* kind, const char* format, ...) SS_PRINTF(2, 3);
// The same for text that is not NUL-terminated, or has no format.
int ss_raise_bytes(const char* kind, const char* message, size_t size);
// Raises MemoryError; `what` names the thing that there was no memory for. Needs no memory. Always returns -1.
int ss_raise_no_memory(const char* what);
// The calling thread's raised error, borrowed, or NULL.
const TVMFFIObject* ss_raised(void);
// The raised error's message, or "" when there is none. Valid until the thread raises or takes an error.
const char* ss_raised_message(void);
// Prints the raised error as upstream's functions without a return code do, and exits with status 255.
void ss_exit_with_raised(const char* function) __attribute__((noreturn));

// Raises ValueError about an argument of `function`. Always returns 0.
int ss_raise_null(const char* function, const char* argument);
int ss_raise_no_data(const TVMFFIByteArray* b, const char* function, const char* argument);

// Whether a pointer argument is not NULL. Raises ValueError and returns 0 when it is.
static inline int ss_check_ptr(const void* p, const char* function, const char* argument) {
  return SS_LIKELY(p != NULL) ? 1 : ss_raise_null(function, argument);
}

// The same for a byte array, which must have data when it has a size.
static inline int ss_check_bytes(const TVMFFIByteArray* b, const char* function, const char* argument) {
  if (SS_UNLIKELY(b == NULL)) return ss_raise_null(function, argument);
  return SS_LIKELY(b->data != NULL || b->size == 0) ? 1 : ss_raise_no_data(b, function, argument);
}

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_RAISE_H_
