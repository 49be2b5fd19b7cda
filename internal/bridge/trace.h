// Records where Go code made native objects that are alive. Only with the build tag debug.
#ifndef SELFSAME_INTERNAL_BRIDGE_TRACE_H_
#define SELFSAME_INTERNAL_BRIDGE_TRACE_H_

#include <stddef.h>
#include <stdint.h>

#include "selfsame/c_api.h"

#define SS_BRIDGE_TRACE_DEPTH 32

// A living native object and the return addresses of the goroutine that made it.
typedef struct {
  uint64_t address;                       // of the object
  uint64_t counts;                        // the count word of its header
  int32_t type_index;                     // of the object
  int32_t depth;                          // of `stack`
  uint64_t stack[SS_BRIDGE_TRACE_DEPTH];  // return addresses, the innermost first
} SsTracedNative;

// Records the stack on which an object was made, until the object dies. The caller must be the only owner of the
// object; no reference is taken. -1: out of memory, or the object has no deleter; nothing has changed. Any thread; takes
// the lock of the table.
int ss_bridge_trace(TVMFFIObjectHandle object, const uint64_t* stack, int32_t depth);

// Describes at most `room` living objects in `out` and returns how many there are in all.
size_t ss_bridge_traced(SsTracedNative* out, size_t room);

#endif  // SELFSAME_INTERNAL_BRIDGE_TRACE_H_
