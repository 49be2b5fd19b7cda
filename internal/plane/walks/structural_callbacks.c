// Walks that call functions for a value and all its parts: see structural_callbacks.h.
#include "core/raise.h"
#include "structural_visitor.h"
#include "structural_callbacks.h"

// Calls the callback for a value, if there is one. It returns 1 to skip the value's parts.
static TVMFFIAny ask(SsOwnWalk* w, TVMFFIAny value, int* skip) {
  const SsLink* link = ss_walk_link(w, value.type_index);
  *skip = 0;
  if (link == NULL) return ss_none_value();
  TVMFFIAny args[2] = {value};
  ss_set_bits(&args[1], kTVMFFIInt, (uint64_t)w->base.region);
  TVMFFIAny result = ss_walk_call(w, link->function, args, link->with_region ? 2 : 1);
  if (result.type_index == kTVMFFIInt || result.type_index == kTVMFFIBool) {
    *skip = (int32_t)result.v_int64 == 1;
    return ss_none_value();
  }
  return ss_visit_outcome(result, "WalkResult");
}

// Visits a value with its callback, or its parts when it has none.
static TVMFFIAny visit_freely(SsOwnWalk* w, TVMFFIAny value) {
  const SsLink* link = ss_walk_link(w, value.type_index);
  if (link == NULL) return ss_visit_parts(&w->base, w, value);
  TVMFFIAny args[2] = {value, ss_walker_value(&w->base)};
  return ss_visit_outcome(ss_walk_call(w, link->function, args, 2), "Optional<ffi.VisitInterrupt>");
}

// Calls the callback for a value before or after its parts are visited.
static TVMFFIAny visit_in_order(SsOwnWalk* w, TVMFFIAny value) {
  int skip;
  if (w->pre_order) {
    TVMFFIAny outcome = ask(w, value, &skip);
    return outcome.type_index != kTVMFFINone || skip ? outcome : ss_visit_parts(&w->base, w, value);
  }
  TVMFFIAny outcome = ss_visit_parts(&w->base, w, value);
  return outcome.type_index != kTVMFFINone ? outcome : ask(w, value, &skip);
}

TVMFFIAny ss_walk_value(SsOwnWalk* w, TVMFFIAny value) {
  if (value.type_index == kTVMFFINone) return value;
  ss_retain(value);  // a callback may drop what it is borrowed from
  TVMFFIAny outcome = w->freely ? visit_freely(w, value) : visit_in_order(w, value);
  if (ss_is_error(outcome)) ss_error_passes(outcome, value);
  if (ss_is_object_value(value)) ss_xdecref(value.v_obj);
  return outcome;
}

// ---- the visitor -------------------------------------------------------------------------------------------

static TVMFFIAny visit(SsWalker* self, TVMFFIAny value) {
  SsOwnWalk* w = (SsOwnWalk*)self;
  if (!ss_walk_resume(w)) return ss_raised_value();
  TVMFFIAny outcome = ss_walk_value(w, value);
  ss_walk_suspend(w);
  return outcome;
}

static const SsVisitorTable table = {visit};

SsOwnWalk* ss_own_visitor(SsWalker* visitor) { return visitor->table == &table ? (SsOwnWalk*)visitor : NULL; }

int ss_visitor_visit(TVMFFIObject* visitor, const TVMFFIAny* value, TVMFFIAny* result) {
  SsWalker* walker = (SsWalker*)visitor;
  return ss_outcome(ss_visitor_table(walker)->visit(walker, *value), result);
}

int ss_visitor_visit_parts(TVMFFIObject* visitor, const TVMFFIAny* value, TVMFFIAny* result) {
  SsWalker* walker = (SsWalker*)visitor;
  SsOwnWalk* own = ss_own_visitor(walker);
  if (own != NULL && !ss_walk_resume(own)) return -1;
  ss_retain(*value);
  TVMFFIAny outcome = ss_visit_parts(walker, own, *value), kept = *value;
  ss_any_clear(&kept);
  if (own != NULL) ss_walk_suspend(own);
  return ss_outcome(outcome, result);
}

// ---- walks -------------------------------------------------------------------------------------------------

static SsOwnWalk* begin(void) {
  return ss_walk_new("ffi.StructuralVisitor", &table, "StructuralVisit", "StructuralVisitor");
}

int ss_structural_walk(const TVMFFIAny* root, const TVMFFIAny* links, const TVMFFIAny* with_region, int pre_order,
                       TVMFFIAny* result) {
  SsOwnWalk* w = begin();
  if (w == NULL) return -1;
  w->pre_order = pre_order;
  int rc = -1;
  if (ss_walk_add_links(w, links, 2, 0) == 0 && ss_walk_add_links(w, with_region, 2, 1) == 0) {
    rc = ss_outcome(ss_walk_value(w, *root), result);
  }
  ss_walk_end(w);
  return rc;
}

int ss_structural_visit(const TVMFFIAny* root, const TVMFFIAny* links, TVMFFIAny* result) {
  SsOwnWalk* w = begin();
  if (w == NULL) return -1;
  w->freely = 1;
  int rc = -1;
  if (ss_walk_add_links(w, links, 2, 0) == 0) rc = ss_outcome(ss_walk_value(w, *root), result);
  ss_walk_end(w);
  return rc;
}
