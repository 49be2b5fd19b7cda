// Hooks of structural walks (structural_hooks.c): Functions in type attributes that do a walk's work for the objects of
// one class. A hook gets a callback for the parts of the object, a Function that works only while the walk waits for a
// hook. The walk runs on one thread at a time; foreign code may call back on another thread while the walk waits.
#ifndef SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_HOOKS_H_
#define SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_HOOKS_H_

#include "core/type_attributes.h"

#pragma GCC visibility push(hidden)

typedef struct SsHooks SsHooks;
typedef struct SsHookLink SsHookLink;

// A kind of hook.
typedef struct {
  const char* operation;  // the walk's name in errors: "StructuralEqual"
  const char* attribute;  // "__s_equal__"
  const char* result;     // the name of the hook's result in errors
  const char* callback;   // the callback's name in errors
  int num_values;         // how many of the callback's first arguments are values for the walk: 1 or 2
  int num_args;           // how many arguments the callback takes
  // Does the walk's work for the callback. `values` are kept alive during the call, `more` are the other arguments, as
  // views. Returns 0 with *result, which the caller owns, or -1 with an error raised.
  int (*serve)(SsHooks* hooks, const TVMFFIAny* values, const TVMFFIAny* more, TVMFFIAny* result);
} SsHookKind;

// The hooks of one walk.
struct SsHooks {
  const SsHookKind* kind;  // which walk they are of; static
  void* walk;              // for serve
  int nested;              // how many hooks run inside each other
  int waiting;             // atomic: a hook runs, and has not called back
  TVMFFIObject* callback;  // owned; NULL until a hook runs
  SsHookLink* link;        // from the callback to this, owned by the callback
};

// Finds the hook of a type. Returns 0 with *hook borrowed from the registry, NULL when there is none, or -1 raised: the
// attribute is no Function. *column caches the attribute's column, NULL at first.
int ss_hook_of(const SsHookKind* kind, SsAttributeColumn** column, int32_t type_index, TVMFFIObject** hook);

// Calls a hook with `n` borrowed arguments, at most 3, and the callback. *out is its integer result. Returns 0, or -1
// raised. The caller must have made sure that foreign code cannot free what the walk uses.
int ss_hook_call(SsHooks* hooks, TVMFFIObject* hook, const TVMFFIAny* args, int n, int64_t* out);

// Reads an integer argument or result; `what` names it in the error. Returns 0, or -1 raised.
int ss_hook_int(const TVMFFIAny* value, const char* what, int64_t* out);

// Ends the walk: a callback that a hook kept cannot be used any more.
void ss_hooks_end(SsHooks* hooks);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_HOOKS_H_
