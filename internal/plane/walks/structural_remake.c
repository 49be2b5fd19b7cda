// Mutating the parts of a value with any mutator: with the hooks __s_mutate__ and __s_maybe_inplace_mutate__ of its
// class, else field by field in a shallow copy. The builtin types' hooks are here too.
#include <string.h>

#include "collections/map_pairs.h"
#include "core/object_create.h"
#include "core/raise.h"
#include "collections/sequence.h"
#include "structural_field.h"
#include "structural_visitor.h"
#include "structural_callbacks.h"
#include "core/type_attributes.h"

static const char operation[] = "StructuralMutate";

static TVMFFIAny unchanged(void) {
  TVMFFIAny marker = ss_none_value();
  marker.type_index = kTVMFFIUnchanged;
  return marker;
}

// Mutates a part, in place only if it has a single reference.
static TVMFFIAny mutate(SsWalker* mutator, SsOwnWalk* own, TVMFFIAny value, int in_place) {
  in_place = in_place && ss_owned_once(value);
  if (own != NULL) return ss_mutation_value(own, value, in_place);
  const SsMutatorTable* table = ss_mutator_table(mutator);
  return (in_place ? table->mutate_in_place : table->mutate)(mutator, value);
}

// ---- Array and List ----------------------------------------------------------------------------------------

static int push_shared(TVMFFIObject* made, TVMFFIAny value) {
  ss_retain(value);
  return ss_sequence_append(made, value);
}

// Makes a sequence with the first n elements of `obj`, which has room for all of them. NULL: raised.
static TVMFFIObject* copy_begin(TVMFFIObject* obj, int64_t n) {
  const TVMFFISeqCell* cell = ss_sequence(obj);
  TVMFFIObject* made = obj->type_index == kTVMFFIArray ? ss_array_new(cell->size) : ss_list_new(cell->size);
  for (int64_t i = 0; made != NULL && i < n && i < cell->size; i++) {
    push_shared(made, ((const TVMFFIAny*)cell->data)[i]);  // there is room
  }
  return made;
}

// Stores an owned value in place of the element i, which a callback may have removed.
static void set_item(TVMFFIObject* obj, int64_t i, TVMFFIAny owned) {
  TVMFFISeqCell* cell = ss_sequence(obj);
  if (i < cell->size) {
    TVMFFIAny* item = (TVMFFIAny*)cell->data + i;
    TVMFFIAny old = *item;
    *item = owned;
    owned = old;
  }
  ss_any_clear(&owned);
}

// Puts the outcome for the element i, which it takes over, into place. *made is the replacement of the sequence, NULL
// before the first change. Returns 0, or -1 raised.
static int put_outcome(TVMFFIObject* obj, int64_t i, TVMFFIAny item, TVMFFIAny outcome, int in_place,
                       TVMFFIObject** made) {
  if (!ss_changes(outcome, item)) {
    ss_any_clear(&outcome);
    return *made == NULL ? 0 : push_shared(*made, item);
  }
  if (in_place) {
    set_item(obj, i, outcome);
    return 0;
  }
  if (*made == NULL && (*made = copy_begin(obj, i)) == NULL) {
    ss_any_clear(&outcome);
    return -1;
  }
  return ss_sequence_append(*made, outcome);
}

// Mutates the element i and puts the outcome into place. Returns an Error, or the unchanged marker. Holds a reference
// to an element of a List, because a callback may remove it; but not for a change in place, which needs the only one.
// An Array with other owners does not change, and a callback may ask whether its elements have one owner.
static TVMFFIAny mutate_item(SsWalker* mutator, SsOwnWalk* own, TVMFFIObject* obj, int64_t i, int in_place,
                             TVMFFIObject** made) {
  TVMFFIAny item = ((const TVMFFIAny*)ss_sequence(obj)->data)[i];
  int keep = !in_place && obj->type_index == kTVMFFIList;
  if (keep) ss_retain(item);
  TVMFFIAny outcome = mutate(mutator, own, item, in_place);
  if (!ss_is_error(outcome)) {
    outcome = put_outcome(obj, i, item, outcome, in_place, made) == 0 ? unchanged() : ss_raised_value();
  }
  if (keep) ss_any_clear(&item);
  return outcome;
}

