// Visiting the parts of a value with any visitor: with the hook __s_visit__ of its class, else field by field. The
// builtin containers' hook is here too.
#include "collections/map_pairs.h"
#include "core/raise.h"
#include "structural_field.h"
#include "structural_visitor.h"
#include "structural_callbacks.h"
#include "core/type_attributes.h"

static const char operation[] = "StructuralVisit";

// Visits a value that is borrowed from an object which the visit may change.
static TVMFFIAny visit(SsWalker* visitor, SsOwnWalk* own, TVMFFIAny value) {
  if (own != NULL) return ss_walk_value(own, value);  // takes a reference itself
  ss_retain(value);
  TVMFFIAny outcome = ss_visitor_table(visitor)->visit(visitor, value);
  ss_any_clear(&value);
  return outcome;
}

// ---- containers --------------------------------------------------------------------------------------------

static TVMFFIAny visit_sequence(SsWalker* visitor, SsOwnWalk* own, TVMFFIObject* obj) {
  const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(obj + 1);
  TVMFFIAny outcome = ss_none_value();
  ss_incref(obj);
  // Size and elements are read again for each: a visit may change a List.
  for (int64_t i = 0; i < cell->size && outcome.type_index == kTVMFFINone; i++) {
    outcome = visit(visitor, own, ((const TVMFFIAny*)cell->data)[i]);
  }
  ss_xdecref(obj);
  return outcome;
}

static TVMFFIAny visit_map(SsWalker* visitor, SsOwnWalk* own, TVMFFIObject* obj) {
  TVMFFIAny outcome = ss_none_value();
  SsMapPairs pairs;
  const SsEntry* entry;
  ss_incref(obj);
  if (ss_map_pairs_begin(&pairs, obj, operation) != 0) outcome = ss_raised_value();
  while (outcome.type_index == kTVMFFINone && (entry = ss_map_pairs_next(&pairs)) != NULL) {
    outcome = visit(visitor, own, entry->value);
  }
  ss_map_pairs_end(&pairs);
  ss_xdecref(obj);
  return outcome;
}

static TVMFFIAny wrong_type(const char* wanted, TVMFFIAny value) {
  ss_raise("TypeError", "__s_visit__: expected %s, got %s", wanted, ss_walk_key(value.type_index));
  return ss_raised_value();
}

static TVMFFIAny sequence_hook(SsWalker* visitor, TVMFFIAny value) {
  if (value.type_index != kTVMFFIArray && value.type_index != kTVMFFIList) {
    return wrong_type("ffi.Array or ffi.List", value);
  }
  return ss_walk_has_stack(operation) ? visit_sequence(visitor, NULL, value.v_obj) : ss_raised_value();
}

static TVMFFIAny map_hook(SsWalker* visitor, TVMFFIAny value) {
  if (value.type_index != kTVMFFIMap && value.type_index != kTVMFFIDict) {
    return wrong_type("ffi.Map or ffi.Dict", value);
  }
  return ss_walk_has_stack(operation) ? visit_map(visitor, NULL, value.v_obj) : ss_raised_value();
}

void* ss_visit_sequence_hook(void) { return (void*)sequence_hook; }

void* ss_visit_map_hook(void) { return (void*)map_hook; }

// ---- objects -----------------------------------------------------------------------------------------------

// Visits one field; `region` is that of the fields.
static TVMFFIAny visit_field(SsWalker* visitor, SsOwnWalk* own, const TVMFFIFieldInfo* field, TVMFFIObject* obj,
                             SsRegion region) {
  TVMFFIAny value;
  uint8_t owned;
  if (ss_peek_field(field, ss_field_is_plain(field), obj, &value, &owned) != 0) return ss_raised_value();
  visitor->region = (int32_t)ss_region_in_field(region, field->flags);
  TVMFFIAny outcome = visit(visitor, own, value);
  visitor->region = (int32_t)region;
  if (owned) ss_any_clear(&value);
  return outcome;
}

static TVMFFIAny visit_fields(SsWalker* visitor, SsOwnWalk* own, TVMFFIObject* obj) {
  TVMFFIAny outcome = ss_none_value();
  const SsType* type = ss_type_at(obj->type_index);
  if (type == NULL) return outcome;
  SsRegion was = (SsRegion)visitor->region, region = was;
  const TVMFFITypeMetadata* metadata = type->info.metadata;
  if (metadata != NULL && metadata->structural_eq_hash_kind == kTVMFFISEqHashKindFreeVar) {
    region = ss_region_in_variable(was);
  }
  SsFieldCursor cursor = ss_first_field(&type->info);
  const TVMFFIFieldInfo* field;
  while (outcome.type_index == kTVMFFINone && (field = ss_next_field(&cursor)) != NULL) {
    outcome = visit_field(visitor, own, field, obj, region);
  }
  visitor->region = (int32_t)was;
  return outcome;
}

// ---- hooks -------------------------------------------------------------------------------------------------

// Calls a hook that is a C function.
static TVMFFIAny call_native(SsWalker* visitor, SsOwnWalk* own, void* hook, TVMFFIAny value) {
  if (hook == (void*)sequence_hook) return visit_sequence(visitor, own, value.v_obj);
  if (hook == (void*)map_hook) return visit_map(visitor, own, value.v_obj);
  ss_walk_leave(own);
  return ss_walk_left(own, ((TVMFFIAny(*)(SsWalker*, TVMFFIAny))hook)(visitor, value));
}

// Calls a hook that is a Function.
static TVMFFIAny call_function(SsWalker* visitor, SsOwnWalk* own, TVMFFIObject* hook, TVMFFIAny value) {
  TVMFFIAny args[2] = {ss_walker_value(visitor), value};
  return ss_visit_outcome(ss_walk_call(own, hook, args, 2), "Optional<ffi.VisitInterrupt>");
}

TVMFFIAny ss_visit_parts(SsWalker* visitor, SsOwnWalk* own, TVMFFIAny value) {
  static SsAttributeColumn* column;
  if (!ss_walk_has_stack(operation)) return ss_raised_value();
  const TVMFFIAny* hook = ss_column_value(&column, "__s_visit__", value.type_index);
  if (hook == NULL) {
    return ss_is_object_value(value) ? visit_fields(visitor, own, value.v_obj) : ss_none_value();
  }
  switch (hook->type_index) {
    case kTVMFFIOpaquePtr:
      return call_native(visitor, own, hook->v_ptr, value);
    case kTVMFFIFunction:
      return call_function(visitor, own, hook->v_obj, value);
    default:
      ss_raise("TypeError", "__s_visit__ must be an opaque function pointer or ffi.Function");
      return ss_raised_value();
  }
}
