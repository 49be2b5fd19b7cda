// Structural walks without entering Go. builtins_visit.go and builtins_mutate.go check the arguments of calls that
// these refuse, make owned values of them, and come back through ss_walk_builtin.
#include <string.h>

#include "builtins_fast_call.h"
#include "builtins_fast_walk.h"
#include "plane.h"
#include "walks/structural_callbacks.h"

static int is_int(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIInt || value->type_index == kTVMFFIBool;
}

// Whether a value is of a builtin class; *cache is 0 at first. Subclasses are left to Go.
static int is_of(const TVMFFIAny* value, int32_t* cache, const char* type_key) {
  int32_t index = __atomic_load_n(cache, __ATOMIC_RELAXED);
  if (index == 0) {
    TVMFFIByteArray key = {type_key, strlen(type_key)};
    index = ss_type_by_key(&key);
    __atomic_store_n(cache, index, __ATOMIC_RELAXED);
  }
  return value->type_index == index && value->v_obj != NULL;
}

static int is_visitor(const TVMFFIAny* value) {
  static int32_t class;
  return is_of(value, &class, "ffi.StructuralVisitor");
}

static int is_mutator(const TVMFFIAny* value) {
  static int32_t class;
  return is_of(value, &class, "ffi.StructuralMutator");
}

static int pre_order(const TVMFFIAny* order) { return order->v_int64 == 0; }

// Each function below serves a builtin: `fits_x` says whether C can serve the arguments, and `run_x` serves them.
// Arguments are borrowed.

static int fits_walk(const TVMFFIAny* a) {
  return ss_is_value(&a[0]) && ss_links_fit(&a[1], 2) && ss_links_fit(&a[2], 2) && is_int(&a[3]);
}
static int run_walk(const TVMFFIAny* a, TVMFFIAny* result) {
  return ss_structural_walk(&a[0], &a[1], &a[2], pre_order(&a[3]), result);
}

static int fits_visit(const TVMFFIAny* a) { return ss_is_value(&a[0]) && ss_links_fit(&a[1], 2); }
static int run_visit(const TVMFFIAny* a, TVMFFIAny* result) { return ss_structural_visit(&a[0], &a[1], result); }

// Runs a mutation for a caller that may have the only reference to the root, and keeps it.
static int with_root(int (*run)(const TVMFFIAny*, TVMFFIAny*), const TVMFFIAny* a, TVMFFIAny* result) {
  TVMFFIAny root = a[0];
  if (root.type_index < kTVMFFIStaticObjectBegin) return run(a, result);
  ss_incref(root.v_obj);
  int rc = run(a, result);
  ss_any_clear(&root);
  return rc;
}

static int run_map(const TVMFFIAny* a, TVMFFIAny* result) {
  return ss_structural_map(&a[0], &a[1], &a[2], pre_order(&a[3]), result);
}
static int run_shared_map(const TVMFFIAny* a, TVMFFIAny* result) { return with_root(run_map, a, result); }

static int fits_mutate(const TVMFFIAny* a) { return ss_is_value(&a[0]) && ss_links_fit(&a[1], 3); }
static int run_mutate(const TVMFFIAny* a, TVMFFIAny* result) { return ss_structural_mutate(&a[0], &a[1], result); }
static int run_shared_mutate(const TVMFFIAny* a, TVMFFIAny* result) { return with_root(run_mutate, a, result); }

static int fits_visitor(const TVMFFIAny* a) { return is_visitor(&a[0]) && ss_is_value(&a[1]); }
static int run_visitor_visit(const TVMFFIAny* a, TVMFFIAny* result) {
  return ss_visitor_visit(a[0].v_obj, &a[1], result);
}
static int run_visitor_parts(const TVMFFIAny* a, TVMFFIAny* result) {
  return ss_visitor_visit_parts(a[0].v_obj, &a[1], result);
}

static int fits_mutator(const TVMFFIAny* a) { return is_mutator(&a[0]) && ss_is_value(&a[1]); }
static int run_mutator_mutate(const TVMFFIAny* a, TVMFFIAny* result) {
  return ss_mutator_mutate(a[0].v_obj, &a[1], result);
}
static int run_mutator_parts(const TVMFFIAny* a, TVMFFIAny* result) {
  return ss_mutator_mutate_parts(a[0].v_obj, &a[1], result);
}
static int run_remap_get(const TVMFFIAny* a, TVMFFIAny* result) {
  return ss_mutator_remap_get(a[0].v_obj, &a[1], result);
}