static TVMFFIAny mutate_sequence(SsWalker* mutator, SsOwnWalk* own, TVMFFIObject* obj, int in_place) {
  TVMFFIObject* made = NULL;
  // Size and elements are read again for each: a callback may change a List.
  for (int64_t i = 0; i < ss_sequence(obj)->size; i++) {
    TVMFFIAny outcome = mutate_item(mutator, own, obj, i, in_place, &made);
    if (!ss_is_error(outcome)) continue;
    ss_xdecref(made);
    return outcome;
  }
  TVMFFIAny result = unchanged();
  if (made != NULL) ss_set_object(&result, made);
  return result;
}

// ---- Map and Dict ------------------------------------------------------------------------------------------

// Finds the entry of a key: *out is NULL when there is none. Returns 0, or -1 raised.
static int find(TVMFFIObject* map, const TVMFFIAny* key, SsEntry** out) {
  const SsEntry* entry = NULL;
  if (ss_map_find(map, key, &entry) != 0) return -1;
  *out = (SsEntry*)entry;
  return 0;
}

// Puts the outcome for a value, which it takes over, under its key in *target, the map itself or its replacement.
// Returns 0, or -1 raised.
static int put_value(TVMFFIObject* obj, const TVMFFIAny* key, TVMFFIAny outcome, int in_place, TVMFFIObject** target) {
  int rc = 0;
  if (!in_place && *target == obj) {
    TVMFFIObject* copy = ss_map_copy(obj, obj->type_index);
    if (copy == NULL) rc = -1;
    if (copy != NULL) *target = copy;
  }
  SsEntry* entry = NULL;
  if (rc == 0) rc = find(*target, key, &entry);
  if (rc == 0 && entry != NULL) {
    TVMFFIAny old = entry->value;
    entry->value = outcome;
    outcome = old;
  }
  ss_any_clear(&outcome);
  return rc;
}

// Mutates the values one by one. A Dict's are looked up by their key each time, because callbacks may change it.
// Returns the unchanged marker, or an Error.
static TVMFFIAny mutate_values(SsWalker* mutator, SsOwnWalk* own, TVMFFIObject* obj, int in_place, SsMapPairs* pairs,
                               TVMFFIObject** target) {
  const SsEntry* entry;
  while ((entry = ss_map_pairs_next(pairs)) != NULL) {
    TVMFFIAny key = entry->key;
    SsEntry* now = (SsEntry*)entry;
    if (obj->type_index == kTVMFFIDict && find(obj, &key, &now) != 0) return ss_raised_value();
    if (now == NULL) continue;
    TVMFFIAny value = now->value;
    TVMFFIAny outcome = mutate(mutator, own, value, in_place);
    if (ss_is_error(outcome)) return outcome;
    if (!ss_changes(outcome, value)) {
      ss_any_clear(&outcome);
    } else if (put_value(obj, &key, outcome, in_place, target) != 0) {
      return ss_raised_value();
    }
  }
  return unchanged();
}

static TVMFFIAny mutate_map(SsWalker* mutator, SsOwnWalk* own, TVMFFIObject* obj, int in_place) {
  SsMapPairs pairs;
  TVMFFIObject* target = obj;  // the replacement after the first change that is not in place
  TVMFFIAny outcome = ss_map_pairs_begin(&pairs, obj, operation) == 0
                          ? mutate_values(mutator, own, obj, in_place, &pairs, &target)
                          : ss_raised_value();
  ss_map_pairs_end(&pairs);
  if (target == obj) return outcome;
  if (ss_is_error(outcome)) {
    ss_xdecref(target);
  } else {
    ss_set_object(&outcome, target);
  }
  return outcome;
}

// ---- the hooks of builtin types ----------------------------------------------------------------------------

static TVMFFIAny mutate_elements(SsWalker* mutator, SsOwnWalk* own, TVMFFIAny value, int in_place) {
  switch (value.type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      return mutate_sequence(mutator, own, value.v_obj, in_place);
    case kTVMFFIMap:
    case kTVMFFIDict:
      return mutate_map(mutator, own, value.v_obj, in_place);
    default:
      ss_raise("TypeError", "structural mutate: a container was expected, got `%s`", ss_walk_key(value.type_index));
      return ss_raised_value();
  }
}

static TVMFFIAny container_hook(SsWalker* mutator, TVMFFIAny value) {
  return ss_walk_has_stack(operation) ? mutate_elements(mutator, NULL, value, 0) : ss_raised_value();
}

static TVMFFIAny container_in_place_hook(SsWalker* mutator, TVMFFIAny value) {
  return ss_walk_has_stack(operation) ? mutate_elements(mutator, NULL, value, 1) : ss_raised_value();
}

