// Private to the runtime: creators, getters and setters of the builtin classes.
#ifndef SELFSAME_RUNTIME_REFLECTED_H_
#define SELFSAME_RUNTIME_REFLECTED_H_

#include "graph.h"

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

// Tells this file the index of a builtin class; once, before its first object is made.
void ss_builtin_class(int which, int32_t type_index);

// A class's creator (int (*)(TVMFFIObjectHandle* out)), NULL for a class that has none.
void* ss_builtin_creator(int which);

// The kinds of field the builtin classes have.
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

// A StructuralKey of an object (borrowed, retained) with that hash: a new reference, or NULL raised.
TVMFFIObject* ss_structural_key_new(const TVMFFIAny* value, int64_t hash);

// Hash and equality of StructuralKeys as Functions.
int ss_structural_key_hash(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);
int ss_structural_key_equal(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_REFLECTED_H_
