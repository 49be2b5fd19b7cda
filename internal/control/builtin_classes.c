// Creators, getters and setters of the builtin classes, and StructuralKey as a key of Maps.
#include "builtin_classes.h"

#include "go_calls.h"
#include "go_exports.h"

static int32_t indices[SS_NUM_BUILTIN_CLASSES];

void ss_builtin_class(int which, int32_t type_index) { indices[which] = type_index; }

int32_t ss_builtin_class_index(int which) { return indices[which]; }

// ---- creators ----------------------------------------------------------------------------------------------

// Makes an object of `size` zero bytes with its header filled in. NULL with an error raised.
static char* new_object(int which, int64_t size, TVMFFIObjectHandle* out) {
  static const char name[] = "the creator of a builtin class";
  if (!ss_check_ptr(out, name, "out")) return NULL;
  *out = NULL;
  const TVMFFITypeInfo* type = SelfsameFindTypeInfo(indices[which]);
  if (!ss_check_ptr(type, name, "type")) return NULL;
  *out = ss_reflected_new(type, size);
  return *out;
}

// Stores a new List or Dict in a field of a new object. On failure releases the object and returns -1.
static int put_container(TVMFFIObjectHandle* obj, int64_t offset, int32_t type_index) {
  TVMFFIObjectHandle made = NULL;
  if (!ss_may_enter_go("the creator of a builtin class") || ss_go.ssgo_new_container(type_index, &made) != 0) {
    ss_xdecref(*obj);
    *obj = NULL;
    return -1;
  }
  *(TVMFFIObjectHandle*)((char*)*obj + offset) = made;
  return 0;
}

static int new_visit_interrupt(TVMFFIObjectHandle* out) {
  return new_object(SS_VISIT_INTERRUPT, 40, out) == NULL ? -1 : 0;
}

static int new_enum_state(TVMFFIObjectHandle* out) {
  if (new_object(SS_ENUM_STATE, 48, out) == NULL) return -1;
  if (put_container(out, 24, kTVMFFIList) != 0 || put_container(out, 32, kTVMFFIDict) != 0) return -1;
  return put_container(out, 40, kTVMFFIDict);
}

static int new_some_enum(int which, TVMFFIObjectHandle* out) {
  char* obj = new_object(which, 48, out);
  if (obj == NULL) return -1;
  ((TVMFFIAny*)(obj + 32))->type_index = kTVMFFISmallStr;  // the empty string
  return 0;
}

static int new_enum(TVMFFIObjectHandle* out) { return new_some_enum(SS_ENUM, out); }
static int new_int_enum(TVMFFIObjectHandle* out) { return new_some_enum(SS_INT_ENUM, out); }
static int new_str_enum(TVMFFIObjectHandle* out) { return new_some_enum(SS_STR_ENUM, out); }

static int new_access_step(TVMFFIObjectHandle* out) { return new_object(SS_ACCESS_STEP, 48, out) == NULL ? -1 : 0; }
static int new_access_path(TVMFFIObjectHandle* out) { return new_object(SS_ACCESS_PATH, 48, out) == NULL ? -1 : 0; }

static int new_visit_error_context(TVMFFIObjectHandle* out) {
  if (new_object(SS_VISIT_ERROR_CONTEXT, 40, out) == NULL) return -1;
  return put_container(out, 24, kTVMFFIList);
}

static int new_structural_key(TVMFFIObjectHandle* out) {
  return new_object(SS_STRUCTURAL_KEY, 48, out) == NULL ? -1 : 0;
}

void* ss_builtin_creator(int which) {
  static int (*const creators[SS_NUM_BUILTIN_CLASSES])(TVMFFIObjectHandle*) = {
      [SS_VISIT_INTERRUPT] = new_visit_interrupt,
      [SS_ENUM_STATE] = new_enum_state,
      [SS_ENUM] = new_enum,
      [SS_INT_ENUM] = new_int_enum,
      [SS_STR_ENUM] = new_str_enum,
      [SS_ACCESS_STEP] = new_access_step,
      [SS_ACCESS_PATH] = new_access_path,
      [SS_VISIT_ERROR_CONTEXT] = new_visit_error_context,
      [SS_STRUCTURAL_KEY] = new_structural_key,
  };
  return (void*)creators[which];
}

// ---- fields ------------------------------------------------------------------------------------------------

static const char* type_key(int32_t type_index) {
  const TVMFFITypeInfo* type = SelfsameFindTypeInfo(type_index);
  return type == NULL ? "?" : type->type_key.data;
}

// Stores an object of the class `type_index` (of any class when that is -1) in a field, or NULL for None if `nullable`.
// Takes a new reference to the value and releases the old one. Returns 0, or -1 with an error raised.
static int set_object(void* field, const TVMFFIAny* value, int32_t type_index, int nullable, const char* wanted) {
  TVMFFIAny owned;
  if (TVMFFIAnyViewToOwnedAny(value, &owned) != 0) return -1;
  int fits = owned.type_index == kTVMFFINone ? nullable
             : type_index >= 0               ? owned.type_index == type_index
                                             : owned.type_index >= kTVMFFIStaticObjectBegin;
  if (!fits) {
    ss_raise("TypeError", "Cannot convert from type `%s` to `%s`", type_key(owned.type_index), wanted);
    ss_any_clear(&owned);
    return -1;
  }
  TVMFFIObject* old = *(TVMFFIObject**)field;
  *(TVMFFIObject**)field = owned.type_index == kTVMFFINone ? NULL : owned.v_obj;
  ss_xdecref(old);
  return 0;
}