static TVMFFIAny leaf_hook(SsWalker* mutator, TVMFFIAny value) {
  (void)mutator;
  (void)value;
  return unchanged();
}

void* ss_mutate_container_hook(void) { return (void*)container_hook; }

void* ss_mutate_container_in_place_hook(void) { return (void*)container_in_place_hook; }

void* ss_mutate_leaf_hook(void) { return (void*)leaf_hook; }

// ---- objects -----------------------------------------------------------------------------------------------

// Stores the outcome for a field, which it takes over. Returns None or an Error.
static TVMFFIAny set_field(SsOwnWalk* own, const TVMFFIFieldInfo* field, TVMFFIObject* obj, TVMFFIAny outcome) {
  TVMFFIAny failure = ss_none_value();
  if (field->setter == NULL) {
    ss_raise("TypeError", "Cannot structurally mutate field `%s` of type `%s` because it does not define a setter",
             field->name.data, ss_walk_key(obj->type_index));
    failure = ss_raised_value();
  } else {
    ss_walk_leave(own);
    int rc = ss_field_set(field, obj, &outcome);
    failure = ss_walk_left(own, rc == 0 ? failure : ss_raised_value());
  }
  ss_any_clear(&outcome);
  return failure;
}

// Mutates one field of the copy `obj`; `region` is that of the fields. Returns None or an Error, and sets *changed when
// the field changed.
static TVMFFIAny mutate_field(SsWalker* mutator, SsOwnWalk* own, const TVMFFIFieldInfo* field, TVMFFIObject* obj,
                              SsRegion region, int* changed) {
  TVMFFIAny value;
  uint8_t owned;
  if (ss_peek_field(field, ss_field_is_plain(field), obj, &value, &owned) != 0) return ss_raised_value();
  if (!owned) ss_retain(value);
  mutator->region = (int32_t)ss_region_in_field(region, field->flags);
  TVMFFIAny outcome = mutate(mutator, own, value, 0);
  mutator->region = (int32_t)region;
  if (!ss_is_error(outcome)) {
    if (ss_changes(outcome, value)) {
      outcome = set_field(own, field, obj, outcome);
      *changed = 1;
    } else {
      ss_any_clear(&outcome);
    }
  }
  ss_any_clear(&value);
  return outcome;
}

// Makes a shallow copy of an object: an owned value, or an Error.
static TVMFFIAny shallow_copy(SsOwnWalk* own, TVMFFIAny value) {
  static SsAttributeColumn* column;
  const TVMFFIAny* copies = ss_column_value(&column, "__ffi_shallow_copy__", value.type_index);
  if (copies == NULL || copies->type_index != kTVMFFIFunction) {
    ss_raise("TypeError", "__ffi_shallow_copy__ must be an ffi.Function");
    return ss_raised_value();
  }
  TVMFFIAny made = ss_walk_call(own, copies->v_obj, &value, 1);
  if (ss_is_error(made) || (made.type_index == value.type_index && made.v_obj != value.v_obj)) return made;
  ss_any_clear(&made);
  ss_raise("TypeError", "Shallow copy callback must return a distinct object with the same type as its input");
  return ss_raised_value();
}

// Mutates the fields of a shallow copy, which is the replacement if a field changed.
static TVMFFIAny mutate_fields(SsWalker* mutator, SsOwnWalk* own, const SsType* type, TVMFFIAny value, int variable) {
  TVMFFIAny made = shallow_copy(own, value), outcome = ss_none_value();
  if (ss_is_error(made)) return made;
  SsRegion was = (SsRegion)mutator->region, region = variable ? ss_region_in_variable(was) : was;
  SsFieldCursor cursor = ss_first_field(&type->info);
  const TVMFFIFieldInfo* field;
  int changed = 0;
  while (!ss_is_error(outcome) && (field = ss_next_field(&cursor)) != NULL) {
    outcome = mutate_field(mutator, own, field, made.v_obj, region, &changed);
  }
  mutator->region = (int32_t)was;
  if (!ss_is_error(outcome) && changed) return made;
  ss_any_clear(&made);
  return ss_is_error(outcome) ? outcome : unchanged();
}

static TVMFFIAny remap_get(SsWalker* mutator, SsOwnWalk* own, TVMFFIAny variable) {
  return own != NULL ? ss_mutation_get(own, variable) : ss_mutator_table(mutator)->remap_get(mutator, variable);
}

