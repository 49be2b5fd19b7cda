// Owned fields: the places in a native object's memory that hold references which it owns, as far as reflection proves
// it.
#ifndef SELFSAME_CORE_GC_OWNED_FIELDS_H_
#define SELFSAME_CORE_GC_OWNED_FIELDS_H_

#include "selfsame/internal/owned_field.h"
#include "tie/core.h"

typedef struct {
  int64_t offset;                // from the native object's address
  const TVMFFIFieldInfo* field;  // its registration, which lives until the process ends
  int is_any;                    // 1: an owned TVMFFIAny; 0: an owning object pointer or NULL
} SsOwnedField;

typedef struct {
  int32_t count;  // of fields
  int64_t begin;  // of the first owned field: 0, or less when one lies in a C++ base that comes before ffi::Object
  int64_t end;    // of the last owned field
  SsOwnedField fields[];  // one for each place
} SsOwnedFields;

// The owned fields of a type, its ancestors' included, each place once; NULL when none is proven, or without memory.
// The result lives until the process ends. Runs inside the collector: takes no reference and runs no Python code.
//
// A field is proven
//  * by SELFSAME_FIELD_PLAIN: the class itself states that the storage is what the type index says;
//  * by what the published headers register for a member of type T. An object pointer that owns (ObjectRef and the
//    classes derived from it, ObjectPtr, Arc) has the size of a pointer and the index of ffi.Object or of a container.
//    A pointer that owns nothing has the index of Any, and an owned Any has 16 bytes. std::array and std::tuple have
//    the index of ffi.Array and may have the size of a pointer; their schema tells them apart. Optional and Variant
//    have the index of Any in two sizes; only those whose schema names what they hold are taken.
// Every other field is left alone. RATIONALE.md, "Why a raw pointer's field can be told from an owner's".
SS_HIDDEN const SsOwnedFields* ss_owned_fields_of(int32_t type_index);

// Whether the field's setter may be used to empty it.
static inline int ss_is_settable(const TVMFFIFieldInfo* field) {
  return (field->flags & kTVMFFIFieldFlagBitMaskWritable) != 0 && field->setter != NULL;
}

#endif  // SELFSAME_CORE_GC_OWNED_FIELDS_H_
