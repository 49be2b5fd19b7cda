// Which natives that Go code made are alive: built with the tag debug only.
#ifndef SELFSAME_FRONT_TRACE_H_
#define SELFSAME_FRONT_TRACE_H_

#include <stddef.h>
#include <stdint.h>

#include "selfsame/c_api.h"

#define SS_FRONT_TRACE_DEPTH 32

// A native that is alive, and the return addresses of the goroutine that made it.
typedef struct {
  uint64_t address;
  uint64_t counts;  // the count word of its header
  int32_t type_index;
  int32_t depth;
  uint64_t stack[SS_FRONT_TRACE_DEPTH];
} ss_front_native;

// Remembers where a native was made until it dies. The caller has just made it: nobody else knows it yet. It takes no
// reference. -1: there is no memory, and nothing has changed.
int ss_front_trace(TVMFFIObjectHandle object, const uint64_t* stack, int32_t depth);

// Describes the natives that are alive, at most `room` of them, and returns how many there are.
size_t ss_front_traced(ss_front_native* out, size_t room);

#endif  // SELFSAME_FRONT_TRACE_H_
