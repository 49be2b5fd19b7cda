#include "mutator.h"

#include "go_exports.h"

struct mutator_table {
  TVMFFIAny (*mutate)(TVMFFIObject* mutator, TVMFFIAny value);
  TVMFFIAny (*mutate_in_place)(TVMFFIObject* mutator, TVMFFIAny value);
  TVMFFIAny (*remap_get)(TVMFFIObject* mutator, TVMFFIAny variable);
  TVMFFIAny (*remap_set)(TVMFFIObject* mutator, TVMFFIAny variable, TVMFFIAny value);
};

// The head of every StructuralMutator; what follows belongs to who made it.
typedef struct {
  TVMFFIObject header;
  const struct mutator_table* table;
  int32_t region;
} mutator;

// The error in the slot as a value.
static TVMFFIAny taken_error(void) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIAny value;
  ss_set_none(&value);
  TVMFFIErrorMoveFromRaised(&error);
  if (error != NULL) ss_set_object(&value, error);
  return value;
}

static TVMFFIAny in_go(TVMFFIObject* self, int32_t what, TVMFFIAny first, TVMFFIAny second) {
  TVMFFIAny args[2] = {first, second}, result;
  ss_set_none(&result);
  if (!ss_may_enter_go("a structural mutator") || ssgo_mutator(self, what, args, &result) != 0) return taken_error();
  return result;
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
  static const struct mutator_table table = {mutate_in_go, mutate_in_place_in_go, remap_get_in_go, remap_set_in_go};
  *out = NULL;
  mutator* obj = ss_object_space(sizeof(mutator), _Alignof(mutator), type_index);
  if (obj == NULL) return -1;
  obj->table = &table;
  obj->region = 0;
  ss_object_init(obj, type_index, ss_delete_plain);
  *out = obj;
  return 0;
}

void ss_mutator_mutate(void* self, const TVMFFIAny* value, int32_t in_place, TVMFFIAny* out) {
  const struct mutator_table* table = ((mutator*)self)->table;
  *out = (in_place ? table->mutate_in_place : table->mutate)(self, *value);
}

void ss_mutator_remap_get(void* self, const TVMFFIAny* variable, TVMFFIAny* out) {
  *out = ((mutator*)self)->table->remap_get(self, *variable);
}

void ss_mutator_remap_set(void* self, const TVMFFIAny* variable, const TVMFFIAny* value, TVMFFIAny* out) {
  *out = ((mutator*)self)->table->remap_set(self, *variable, *value);
}

void ss_mutate_hook(void* hook, void* self, const TVMFFIAny* value, TVMFFIAny* out) {
  *out = ((TVMFFIAny(*)(TVMFFIObject*, TVMFFIAny))hook)(self, *value);
}

TVMFFIAny ss_mutate_container(TVMFFIObject* self, TVMFFIAny value) {
  return in_go(self, SSGO_MUTATE_CONTAINER, value, none);
}

TVMFFIAny ss_mutate_container_in_place(TVMFFIObject* self, TVMFFIAny value) {
  return in_go(self, SSGO_MUTATE_CONTAINER_IN_PLACE, value, none);
}

TVMFFIAny ss_mutate_leaf(TVMFFIObject* self, TVMFFIAny value) {
  (void)self;
  (void)value;
  TVMFFIAny unchanged;
  ss_set_none(&unchanged);
  unchanged.type_index = kTVMFFIUnchanged;
  return unchanged;
}
