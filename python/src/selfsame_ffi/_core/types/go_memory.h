// What a method does in the memory of an object's Go value, without a call into Go.
//
// internal/engine/wrapping/memory.go says why.
#ifndef SELFSAME_CORE_TYPES_GO_MEMORY_H_
#define SELFSAME_CORE_TYPES_GO_MEMORY_H_

#include "tie/core.h"

// What a method does. It is zero for one that always calls Go.
typedef struct {
  char use;              // one of the enum in go_memory.c
  char format;           // of a field, and its number: as SsGoMemory has those of elements
  int32_t owner;         // the type that has the method
  int32_t last_derived;  // the one that an object had last which derives from it
  Py_ssize_t offset;     // of a field
  uint64_t number;       // of a field that is an object
} SsGoAccess;

// Reads what the metadata of a method of a type say: a sequence of a word, and for a field its offset, format and
// number. Words and further items that are not known are for later versions. 0, or -1 with an error set.
SS_HIDDEN int ss_go_access_read(PyObject* said, int32_t owner, SsGoAccess* access);

// Does the method's work for the object args[0], which is a wrapper, and further arguments. New reference; NULL without
// an error where Go must be called: for other arguments, while another call is in, in a forked child.
SS_HIDDEN PyObject* ss_go_access_use(SsGoAccess* access, PyObject* const* args, Py_ssize_t count);

#endif  // SELFSAME_CORE_TYPES_GO_MEMORY_H_
