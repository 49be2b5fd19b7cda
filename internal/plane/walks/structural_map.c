// Walks that replace parts of a value by the results of functions: see structural_callbacks.h.
#include <stdlib.h>

#include "core/raise.h"
#include "structural_visitor.h"
#include "structural_callbacks.h"

// Calls a callback with a value first. An Error gets the value in its context.
static TVMFFIAny call(SsOwnWalk* w, const SsLink* link, const TVMFFIAny* args, int32_t n) {
  TVMFFIAny outcome = ss_walk_call(w, link->function, args, n);
  if (ss_is_error(outcome)) ss_error_passes(outcome, args[0]);
  return outcome;
}

// Returns the callback's replacement of a value.
static TVMFFIAny replacement(SsOwnWalk* w, const SsLink* link, TVMFFIAny value) {
  TVMFFIAny args[2] = {value};
  ss_set_bits(&args[1], kTVMFFIInt, (uint64_t)w->base.region);
  return call(w, link, args, link->with_region ? 2 : 1);
}

// Mutates a value with its callback, or its parts when it has none.
static TVMFFIAny mutate_freely(SsOwnWalk* w, TVMFFIAny value, int in_place) {
  const SsLink* link = ss_walk_link(w, value.type_index);
  if (link == NULL) return ss_mutate_parts(&w->base, w, value, in_place);
  TVMFFIAny args[3] = {value, ss_walker_value(&w->base)};
  ss_set_bits(&args[2], kTVMFFIInt, in_place != 0);
  return call(w, link, args, link->with_mode ? 3 : 2);
}

// Replaces a value, and then the parts of the replacement.
static TVMFFIAny mutate_before(SsOwnWalk* w, TVMFFIAny value, int in_place) {
  const SsLink* link = ss_walk_link(w, value.type_index);
  if (link == NULL) return ss_mutate_parts(&w->base, w, value, in_place);
  TVMFFIAny made = replacement(w, link, value);
  if (ss_is_error(made)) return made;
  TVMFFIAny outcome = ss_changes(made, value) ? ss_mutate_parts(&w->base, w, made, in_place && ss_owned_once(made))
                                              : ss_mutate_parts(&w->base, w, value, in_place);
  if (outcome.type_index == kTVMFFIUnchanged) return made;
  ss_any_clear(&made);
  return outcome;
}

// Replaces the parts of a value, and then the result.
static TVMFFIAny mutate_after(SsOwnWalk* w, TVMFFIAny value, int in_place) {
  TVMFFIAny outcome = ss_mutate_parts(&w->base, w, value, in_place);
  if (ss_is_error(outcome)) return outcome;
  TVMFFIAny result = outcome.type_index == kTVMFFIUnchanged ? value : outcome;
  const SsLink* link = ss_walk_link(w, result.type_index);
  if (link == NULL) return outcome;
  TVMFFIAny made = replacement(w, link, result);
  if (made.type_index == kTVMFFIUnchanged) return outcome;
  ss_any_clear(&outcome);
  return made;
}

TVMFFIAny ss_mutation_value(SsOwnWalk* w, TVMFFIAny value, int in_place) {
  ss_retain(value);  // a callback may drop what it is borrowed from
  TVMFFIAny outcome = w->freely      ? mutate_freely(w, value, in_place)
                      : w->pre_order ? mutate_before(w, value, in_place)
                                     : mutate_after(w, value, in_place);
  if (ss_is_object_value(value)) ss_xdecref(value.v_obj);
  return outcome;
}

// ---- the replacements of variables -------------------------------------------------------------------------

static TVMFFIAny no_variable(void) {
  ss_raise("TypeError", "Variable-remap key must be an object-backed value");
  return ss_raised_value();
}

TVMFFIAny ss_mutation_get(SsOwnWalk* w, TVMFFIAny variable) {
  if (!ss_is_object_value(variable)) return no_variable();
  const uint64_t* number = ss_object_table_get(&w->variables, variable.v_obj);
  if (number == NULL) return ss_none_value();
  TVMFFIAny value = w->replacements[*number];
  ss_retain(value);
  return value;
}

// Stores an owned value, which it takes over. Returns 0, or -1 raised.
static int store(SsOwnWalk* w, TVMFFIObject* variable, TVMFFIAny owned) {
  const uint64_t* known = ss_object_table_get(&w->variables, variable);
  size_t number = known == NULL ? w->variables.used : (size_t)*known;
  if (known != NULL) {
    TVMFFIAny old = w->replacements[number];
    w->replacements[number] = owned;
    ss_any_clear(&old);
    return 0;
  }
  if (number == w->room) {
    size_t room = w->room == 0 ? 8 : 2 * w->room;
    TVMFFIAny* more = realloc(w->replacements, room * sizeof(TVMFFIAny));
    if (more == NULL) return ss_raise_no_memory(w->walk);
    w->replacements = more;
    w->room = room;
  }
  if (ss_object_table_set(&w->variables, variable, number, w->walk) != 0) return -1;
  w->replacements[number] = owned;
  return 0;
}

