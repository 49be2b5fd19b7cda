// Where Go has the value that an object stands for. The Python package reads and sets numbers there, and reads texts,
// without a call into Go. Both sides of the process use the structs: Go's are in internal/engine/wrapping.
#ifndef SELFSAME_INTERNAL_GO_MEMORY_H_
#define SELFSAME_INTERNAL_GO_MEMORY_H_

#include <stdint.h>

// A lock that belongs to a goroutine: the head of the Go type Gate. C takes it only where nobody has it. It has it for
// some instructions, in which it waits for nothing and runs nothing of Python's, and wakes nobody when it leaves:
// goroutines try again until C is out.
typedef struct {
  uintptr_t owner;  // atomic; the goroutine that is in, 0 for none
} SsGoGate;

// The owner while C is in: no goroutine has that address.
enum { SS_GO_GATE_OF_C = 1 };

// A slot of the table that leads from Go pointers to native objects.
typedef struct {
  uintptr_t pointer;  // of Go's
  uint64_t number;    // of what the pointer is
  uintptr_t native;   // a weak reference to the object; 0: the slot is free
  uintptr_t box;      // the frontend's
} SsGoSlot;

// The head of the Go type pointerTable, and how it finds the first slot to look at; the others follow.
typedef struct {
  uint32_t lock;          // atomic; 1 while somebody is in
  uint64_t mask;          // of places
  const SsGoSlot* first;  // of mask + 1; NULL: there are none
} SsGoTable;

#define SS_GO_TABLE_FACTOR UINT64_C(0x9E3779B97F4A7C15)
static inline uint64_t ss_go_place(uintptr_t pointer, uint64_t number, uint64_t mask) {
  return ((uint64_t)pointer ^ number) * SS_GO_TABLE_FACTOR >> 32 & mask;
}

// Go does not move what it has allocated, and keeps it as long as the object lives.
typedef struct {
  uintptr_t at;     // of the struct, the array, or the header of the slice; 0: only Go can say
  uintptr_t gate;   // an SsGoGate; 0: none is needed
  int64_t length;   // of an array; -1: at is the header of a slice
  int64_t format;   // of its elements, as Python's struct module has it, or of the enum below; 0: others
  int64_t size;     // of an element
  uint64_t number;  // of such an element in the table
  uintptr_t table;  // an SsGoTable
} SsGoMemory;

// Formats beside those of Python's struct module.
enum {
  SS_GO_TEXT = 's',
  SS_GO_POINTER = 'P',  // to the value of an object; NULL is None
  SS_GO_VALUE = 'O',    // the value of an object itself
};

// The header of a slice or, without its capacity, of a text.
typedef struct {
  char* data;       // in Go's memory
  intptr_t length;  // elements, or bytes
} SsGoHeader;

#endif  // SELFSAME_INTERNAL_GO_MEMORY_H_
