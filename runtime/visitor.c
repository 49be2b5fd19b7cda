#include "visitor.h"

#include <stdlib.h>

#include "containers.h"
#include "go_exports.h"

// ---- visitors ----------------------------------------------------------------------------------------------

// The head of every StructuralVisitor; what follows belongs to who made it.
typedef struct {
  TVMFFIObject header;
  const struct visitor_table* table;
  int32_t region;
} visitor;

struct visitor_table {
  TVMFFIAny (*visit)(TVMFFIObject* visitor, TVMFFIAny value);
};

// The error in the slot as a value.
static TVMFFIAny taken_error(void) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIAny value;
  ss_set_none(&value);
  TVMFFIErrorMoveFromRaised(&error);
  if (error != NULL) ss_set_object(&value, error);
  return value;
}

static TVMFFIAny visit_in_go(TVMFFIObject* self, TVMFFIAny value) {
  TVMFFIAny result;
  ss_set_none(&result);
  if (!ss_may_enter_go("a structural visitor") || ssgo_visitor_visit(self, &value, &result) != 0) {
    return taken_error();
  }
  return result;
}

int ss_visitor_new(int32_t type_index, TVMFFIObjectHandle* out) {
  static const struct visitor_table table = {visit_in_go};
  *out = NULL;
  visitor* obj = ss_object_space(sizeof(visitor), _Alignof(visitor), type_index);
  if (obj == NULL) return -1;
  obj->table = &table;
  obj->region = 0;
  ss_object_init(obj, type_index, ss_delete_plain);
  *out = obj;
  return 0;
}

void ss_visitor_visit(void* self, const TVMFFIAny* value, TVMFFIAny* out) {
  *out = ((visitor*)self)->table->visit(self, *value);
}

void ss_visit_hook(void* hook, void* self, const TVMFFIAny* value, TVMFFIAny* out) {
  *out = ((TVMFFIAny(*)(TVMFFIObject*, TVMFFIAny))hook)(self, *value);
}

// ---- the builtin containers ----------------------------------------------------------------------------------

static TVMFFIAny wrong_type(const char* wanted) {
  ss_raise("TypeError", "__s_visit__: the value must be an %s", wanted);
  return taken_error();
}

// Visits one element, which stays alive meanwhile whatever happens to its container.
static TVMFFIAny visit_held(TVMFFIObject* self, TVMFFIAny value) {
  if (value.type_index < kTVMFFIStaticObjectBegin) return ((visitor*)self)->table->visit(self, value);
  ss_inc_ref(value.v_obj);
  TVMFFIAny result = ((visitor*)self)->table->visit(self, value);
  ss_dec_ref(value.v_obj);
  return result;
}

TVMFFIAny ss_visit_sequence(TVMFFIObject* self, TVMFFIAny value) {
  TVMFFIAny result;
  ss_set_none(&result);
  if (value.type_index != kTVMFFIArray && value.type_index != kTVMFFIList) return wrong_type("Array or List");
  ss_inc_ref(value.v_obj);
  const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(value.v_obj + 1);
  for (int64_t i = 0; i < cell->size && result.type_index == kTVMFFINone; i++) {
    result = visit_held(self, ((const TVMFFIAny*)cell->data)[i]);
  }
  ss_dec_ref(value.v_obj);
  return result;
}

TVMFFIAny ss_visit_map(TVMFFIObject* self, TVMFFIAny value) {
  TVMFFIAny result;
  ss_set_none(&result);
  if (value.type_index != kTVMFFIMap && value.type_index != kTVMFFIDict) return wrong_type("Map or Dict");
  const ss_hash_cell* cell = ss_hash_cell_of(value.v_obj);
  if (cell->size == 0) return result;
  // A copy: a Dict may change while it is visited.
  TVMFFIAny* values = malloc(cell->size * sizeof(TVMFFIAny));
  if (values == NULL) {
    ss_raise_no_memory("the values of a map");
    return taken_error();
  }
  uint64_t n = 0;
  if (ss_hash_is_small(cell)) {
    for (; n < cell->size; n++) values[n] = ((const ss_pair*)cell->data)[n].value;
  } else {
    for (uint64_t slot = cell->head; slot != SS_NO_SLOT && n < cell->size; n++) {
      const ss_hash_item* item = ss_hash_item_at(cell, slot);
      values[n] = item->pair.value;
      slot = item->next;
    }
  }
  for (uint64_t i = 0; i < n; i++) {
    if (values[i].type_index >= kTVMFFIStaticObjectBegin) ss_inc_ref(values[i].v_obj);
  }
  for (uint64_t i = 0; i < n && result.type_index == kTVMFFINone; i++) {
    result = ((visitor*)self)->table->visit(self, values[i]);
  }
  for (uint64_t i = 0; i < n; i++) ss_any_reset(&values[i]);
  free(values);
  return result;
}
