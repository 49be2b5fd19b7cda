// Which places in the memory of a native hold references that it owns, as far as reflection proves it.
#ifndef SELFSAME_PY_SLOTS_H_
#define SELFSAME_PY_SLOTS_H_

#include "tie/core.h"

typedef struct {
  int64_t offset;                // from the native's address
  const TVMFFIFieldInfo* field;  // its registration, which lives for good
  int is_any;                    // 1: an owning TVMFFIAny; 0: an owning object pointer or NULL
} SsOwnedField;

typedef struct {
  int32_t count;
  int64_t begin;  // from the native's address: 0, or less where a slot lies in a C++ base that comes before ffi::Object
  int64_t end;    // behind the last slot
  SsOwnedField slots[];
} SsOwnedFields;

// The slots of a type's fields, its ancestors' included, each place once; NULL when there are none that are proven.
// What is returned lives for good. Runs inside the collector: takes no reference, runs no Python code, and when memory
// is used up answers NULL.
//
// Proven is a field
//  * with SELFSAME_FIELD_PLAIN: the class's own word that the storage is what the type index says;
//  * of the published headers, by what they register for a member of type T. An object pointer that owns (ObjectRef and
//    all its kinds, ObjectPtr, Arc) has the size of a pointer and the index of ffi.Object or of a container; a pointer
//    that owns nothing has the index of Any, which no owning Any of 16 bytes shares its size with. std::array and
//    std::tuple have the index of ffi.Array and may have the size of a pointer; their schema tells them apart. Optional
//    and Variant have the index of Any in two sizes; only those are taken whose schema says what they hold.
// Everything else is left alone.
SS_HIDDEN const SsOwnedFields* ss_owned_fields_of(int32_t type_index);

// Whether a field can be emptied by its setter.
static inline int ss_is_settable(const TVMFFIFieldInfo* field) {
  return (field->flags & kTVMFFIFieldFlagBitMaskWritable) != 0 && field->setter != NULL;
}

// What one field's memory owns, by the same rules.
typedef enum { SS_NOT_OWNED, SS_OWNED_OBJECT, SS_OWNED_ANY } SsOwnedKind;
SS_HIDDEN SsOwnedKind ss_owned_field_kind(const TVMFFIFieldInfo* field);

#endif  // SELFSAME_PY_SLOTS_H_
