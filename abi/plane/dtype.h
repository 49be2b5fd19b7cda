// Private to the data plane: the names of data types, shared by the parser and the printer.
#ifndef SELFSAME_ABI_PLANE_DTYPE_H_
#define SELFSAME_ABI_PLANE_DTYPE_H_

#include "plane.h"

#pragma GCC visibility push(hidden)

#define SS_DTYPE_CUSTOM_BEGIN 129  // codes from here on are registered by the program

typedef struct {
  const char* name;
  uint8_t size;  // of the name
  uint8_t code;
  uint8_t bits;  // when the text names none
  char exact;    // '\0': bits may follow the name; '8', '6', '4': one of the float<n>_ types, whose bits are fixed
} ss_dtype_name;

extern const ss_dtype_name ss_dtype_names[];  // ends with a NULL name

// Calls the global function `function` with one argument (borrowed). Returns 0 with an owned result, else -1 raised:
// ValueError when there is no such function.
int ss_dtype_ask(const char* function, const TVMFFIAny* argument, TVMFFIAny* result);
// Raises TypeError: `value` is not a `wanted`. Always returns -1.
int ss_dtype_bad_answer(const TVMFFIAny* value, const char* wanted);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_DTYPE_H_
