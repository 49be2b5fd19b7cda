// The part that structural visitors (visitor.c) and mutators (mutator.c) share. Private to the runtime.
#ifndef SELFSAME_RUNTIME_STRUCTURAL_WALKER_H_
#define SELFSAME_RUNTIME_STRUCTURAL_WALKER_H_

#include "plane.h"

// The first fields of every StructuralVisitor and StructuralMutator, as compiled code reads them. The maker of the
// object may put fields of its own behind them.
typedef struct {
  TVMFFIObject header;
  const void* table;  // its functions: a VisitorTable or MutatorTable
  int32_t region;
} SsWalker;

// Makes a visitor or mutator with these functions. Returns 0 with *out a new reference, or -1 with an error raised.
static inline int ss_walker_new(int32_t type_index, const void* table, TVMFFIObjectHandle* out) {
  *out = NULL;
  SsWalker* obj = ss_object_space(sizeof(SsWalker), _Alignof(SsWalker), type_index);
  if (obj == NULL) return -1;
  obj->table = table;
  obj->region = 0;
  ss_object_init(obj, type_index, ss_delete_plain);
  *out = obj;
  return 0;
}

// Takes the calling thread's raised error and returns it as an owned value; None when no error is raised.
static inline TVMFFIAny ss_take_raised_value(void) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIAny value;
  ss_set_none(&value);
  TVMFFIErrorMoveFromRaised(&error);
  if (error != NULL) ss_set_object(&value, error);
  return value;
}

#endif  // SELFSAME_RUNTIME_STRUCTURAL_WALKER_H_
