// StructuralMutator objects: their function table, whose functions ask Go, and calls through any mutator's table.
#include "mutator.h"

#include "go_calls.h"
#include "go_exports.h"
#include "structural_walker.h"

// The layout that compiled code expects. Values are borrowed views; results are owned.
typedef struct {
  TVMFFIAny (*mutate)(TVMFFIObject* mutator, TVMFFIAny value);
  TVMFFIAny (*mutate_in_place)(TVMFFIObject* mutator, TVMFFIAny value);
  TVMFFIAny (*remap_get)(TVMFFIObject* mutator, TVMFFIAny variable);
  TVMFFIAny (*remap_set)(TVMFFIObject* mutator, TVMFFIAny variable, TVMFFIAny value);
} MutatorTable;

static const MutatorTable* table_of(const void* mutator) { return ((const SsWalker*)mutator)->table; }

// ---- the mutators made here --------------------------------------------------------------------------------

static TVMFFIAny in_go(TVMFFIObject* self, int32_t request, TVMFFIAny first, TVMFFIAny second) {
  TVMFFIAny args[2] = {first, second}, result;
  ss_set_none(&result);
  uint64_t outer = ss_go_call_begin();
  int rc = ss_may_enter_go("a structural mutator") ? ss_go.ssgo_mutator(self, request, args, &result) : -1;
  ss_go_call_end(outer);
  return rc == 0 ? result : ss_take_raised_value();
}

static const TVMFFIAny none = {.type_index = kTVMFFINone};

static TVMFFIAny mutate_in_go(TVMFFIObject* self, TVMFFIAny value) { return in_go(self, SSGO_MUTATE, value, none); }

static TVMFFIAny mutate_in_place_in_go(TVMFFIObject* self, TVMFFIAny value) {
  return in_go(self, SSGO_MUTATE_IN_PLACE, value, none);
}

static TVMFFIAny remap_get_in_go(TVMFFIObject* self, TVMFFIAny variable) {
  return in_go(self, SSGO_REMAP_GET, variable, none);
}

static TVMFFIAny remap_set_in_go(TVMFFIObject* self, TVMFFIAny variable, TVMFFIAny value) {
  return in_go(self, SSGO_REMAP_SET, variable, value);
}

int ss_mutator_new(int32_t type_index, TVMFFIObjectHandle* out) {
  static const MutatorTable table = {mutate_in_go, mutate_in_place_in_go, remap_get_in_go, remap_set_in_go};
  return ss_walker_new(type_index, &table, out);
}

// ---- calls through any mutator -----------------------------------------------------------------------------

void ss_mutator_mutate(void* self, const TVMFFIAny* value, int32_t in_place, TVMFFIAny* out) {
  uint32_t generation = ss_leave_go();
  const MutatorTable* table = table_of(self);
  *out = (in_place ? table->mutate_in_place : table->mutate)(self, *value);
  ss_return_to_go(generation);
}

void ss_mutator_remap_get(void* self, const TVMFFIAny* variable, TVMFFIAny* out) {
  uint32_t generation = ss_leave_go();
  *out = table_of(self)->remap_get(self, *variable);
  ss_return_to_go(generation);
}

void ss_mutator_remap_set(void* self, const TVMFFIAny* variable, const TVMFFIAny* value, TVMFFIAny* out) {
  uint32_t generation = ss_leave_go();
  *out = table_of(self)->remap_set(self, *variable, *value);
  ss_return_to_go(generation);
}

void ss_mutate_hook(void* hook, void* self, const TVMFFIAny* value, TVMFFIAny* out) {
  uint32_t generation = ss_leave_go();
  *out = ((TVMFFIAny(*)(TVMFFIObject*, TVMFFIAny))hook)(self, *value);
  ss_return_to_go(generation);
}

// ---- the hooks of builtin types ----------------------------------------------------------------------------

static TVMFFIAny mutate_container(TVMFFIObject* self, TVMFFIAny value) {
  return in_go(self, SSGO_MUTATE_CONTAINER, value, none);
}

static TVMFFIAny mutate_container_in_place(TVMFFIObject* self, TVMFFIAny value) {
  return in_go(self, SSGO_MUTATE_CONTAINER_IN_PLACE, value, none);
}

static TVMFFIAny mutate_leaf(TVMFFIObject* self, TVMFFIAny value) {
  (void)self;
  (void)value;
  TVMFFIAny unchanged;
  ss_set_none(&unchanged);
  unchanged.type_index = kTVMFFIUnchanged;
  return unchanged;
}

void* ss_mutate_container_hook(void) { return (void*)mutate_container; }

void* ss_mutate_container_in_place_hook(void) { return (void*)mutate_container_in_place; }

void* ss_mutate_leaf_hook(void) { return (void*)mutate_leaf; }
