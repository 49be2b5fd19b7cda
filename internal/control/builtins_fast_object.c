// Fast paths of the builtin functions that make strings, bytes, and objects of any class. Go implementation:
// builtins.go, builtins_init.go.
#include <string.h>

#include "builtins_fast_call.h"

SS_FAST(string) {
  if (!ss_is_call(args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  int32_t type_index = args->type_index;
  if (type_index != kTVMFFIStr && type_index != kTVMFFISmallStr && type_index != kTVMFFIRawStr) SS_FALL_BACK_TO_GO();
  return TVMFFIAnyViewToOwnedAny(args, result);
}

SS_FAST(bytes) {
  if (!ss_is_call(args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  int32_t type_index = args->type_index;
  if (type_index != kTVMFFIBytes && type_index != kTVMFFISmallBytes && type_index != kTVMFFIByteArrayPtr) {
    SS_FALL_BACK_TO_GO();
  }
  return TVMFFIAnyViewToOwnedAny(args, result);
}

// ---- objects from a class and field names with values ------------------------------------------------------

enum { MAX_FIELDS = 64, BY_DEFAULT = 0xff };

static int text_of(const TVMFFIAny* value, TVMFFIByteArray* text) {
  if (value->type_index == kTVMFFIRawStr && value->v_c_str != NULL) {
    *text = (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
    return 1;
  }
  if (value->type_index == kTVMFFISmallStr) return value->small_str_len <= 7 && ss_any_bytes(value, text);
  return ss_is_object(value, kTVMFFIStr) && ss_any_bytes(value, text);
}

// The type whose index or key the argument is; NULL for an argument that Go must report.
static const TVMFFITypeInfo* type_of(const TVMFFIAny* argument) {
  int64_t index = argument->v_int64;
  TVMFFIByteArray key;
  if (argument->type_index != kTVMFFIInt) {
    if (!text_of(argument, &key)) return NULL;
    index = ss_type_by_key(&key);
  }
  if (index < 0 || index >= SS_TYPE_LIMIT) return NULL;
  const SsType* type = ss_type_at((int32_t)index);
  return type == NULL ? NULL : &type->info;
}

// For each field of a class, ancestors' first, the name-value pair that sets it.
typedef struct {
  int num_pairs;
  TVMFFIByteArray names[MAX_FIELDS];
  char used[MAX_FIELDS];  // by pair
  int num_used;
  int num_fields;
  const TVMFFIFieldInfo* fields[MAX_FIELDS];
  uint8_t source[MAX_FIELDS];  // by field: the pair, or BY_DEFAULT
} Assignment;

// Appends a field. Returns 0 when the call does not give it a value and it has no default, or there are too many
// fields.
static int add_field(Assignment* a, const TVMFFIFieldInfo* field) {
  if (a->num_fields == MAX_FIELDS) return 0;
  int at = a->num_fields++;
  a->fields[at] = field;
  for (int i = 0; i < a->num_pairs; i++) {
    int pair = at + i;  // most callers give the fields in order
    while (pair >= a->num_pairs) pair -= a->num_pairs;
    const TVMFFIByteArray* name = &a->names[pair];
    if (a->used[pair] || name->size != field->name.size || memcmp(name->data, field->name.data, name->size) != 0) {
      continue;
    }
    a->used[pair] = 1;
    a->num_used++;
    a->source[at] = (uint8_t)pair;
    return 1;
  }
  a->source[at] = BY_DEFAULT;
  return (field->flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0;
}

// Finds the pair of every field. Returns 0 when a field has no value, or a pair names no field or one already set.
static int assign(const TVMFFITypeInfo* type, const TVMFFIAny* pairs, int num_pairs, Assignment* a) {
  a->num_pairs = num_pairs;
  a->num_used = a->num_fields = 0;
  for (int i = 0; i < num_pairs; i++) {
    if (!text_of(&pairs[2 * i], &a->names[i])) return 0;
    a->used[i] = 0;
  }
  for (int32_t depth = 1; depth <= type->type_depth; depth++) {
    const TVMFFITypeInfo* owner = depth == type->type_depth ? type : type->type_ancestors[depth];
    for (int32_t i = 0; i < owner->num_fields; i++) {
      if (!add_field(a, &owner->fields[i])) return 0;
    }
  }
  return a->num_used == num_pairs;
}

SS_FAST(make_object) {
  if (!ss_is_packed_call(args, num_args, result) || num_args % 2 != 1 || num_args / 2 > MAX_FIELDS)
    SS_FALL_BACK_TO_GO();
  const TVMFFITypeInfo* type = type_of(&args[0]);
  Assignment a;
  if (type == NULL || !assign(type, args + 1, num_args / 2, &a)) SS_FALL_BACK_TO_GO();
  TVMFFIObjectHandle made = NULL;
  int rc = ss_object_create(type, &made);
  for (int i = 0; i < a.num_fields && rc == 0; i++) {
    rc = a.source[i] == BY_DEFAULT ? ss_field_set_default(a.fields[i], made)
                                   : ss_field_set(a.fields[i], made, &args[2 + 2 * a.source[i]]);
  }
  if (rc == 0) return ss_return_object(result, made);
  ss_xdecref(made);
  return -1;
}

const SsFastEntry ss_fast_objects[] = {
    {"ffi.String", string},
    {"ffi.Bytes", bytes},
    {"ffi.MakeObjectFromPackedArgs", make_object},
    {NULL, NULL},
};
