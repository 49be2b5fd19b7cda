// The names of data types, shared by the parser and the printer (dtype_names.c). Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_SCALARS_DTYPE_H_
#define SELFSAME_INTERNAL_PLANE_SCALARS_DTYPE_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

#define SS_DTYPE_CUSTOM_BEGIN 129  // codes from here on are registered by the program

typedef struct {
  const char* name;  // the name in text, such as "float"; static
  uint8_t size;      // of `name`
  uint8_t code;      // of DLPack
  uint8_t bits;      // when the text has none
  char exact;        // '\0': bits may follow the name; '8', '6', '4': one of the float<n>_ types, whose bits are fixed
} SsDtypeName;

extern const SsDtypeName ss_dtype_names[];  // ends with a NULL name

// Calls the global function `function` with one borrowed argument. *result: owned. Returns 0, or -1 raised: ValueError
// when there is no such function.
int ss_dtype_ask(const char* function, const TVMFFIAny* argument, TVMFFIAny* result);
#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_SCALARS_DTYPE_H_
