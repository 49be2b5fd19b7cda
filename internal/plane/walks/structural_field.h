// Iterates over and reads the reflected fields of an object, for the structural and recursive walks
// (structural_field.c). Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_FIELD_H_
#define SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_FIELD_H_

#include "core/raise.h"
#include "core/type_table.h"

#pragma GCC visibility push(hidden)

// The position of the next field among the fields of a class and its ancestors, ancestors first.
typedef struct {
  const TVMFFITypeInfo* type;  // of the object; borrowed from the type table
  int32_t depth;               // of the class that declares the field
  int32_t index;               // among the fields that this class declares
} SsFieldCursor;

static inline SsFieldCursor ss_first_field(const TVMFFITypeInfo* type) { return (SsFieldCursor){type, 1, 0}; }

// Raises TypeError for a class whose objects cannot be compared; `missing` names what is not set. Returns -1.
int ss_raise_not_structural(const SsType* type, const char* missing);

// Returns the next field with none of the flags in `skip` and advances the cursor, or returns NULL at the end.
static inline const TVMFFIFieldInfo* ss_next_field_without(SsFieldCursor* cursor, int64_t skip) {
  const TVMFFITypeInfo* type = cursor->type;
  for (; cursor->depth <= type->type_depth; cursor->depth++, cursor->index = 0) {
    const TVMFFITypeInfo* owner = cursor->depth == type->type_depth ? type : type->type_ancestors[cursor->depth];
    while (cursor->index < owner->num_fields) {
      const TVMFFIFieldInfo* field = &owner->fields[cursor->index++];
      if (!(field->flags & skip)) return field;
    }
  }
  return NULL;
}

// The next field that counts for structural equality and hash.
static inline const TVMFFIFieldInfo* ss_next_field(SsFieldCursor* cursor) {
  return ss_next_field_without(cursor, kTVMFFIFieldFlagBitMaskSEqHashIgnore);
}

// Whether the field's getter only reads its storage, so that ss_peek_field may do that itself.
int ss_field_is_plain(const TVMFFIFieldInfo* field);

// Reads a field of `obj`; `plain` is what ss_field_is_plain says. *owned tells whether the caller owns an object in
// *value, or borrows it from `obj`. Returns 0, or the non-zero result of the getter, which has raised an error; then
// *value is None.
int ss_peek_field(const TVMFFIFieldInfo* field, int plain, void* obj, TVMFFIAny* value, uint8_t* owned);

// Finds the class of an object and how its objects are compared. Returns 0, or -1 raised: they cannot be.
static inline int ss_structural_kind(int32_t type_index, const TVMFFITypeInfo** type, int32_t* kind) {
  const SsType* known = ss_type_at(type_index);
  if (known == NULL || known->info.metadata == NULL) return ss_raise_not_structural(known, "Type metadata");
  *type = &known->info;
  *kind = known->info.metadata->structural_eq_hash_kind;
  if (*kind == kTVMFFISEqHashKindUnsupported) return ss_raise_not_structural(known, "_type_s_eq_hash_kind");
  return 0;
}

static inline uint32_t ss_strong_count(const TVMFFIObject* obj) {
  return (uint32_t)__atomic_load_n(&obj->combined_ref_count, __ATOMIC_RELAXED);
}

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_FIELD_H_
