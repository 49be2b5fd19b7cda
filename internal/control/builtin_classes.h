// Creators, getters and setters of the classes that the runtime registers itself. Private to the runtime.
#ifndef SELFSAME_INTERNAL_CONTROL_BUILTIN_CLASSES_H_
#define SELFSAME_INTERNAL_CONTROL_BUILTIN_CLASSES_H_

#include "plane.h"

#pragma GCC visibility push(hidden)

// The builtin classes with a dynamic index, in the order of their registration.
enum {
  SS_VISIT_INTERRUPT,
  SS_ENUM_STATE,
  SS_ENUM,
  SS_INT_ENUM,
  SS_STR_ENUM,
  SS_ACCESS_STEP,
  SS_ACCESS_PATH,
  SS_STRUCTURAL_VISITOR,
  SS_VISIT_ERROR_CONTEXT,
  SS_STRUCTURAL_MUTATOR,
  SS_STRUCTURAL_KEY,
  SS_NUM_BUILTIN_CLASSES
};

// Sets the type index of a builtin class. Called once for each, while the runtime starts.
void ss_builtin_class(int which, int32_t type_index);

// The type index of a builtin class.
int32_t ss_builtin_class_index(int which);

// The creator of a class, an int (*)(TVMFFIObjectHandle* out), or NULL for a class that has none.
void* ss_builtin_creator(int which);

// The kinds of field that the builtin classes have.
enum {
  SS_FIELD_ANY,
  SS_FIELD_INT64,
  SS_FIELD_INT32,
  SS_FIELD_STRING,
  SS_FIELD_LIST,
  SS_FIELD_DICT,
  SS_FIELD_OBJECT,  // any object or None
  SS_FIELD_STEP,    // an AccessStep or None
};
void* ss_builtin_getter(int kind);
void* ss_builtin_setter(int kind);

// Makes a StructuralKey of a value (borrowed) and its hash; takes a new reference to an object. Returns a new
// reference, or NULL with an error raised.
TVMFFIObject* ss_structural_key_new(const TVMFFIAny* value, int64_t hash);

// Whether two StructuralKeys have equal values. Returns 0, or -1 with an error raised.
int ss_structural_keys_equal(const TVMFFIAny* a, const TVMFFIAny* b, int* equal);

// Make the Functions that hash and compare StructuralKeys as keys of a Map. Return new references, or NULL with an
// error raised.
TVMFFIObject* ss_structural_key_hasher(void);
TVMFFIObject* ss_structural_key_comparer(void);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_CONTROL_BUILTIN_CLASSES_H_
