// The builtin functions of structural walks for Go, which calls them with arguments that it has checked
// (builtins_fast_walk.c). Private to the runtime.
#ifndef SELFSAME_INTERNAL_CONTROL_BUILTINS_FAST_WALK_H_
#define SELFSAME_INTERNAL_CONTROL_BUILTINS_FAST_WALK_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)

enum {
  SS_WALK,
  SS_VISIT,
  SS_MAP,
  SS_MUTATE,
  SS_VISITOR_VISIT,
  SS_VISITOR_PARTS,
  SS_MUTATOR_MUTATE,
  SS_MUTATOR_PARTS,
  SS_REMAP_GET,
  SS_REMAP_SET,
  SS_REGION,
  SS_WITH_REGION,
  SS_NUM_WALK_BUILTINS
};

// Runs a function with valid arguments in the form of owned values, borrowed; SS_MAP and SS_MUTATE change the first one
// in place when the caller's reference is the only one. Returns 0 with *result owned by the caller, or -1 raised.
int ss_walk_builtin(int which, const TVMFFIAny* args, TVMFFIAny* result);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_CONTROL_BUILTINS_FAST_WALK_H_