TVMFFIAny ss_mutation_set(SsOwnWalk* w, TVMFFIAny variable, TVMFFIAny value) {
  if (!ss_is_object_value(variable)) return no_variable();
  TVMFFIAny owned;
  if (TVMFFIAnyViewToOwnedAny(&value, &owned) != 0) return ss_raised_value();
  if (store(w, variable.v_obj, owned) == 0) return ss_none_value();
  ss_any_clear(&owned);
  return ss_raised_value();
}

// ---- the mutator -------------------------------------------------------------------------------------------

static TVMFFIAny mutate_in(SsWalker* self, TVMFFIAny value, int in_place) {
  SsOwnWalk* w = (SsOwnWalk*)self;
  if (!ss_walk_resume(w)) return ss_raised_value();
  TVMFFIAny outcome = ss_mutation_value(w, value, in_place);
  ss_walk_suspend(w);
  return outcome;
}

static TVMFFIAny mutate(SsWalker* self, TVMFFIAny value) { return mutate_in(self, value, 0); }

static TVMFFIAny mutate_in_place(SsWalker* self, TVMFFIAny value) { return mutate_in(self, value, 1); }

static TVMFFIAny remap_get(SsWalker* self, TVMFFIAny variable) {
  SsOwnWalk* w = (SsOwnWalk*)self;
  if (!ss_walk_resume(w)) return ss_raised_value();
  TVMFFIAny outcome = ss_mutation_get(w, variable);
  ss_walk_suspend(w);
  return outcome;
}

static TVMFFIAny remap_set(SsWalker* self, TVMFFIAny variable, TVMFFIAny value) {
  SsOwnWalk* w = (SsOwnWalk*)self;
  if (!ss_walk_resume(w)) return ss_raised_value();
  TVMFFIAny outcome = ss_mutation_set(w, variable, value);
  ss_walk_suspend(w);
  return outcome;
}

static const SsMutatorTable table = {mutate, mutate_in_place, remap_get, remap_set};

// Makes the outcome for a value an owned result.
static int settle(TVMFFIAny outcome, const TVMFFIAny* value, TVMFFIAny* result) {
  if (outcome.type_index == kTVMFFIUnchanged) return TVMFFIAnyViewToOwnedAny(value, result) == 0 ? 0 : -1;
  return ss_outcome(outcome, result);
}

int ss_mutator_mutate(TVMFFIObject* mutator, const TVMFFIAny* value, TVMFFIAny* result) {
  SsWalker* walker = (SsWalker*)mutator;
  return settle(ss_mutator_table(walker)->mutate(walker, *value), value, result);
}

// Through the mutator's own functions, also for one that was made here: each then resumes the mutation for itself.
int ss_mutator_mutate_parts(TVMFFIObject* mutator, const TVMFFIAny* value, TVMFFIAny* result) {
  TVMFFIAny kept = *value;
  ss_retain(kept);
  TVMFFIAny outcome = ss_mutate_parts((SsWalker*)mutator, NULL, kept, 0);
  int rc = settle(outcome, value, result);
  ss_any_clear(&kept);
  return rc;
}

int ss_mutator_remap_get(TVMFFIObject* mutator, const TVMFFIAny* variable, TVMFFIAny* result) {
  SsWalker* walker = (SsWalker*)mutator;
  return ss_outcome(ss_mutator_table(walker)->remap_get(walker, *variable), result);
}

int ss_mutator_remap_set(TVMFFIObject* mutator, const TVMFFIAny* variable, const TVMFFIAny* value, TVMFFIAny* result) {
  SsWalker* walker = (SsWalker*)mutator;
  return ss_outcome(ss_mutator_table(walker)->remap_set(walker, *variable, *value), result);
}

// ---- walks -------------------------------------------------------------------------------------------------

static SsOwnWalk* begin(void) {
  return ss_walk_new("ffi.StructuralMutator", &table, "StructuralMutate", "StructuralMutator");
}

static int run(SsOwnWalk* w, const TVMFFIAny* root, TVMFFIAny* result) {
  return settle(ss_mutation_value(w, *root, ss_owned_once(*root)), root, result);
}

int ss_structural_map(const TVMFFIAny* root, const TVMFFIAny* links, const TVMFFIAny* with_region, int pre_order,
                      TVMFFIAny* result) {
  SsOwnWalk* w = begin();
  if (w == NULL) return -1;
  w->pre_order = pre_order;
  int rc = -1;
  if (ss_walk_add_links(w, links, 2, 0) == 0 && ss_walk_add_links(w, with_region, 2, 1) == 0) rc = run(w, root, result);
  ss_walk_end(w);
  return rc;
}

int ss_structural_mutate(const TVMFFIAny* root, const TVMFFIAny* links, TVMFFIAny* result) {
  SsOwnWalk* w = begin();
  if (w == NULL) return -1;
  w->freely = 1;
  int rc = -1;
  if (ss_walk_add_links(w, links, 3, 0) == 0) rc = run(w, root, result);
  ss_walk_end(w);
  return rc;
}
