// StructuralVisitor objects: their function table, whose function asks Go, and visits through any visitor's table.
#include "visitor.h"

#include <stdlib.h>

#include "go_calls.h"
#include "go_exports.h"
#include "plane.h"
#include "structural_walker.h"

// The layout that compiled code expects. The value is a borrowed view; the result is owned.
typedef struct {
  TVMFFIAny (*visit)(TVMFFIObject* visitor, TVMFFIAny value);
} VisitorTable;

static TVMFFIAny visit_through(void* visitor, TVMFFIAny value) {
  return ((const VisitorTable*)((const SsWalker*)visitor)->table)->visit(visitor, value);
}

// ---- visitors ----------------------------------------------------------------------------------------------

static TVMFFIAny visit_in_go(TVMFFIObject* self, TVMFFIAny value) {
  TVMFFIAny result;
  ss_set_none(&result);
  uint64_t outer = ss_go_call_begin();
  int rc = ss_may_enter_go("a structural visitor") ? ss_go.ssgo_visitor_visit(self, &value, &result) : -1;
  ss_go_call_end(outer);
  return rc == 0 ? result : ss_take_raised_value();
}

int ss_visitor_new(int32_t type_index, TVMFFIObjectHandle* out) {
  static const VisitorTable table = {visit_in_go};
  return ss_walker_new(type_index, &table, out);
}

void ss_visitor_visit(void* self, const TVMFFIAny* value, TVMFFIAny* out) {
  uint32_t generation = ss_leave_go();
  *out = visit_through(self, *value);
  ss_return_to_go(generation);
}

void ss_visit_hook(void* hook, void* self, const TVMFFIAny* value, TVMFFIAny* out) {
  uint32_t generation = ss_leave_go();
  *out = ((TVMFFIAny(*)(TVMFFIObject*, TVMFFIAny))hook)(self, *value);
  ss_return_to_go(generation);
}

// ---- the builtin containers ----------------------------------------------------------------------------------

static TVMFFIAny wrong_type(const char* wanted, const TVMFFIAny* value) {
  const TVMFFITypeInfo* type = SelfsameFindTypeInfo(value->type_index);
  ss_raise("TypeError", "__s_visit__: expected %s, got %s", wanted, type == NULL ? "?" : type->type_key.data);
  return ss_take_raised_value();
}

// Visits one element and owns it during the visit, because the visit may remove it from its container.
static TVMFFIAny visit_owned(TVMFFIObject* self, TVMFFIAny value) {
  if (value.type_index < kTVMFFIStaticObjectBegin) return visit_through(self, value);
  ss_incref(value.v_obj);
  TVMFFIAny result = visit_through(self, value);
  ss_xdecref(value.v_obj);
  return result;
}

static TVMFFIAny visit_sequence(TVMFFIObject* self, TVMFFIAny value) {
  TVMFFIAny result;
  ss_set_none(&result);
  if (value.type_index != kTVMFFIArray && value.type_index != kTVMFFIList)
    return wrong_type("ffi.Array or ffi.List", &value);
  ss_incref(value.v_obj);
  const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(value.v_obj + 1);
  for (int64_t i = 0; i < cell->size && result.type_index == kTVMFFINone; i++) {
    result = visit_owned(self, ((const TVMFFIAny*)cell->data)[i]);
  }
  ss_xdecref(value.v_obj);
  return result;
}

static TVMFFIAny visit_map(TVMFFIObject* self, TVMFFIAny value) {
  TVMFFIAny result;
  ss_set_none(&result);
  if (value.type_index != kTVMFFIMap && value.type_index != kTVMFFIDict)
    return wrong_type("ffi.Map or ffi.Dict", &value);
  const SsMapCell* cell = ss_map_cell(value.v_obj);
  if (cell->size == 0) return result;
  // The visits work on a copy of the values, because they may change the Dict.
  TVMFFIAny* values = malloc(cell->size * sizeof(TVMFFIAny));
  if (values == NULL) {
    ss_raise_no_memory("the values of a map");
    return ss_take_raised_value();
  }
  uint64_t n = 0;
  if (ss_map_is_small(cell)) {
    for (; n < cell->size; n++) values[n] = ((const SsEntry*)cell->data)[n].value;
  } else {
    for (uint64_t bucket = cell->head; bucket != SS_NO_BUCKET && n < cell->size; n++) {
      const SsBucket* item = ss_map_bucket(cell, bucket);
      values[n] = item->entry.value;
      bucket = item->next;
    }
  }
  for (uint64_t i = 0; i < n; i++) {
    if (values[i].type_index >= kTVMFFIStaticObjectBegin) ss_incref(values[i].v_obj);
  }
  for (uint64_t i = 0; i < n && result.type_index == kTVMFFINone; i++) {
    result = visit_through(self, values[i]);
  }
  for (uint64_t i = 0; i < n; i++) ss_any_clear(&values[i]);
  free(values);
  return result;
}

void* ss_visit_sequence_hook(void) { return (void*)visit_sequence; }

void* ss_visit_map_hook(void) { return (void*)visit_map; }