static int fits_remap_set(const TVMFFIAny* a) { return fits_mutator(a) && ss_is_value(&a[2]); }
static int run_remap_set(const TVMFFIAny* a, TVMFFIAny* result) {
  return ss_mutator_remap_set(a[0].v_obj, &a[1], &a[2], result);
}

static int fits_region(const TVMFFIAny* a) { return is_visitor(&a[0]) || is_mutator(&a[0]); }
static int run_region(const TVMFFIAny* a, TVMFFIAny* result) {
  return ss_return_int(result, ss_walker_region(a[0].v_obj));
}

static int fits_with_region(const TVMFFIAny* a) {
  return fits_region(a) && is_int(&a[1]) && ss_is_object(&a[2], kTVMFFIFunction);
}
static int run_with_region(const TVMFFIAny* a, TVMFFIAny* result) {
  return ss_walker_with_region(a[0].v_obj, a[1].v_int64, a[2].v_obj, result);
}

#define FAST(name, n, fits, run)                                                     \
  SS_FAST(name) {                                                                    \
    if (!ss_is_call(args, num_args, n, result) || !fits(args)) SS_FALL_BACK_TO_GO(); \
    return run(args, result);                                                        \
  }

FAST(walk, 4, fits_walk, run_walk)
FAST(visit, 2, fits_visit, run_visit)
FAST(map, 4, fits_walk, run_shared_map)
FAST(mutate, 2, fits_mutate, run_shared_mutate)
FAST(visitor_visit, 2, fits_visitor, run_visitor_visit)
FAST(visitor_parts, 2, fits_visitor, run_visitor_parts)
FAST(mutator_mutate, 2, fits_mutator, run_mutator_mutate)
FAST(mutator_parts, 2, fits_mutator, run_mutator_parts)
FAST(remap_get, 2, fits_mutator, run_remap_get)
FAST(remap_set, 3, fits_remap_set, run_remap_set)
FAST(region, 1, fits_region, run_region)
FAST(with_region, 3, fits_with_region, run_with_region)

const SsFastEntry ss_fast_walks[] = {
    {"ffi.StructuralWalk", walk},
    {"ffi.StructuralVisit", visit},
    {"ffi.StructuralMap", map},
    {"ffi.StructuralMutate", mutate},
    {"ffi.StructuralVisitorVisit", visitor_visit},
    {"ffi.StructuralVisitorDefaultVisit", visitor_parts},
    {"ffi.StructuralVisitorDefRegionKind", region},
    {"ffi.StructuralVisitorWithDefRegionKind", with_region},
    {"ffi.StructuralMutatorMutate", mutator_mutate},
    {"ffi.StructuralMutatorDefaultMutate", mutator_parts},
    {"ffi.StructuralMutatorVarRemapGet", remap_get},
    {"ffi.StructuralMutatorVarRemapSet", remap_set},
    {"ffi.StructuralMutatorDefRegionKind", region},
    {"ffi.StructuralMutatorWithDefRegionKind", with_region},
    {NULL, NULL},
};

int ss_walk_builtin(int which, const TVMFFIAny* args, TVMFFIAny* result) {
  static int (*const run[SS_NUM_WALK_BUILTINS])(const TVMFFIAny*, TVMFFIAny*) = {
      [SS_WALK] = run_walk,
      [SS_VISIT] = run_visit,
      [SS_MAP] = run_map,
      [SS_MUTATE] = run_mutate,
      [SS_VISITOR_VISIT] = run_visitor_visit,
      [SS_VISITOR_PARTS] = run_visitor_parts,
      [SS_MUTATOR_MUTATE] = run_mutator_mutate,
      [SS_MUTATOR_PARTS] = run_mutator_parts,
      [SS_REMAP_GET] = run_remap_get,
      [SS_REMAP_SET] = run_remap_set,
      [SS_REGION] = run_region,
      [SS_WITH_REGION] = run_with_region,
  };
  ss_set_none(result);
  uint32_t generation = ss_leave_go();
  int rc = run[which](args, result);
  ss_return_to_go(generation);
  return rc;
}
