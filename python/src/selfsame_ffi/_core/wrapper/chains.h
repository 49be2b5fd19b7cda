// Long chains of native objects that die with their first one.
//
// The destructor of a C++ class releases what the object owns, and that destroys the next object of a chain before it returns.
// So a chain of 60,000 overflows the stack. Where Python drops the first one, its children are held meanwhile, and released after
// it, one by one.
#ifndef SELFSAME_CORE_WRAPPER_CHAINS_H_
#define SELFSAME_CORE_WRAPPER_CHAINS_H_

#include "tie/core.h"

// Calls `settle`, which releases the last reference to `object`, and then does the same for the objects that died with it and
// own others. Without memory these die by recursion. Attached threads only; may run any code.
SS_HIDDEN void ss_chain_settle(TVMFFIObject* object, void (*settle)(TVMFFIObject* object));

// Whether objects of a type can be in a chain that no deleter of the runtime's cuts: those of classes.
static inline int ss_chain_may_begin(const TVMFFIObject* object) {
  return object->type_index >= kTVMFFIStaticObjectEnd && object->combined_ref_count == SS_BOTH_ONE;
}

#endif  // SELFSAME_CORE_WRAPPER_CHAINS_H_
