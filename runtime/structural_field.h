// Private to the C walks: going through the fields of an object, in the order of the classes that own them.
#ifndef SELFSAME_RUNTIME_STRUCTURAL_FIELD_H_
#define SELFSAME_RUNTIME_STRUCTURAL_FIELD_H_

#include "plane.h"

#pragma GCC visibility push(hidden)

// Where a walk is among an object's fields: the next one.
typedef struct {
  const TVMFFITypeInfo* type;
  int32_t depth;  // of the class that owns the field
  int32_t index;
} ss_field_cursor;

static inline ss_field_cursor ss_first_field(const TVMFFITypeInfo* type) { return (ss_field_cursor){type, 1, 0}; }

// The next field that counts for equality and hash, or NULL.
const TVMFFIFieldInfo* ss_next_field(ss_field_cursor* cursor);

// Reads a field. Returns 0 with *owned telling whether the value is the caller's or still the object's, or what the
// getter returned, with its error in the slot.
int ss_peek_field(const TVMFFIFieldInfo* field, void* obj, TVMFFIAny* value, int* owned);

// The type, when its objects are compared and hashed by their fields alone; *kind is its structural kind. NULL for any
// other. `hook` is the type attribute that says otherwise, `column` remembers it.
const TVMFFITypeInfo* ss_type_of_parts(int32_t type_index, const char* hook, ss_column** column, int32_t* kind);

static inline uint32_t ss_strong_count(const TVMFFIObject* obj) {
  return (uint32_t)__atomic_load_n(&obj->combined_ref_count, __ATOMIC_RELAXED);
}

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_STRUCTURAL_FIELD_H_