static int set_list(void* field, const TVMFFIAny* value) {
  return set_object(field, value, kTVMFFIList, 0, "List<ffi.Object>");
}

static int set_dict(void* field, const TVMFFIAny* value) {
  return set_object(field, value, kTVMFFIDict, 0, "Dict<Any, Any>");
}

static int set_any_object(void* field, const TVMFFIAny* value) {
  return set_object(field, value, -1, 1, "Optional<ffi.Object>");
}

static int set_step(void* field, const TVMFFIAny* value) {
  return set_object(field, value, indices[SS_ACCESS_STEP], 1, "Optional<ffi.reflection.AccessStep>");
}

void* ss_builtin_getter(int kind) {
  switch (kind) {
    case SS_FIELD_ANY:
    case SS_FIELD_STRING:
      return (void*)ss_reflected_getter(kTVMFFIAny);
    case SS_FIELD_INT64:
      return (void*)ss_reflected_getter(kTVMFFIInt);
    case SS_FIELD_INT32:
      return (void*)ss_get_int32;
    default:
      return (void*)ss_get_object;
  }
}

void* ss_builtin_setter(int kind) {
  static int (*const setters[])(void*, const TVMFFIAny*) = {
      [SS_FIELD_ANY] = ss_set_any,        [SS_FIELD_INT64] = ss_set_int64, [SS_FIELD_INT32] = ss_set_int32,
      [SS_FIELD_STRING] = ss_set_string,  [SS_FIELD_LIST] = set_list,      [SS_FIELD_DICT] = set_dict,
      [SS_FIELD_OBJECT] = set_any_object, [SS_FIELD_STEP] = set_step,
  };
  return (void*)setters[kind];
}

// ---- StructuralKey as a key of Maps -----------------------------------------------------------------------------

typedef struct {
  TVMFFIObject header;
  TVMFFIAny key;
  int64_t hash;
} StructuralKey;

TVMFFIObject* ss_structural_key_new(const TVMFFIAny* value, int64_t hash) {
  const TVMFFITypeInfo* type = SelfsameFindTypeInfo(indices[SS_STRUCTURAL_KEY]);
  StructuralKey* made = type == NULL ? NULL : ss_reflected_new(type, sizeof(StructuralKey));
  if (made == NULL) return NULL;
  made->key = *value;
  if (value->type_index >= kTVMFFIStaticObjectBegin) ss_incref(value->v_obj);
  made->hash = hash;
  return &made->header;
}

// Whether a call has `wanted` arguments, all of them StructuralKeys. Raises an error when it has not.
static int are_keys(const TVMFFIAny* args, int32_t num_args, int32_t wanted, const TVMFFIAny* result,
                    const char* name) {
  if (!ss_check_ptr(result, name, "result")) return 0;
  if (num_args != wanted) {
    ss_raise("TypeError", "Mismatched number of arguments when calling: `%s`. Expected %d but got %d arguments", name,
             wanted, num_args);
    return 0;
  }
  if (!ss_check_ptr(args, name, "args")) return 0;
  for (int32_t i = 0; i < num_args; i++) {
    if (args[i].type_index != indices[SS_STRUCTURAL_KEY]) {
      ss_raise("TypeError", "%s: argument #%d: expected ffi.StructuralKey, got %s", name, i,
               type_key(args[i].type_index));
      return 0;
    }
  }
  return 1;
}

static int structural_key_hash(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!are_keys(args, num_args, 1, result, "ffi.StructuralKey.__any_hash__")) return -1;
  ss_set_none(result);
  result->type_index = kTVMFFIInt;
  result->v_int64 = ((StructuralKey*)args[0].v_obj)->hash;
  return 0;
}

int ss_structural_keys_equal(const TVMFFIAny* a, const TVMFFIAny* b, int* equal) {
  StructuralKey *x = (StructuralKey*)a->v_obj, *y = (StructuralKey*)b->v_obj;
  *equal = x == y;
  return !*equal && x->hash == y->hash ? ss_structural_equal(&x->key, &y->key, 0, NULL, equal) : 0;
}

static int structural_key_equal(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const char name[] = "ffi.StructuralKey.__any_equal__";
  if (!are_keys(args, num_args, 2, result, name)) return -1;
  int equal = 0;
  if (ss_structural_keys_equal(&args[0], &args[1], &equal) != 0) return -1;
  ss_set_none(result);
  result->type_index = kTVMFFIBool;
  result->v_int64 = equal;
  return 0;
}

static TVMFFIObject* function_of(TVMFFISafeCallType call) {
  TVMFFIObjectHandle function = NULL;
  return TVMFFIFunctionCreate(NULL, call, NULL, &function) == 0 ? function : NULL;
}

TVMFFIObject* ss_structural_key_hasher(void) { return function_of(structural_key_hash); }

TVMFFIObject* ss_structural_key_comparer(void) { return function_of(structural_key_equal); }
