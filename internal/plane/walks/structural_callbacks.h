// Structural walks: calling functions for a value and its parts (structural_callbacks.c), and replacing parts of a
// value (structural_map.c). internal/plane/walks/structural.h says why.
//
// All functions may be called on any thread; they run the hooks, getters and setters of the values' classes, and the
// callbacks. Values are borrowed, and in the form of owned values. Each function returns 0 with *result owned by the
// caller, or -1 with an error raised. It passes on the errors of the code that it runs, and raises
//
//   - RecursionError: nested too deep for the thread's stack
//   - TypeError: a hook or callback with a wrong result, a field without setter
//   - RuntimeError: a visitor or mutator that is not to be used now
//   - MemoryError
#ifndef SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_CALLBACKS_H_
#define SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_CALLBACKS_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// Call callbacks for a value and all its parts: `links` and `with_region` are Arrays or Lists of pairs of a type index
// and a Function; those of `with_region` get the region as a second argument. The result is None, or the VisitInterrupt
// that a callback returned to end the walk. ss_structural_visit leaves the parts of a value with a callback to the
// callback, which gets the visitor.
int ss_structural_walk(const TVMFFIAny* root, const TVMFFIAny* links, const TVMFFIAny* with_region, int pre_order,
                       TVMFFIAny* result);
int ss_structural_visit(const TVMFFIAny* root, const TVMFFIAny* links, TVMFFIAny* result);

// Replace parts of a value by the results of callbacks. The value is changed in place where the caller's reference is
// the only one, else copied. The links of ss_structural_mutate are triples: with true at the end, a callback gets
// whether it may change its value in place, behind the value and the mutator.
int ss_structural_map(const TVMFFIAny* root, const TVMFFIAny* links, const TVMFFIAny* with_region, int pre_order,
                      TVMFFIAny* result);
int ss_structural_mutate(const TVMFFIAny* root, const TVMFFIAny* links, TVMFFIAny* result);

// Whether the elements of an Array or List are such pairs (`size` 2) or triples (3).
int ss_links_fit(const TVMFFIAny* links, int size);

// A callback calls these with its visitor or mutator, whichever library made it. They visit or mutate a value, visit or
// mutate the parts of a value, and call a Function while the visitor or mutator is in a region, unless it is in a
// pattern.
int ss_visitor_visit(TVMFFIObject* visitor, const TVMFFIAny* value, TVMFFIAny* result);
int ss_visitor_visit_parts(TVMFFIObject* visitor, const TVMFFIAny* value, TVMFFIAny* result);
int ss_mutator_mutate(TVMFFIObject* mutator, const TVMFFIAny* value, TVMFFIAny* result);
int ss_mutator_mutate_parts(TVMFFIObject* mutator, const TVMFFIAny* value, TVMFFIAny* result);
int ss_mutator_remap_get(TVMFFIObject* mutator, const TVMFFIAny* variable, TVMFFIAny* result);
int ss_mutator_remap_set(TVMFFIObject* mutator, const TVMFFIAny* variable, const TVMFFIAny* value, TVMFFIAny* result);
int ss_walker_with_region(TVMFFIObject* walker, int64_t region, TVMFFIObject* function, TVMFFIAny* result);
int32_t ss_walker_region(const TVMFFIObject* walker);

// The values of the type attributes of the builtin types. They are the C functions of compiled code: __s_visit__ of
// Array and List, and of Map and Dict; __s_mutate__ and __s_maybe_inplace_mutate__ of these, and of strings, bytes and
// big integers, which have no parts.
void* ss_visit_sequence_hook(void);
void* ss_visit_map_hook(void);
void* ss_mutate_container_hook(void);
void* ss_mutate_container_in_place_hook(void);
void* ss_mutate_leaf_hook(void);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_CALLBACKS_H_
