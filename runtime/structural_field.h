// Iterates over and reads the reflected fields of an object, for the structural walks in C. Private to the runtime.
#ifndef SELFSAME_RUNTIME_STRUCTURAL_FIELD_H_
#define SELFSAME_RUNTIME_STRUCTURAL_FIELD_H_

#include "plane.h"

#pragma GCC visibility push(hidden)

// The position of the next field among the fields of a class and its ancestors, ancestors first.
typedef struct {
  const TVMFFITypeInfo* type;
  int32_t depth;  // of the class that declares the field
  int32_t index;  // among the fields that this class declares
} SsFieldCursor;

static inline SsFieldCursor ss_first_field(const TVMFFITypeInfo* type) { return (SsFieldCursor){type, 1, 0}; }

// Returns the next field that counts for equality and hash and advances the cursor, or returns NULL at the end.
const TVMFFIFieldInfo* ss_next_field(SsFieldCursor* cursor);

// Reads a field of `obj`. *owned tells whether the caller owns *value or borrows it from the object. Returns 0, or the
// non-zero result of the getter, which has raised an error; then *value is None.
int ss_peek_field(const TVMFFIFieldInfo* field, void* obj, TVMFFIAny* value, int* owned);

// Returns the type if its objects are compared and hashed by their fields alone, with its structural kind in *kind;
// returns NULL for any other type. `hook` is the type attribute with which a class overrides that; *column caches the
// attribute's column, NULL at first. Any thread may call this.
const TVMFFITypeInfo* ss_type_compared_by_fields(int32_t type_index, const char* hook, SsAttributeColumn** column,
                                                 int32_t* kind);

static inline uint32_t ss_strong_count(const TVMFFIObject* obj) {
  return (uint32_t)__atomic_load_n(&obj->combined_ref_count, __ATOMIC_RELAXED);
}

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_STRUCTURAL_FIELD_H_
