// Where Go has the value that an object stands for. The Python package reads and sets numbers there, and reads texts,
// without a call into Go. Both sides of the process use the structs: Go's are in internal/engine/wrapping.
#ifndef SELFSAME_INTERNAL_GO_MEMORY_H_
#define SELFSAME_INTERNAL_GO_MEMORY_H_

#include <stdint.h>

// A lock that belongs to a goroutine: the head of the Go type Gate. C takes it only where nobody has it, and never waits.
typedef struct {
  uintptr_t owner;  // atomic; the goroutine that is in, 0 for none
  intptr_t depth;
  int32_t waiting;  // atomic; how many goroutines wait for it
} SsGoGate;

// The owner while C is in: no goroutine has that address.
enum { SS_GO_GATE_OF_C = 1 };

// Go does not move what it has allocated, and keeps it as long as the object lives.
typedef struct {
  uintptr_t at;    // of the struct, the array, or the header of the slice; 0: only Go can say
  uintptr_t gate;  // an SsGoGate; 0: none is needed
  int64_t length;  // of an array; -1: at is the header of a slice
  int64_t format;  // of its elements, as Python's struct module has it, or 's' for a text; 0: others
} SsGoMemory;

// The header of a slice or, without its capacity, of a text.
typedef struct {
  char* data;
  intptr_t length;
} SsGoHeader;

#endif  // SELFSAME_INTERNAL_GO_MEMORY_H_