static TVMFFIAny remap_set(SsWalker* mutator, SsOwnWalk* own, TVMFFIAny variable, TVMFFIAny value) {
  return own != NULL ? ss_mutation_set(own, variable, value)
                     : ss_mutator_table(mutator)->remap_set(mutator, variable, value);
}

// Mutates the fields of an object. The outcome for a variable or shared node is stored, and returned when the walk
// meets the object again.
static TVMFFIAny mutate_object(SsWalker* mutator, SsOwnWalk* own, TVMFFIAny value) {
  const SsType* type = ss_type_at(value.type_index);
  if (type == NULL) {
    ss_raise("TypeError", "%s: type index %d is not registered", operation, value.type_index);
    return ss_raised_value();
  }
  int32_t kind =
      type->info.metadata == NULL ? kTVMFFISEqHashKindUnsupported : type->info.metadata->structural_eq_hash_kind;
  int variable = kind == kTVMFFISEqHashKindFreeVar, shared = kind == kTVMFFISEqHashKindDAGNode;
  if (variable || shared) {
    TVMFFIAny mapped = remap_get(mutator, own, value);
    if (mapped.type_index != kTVMFFINone) return mapped;
  }
  int32_t region = mutator->region;
  if (variable && region == SS_REGION_NONE) return unchanged();  // the use of a variable that has no replacement
  TVMFFIAny outcome = mutate_fields(mutator, own, type, value, variable);
  if (ss_is_error(outcome) || (!variable && !shared)) return outcome;
  if (shared || region == SS_REGION_PATTERN || outcome.type_index != kTVMFFIUnchanged) {
    TVMFFIAny set = remap_set(mutator, own, value, outcome);
    if (ss_is_error(set)) {
      ss_any_clear(&outcome);
      return set;
    }
    ss_any_clear(&set);
  }
  return outcome;
}

// ---- hooks -------------------------------------------------------------------------------------------------

static TVMFFIAny call_hook(SsWalker* mutator, SsOwnWalk* own, const TVMFFIAny* hook, TVMFFIAny value, int in_place) {
  if (hook->type_index == kTVMFFIFunction) {
    TVMFFIAny args[2] = {ss_walker_value(mutator), value};
    return ss_walk_call(own, hook->v_obj, args, 2);
  }
  if (hook->v_ptr == (void*)container_hook || hook->v_ptr == (void*)container_in_place_hook) {
    return mutate_elements(mutator, own, value, in_place);
  }
  if (hook->v_ptr == (void*)leaf_hook) return unchanged();
  ss_walk_leave(own);
  return ss_walk_left(own, ((TVMFFIAny(*)(SsWalker*, TVMFFIAny))hook->v_ptr)(mutator, value));
}

static int is_hook(const TVMFFIAny* hook) {
  return hook != NULL && (hook->type_index == kTVMFFIOpaquePtr || hook->type_index == kTVMFFIFunction);
}

// Mutates the parts of a value with the hook of its class, or field by field when it has none.
static TVMFFIAny dispatch(SsWalker* mutator, SsOwnWalk* own, TVMFFIAny value, int in_place) {
  static SsAttributeColumn *copying, *changing;
  if (in_place) {
    const TVMFFIAny* hook = ss_column_value(&changing, "__s_maybe_inplace_mutate__", value.type_index);
    if (is_hook(hook)) return call_hook(mutator, own, hook, value, 1);
  }
  const TVMFFIAny* hook = ss_column_value(&copying, "__s_mutate__", value.type_index);
  if (is_hook(hook)) return call_hook(mutator, own, hook, value, 0);
  if (hook != NULL) {
    ss_raise("TypeError", "__s_mutate__ must be a direct hook pointer or ffi.Function");
    return ss_raised_value();
  }
  if (ss_is_object_value(value)) return mutate_object(mutator, own, value);
  TVMFFIAny owned;
  return TVMFFIAnyViewToOwnedAny(&value, &owned) == 0 ? owned : ss_raised_value();
}

TVMFFIAny ss_mutate_parts(SsWalker* mutator, SsOwnWalk* own, TVMFFIAny value, int in_place) {
  TVMFFIAny outcome = ss_walk_has_stack(operation) ? dispatch(mutator, own, value, in_place) : ss_raised_value();
  if (ss_is_error(outcome)) ss_error_passes(outcome, value);
  return outcome;
}
