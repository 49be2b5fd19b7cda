// The parts that the files builtins_fast_*.c share: they check the call, set the result, and fall back to Go.
//
// A fast path must have changed nothing and taken no reference when it falls back: the Go implementation starts from
// the original arguments, and reports what is wrong with them.
#ifndef SELFSAME_INTERNAL_CONTROL_BUILTINS_FAST_CALL_H_
#define SELFSAME_INTERNAL_CONTROL_BUILTINS_FAST_CALL_H_

#include <string.h>

#include "builtins_fast.h"
#include "closure.h"
#include "plane.h"

#pragma GCC visibility push(hidden)

// Defines a fast path. Arguments are borrowed views; *result is owned by the caller afterwards.
#define SS_FAST(name) static int name(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result)

// Falls back to Go with the original arguments; in a call from there (ss_fast_call) it is an error.
int ss_fall_back(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);
#define SS_FALL_BACK_TO_GO() return ss_fall_back(self, args, num_args, result)

// Whether the function was called with `n` arguments, and a result that holds no object.
static inline int ss_is_call(const TVMFFIAny* args, int32_t num_args, int32_t n, const TVMFFIAny* result) {
  return num_args == n && result != NULL && result->type_index < kTVMFFIStaticObjectBegin && (n == 0 || args != NULL);
}

// The same for any number of arguments.
static inline int ss_is_packed_call(const TVMFFIAny* args, int32_t num_args, const TVMFFIAny* result) {
  return num_args >= 0 && ss_is_call(args, num_args, num_args, result);
}

// Whether an argument is a string, of this library or a view of the caller's.
static inline int ss_is_text(const TVMFFIAny* value) {
  int32_t type_index = value->type_index;
  return type_index == kTVMFFISmallStr || type_index == kTVMFFIRawStr ||
         (type_index == kTVMFFIStr && value->v_obj != NULL);
}

// The bytes of a string as ss_is_text knows it, which are followed by a NUL. Returns 0 for another value.
static inline int ss_text_bytes(const TVMFFIAny* value, TVMFFIByteArray* bytes) {
  if (!ss_is_text(value)) return 0;
  if (value->type_index != kTVMFFIRawStr) return ss_any_bytes(value, bytes);
  if (value->v_c_str == NULL) return 0;
  *bytes = (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
  return 1;
}

static inline int ss_is_object(const TVMFFIAny* value, int32_t type_index) {
  return value->type_index == type_index && value->v_obj != NULL;
}

// Whether the function was called with `n` arguments, the first of them an object of that type.
static inline int ss_is_call_of(int32_t type_index, const TVMFFIAny* args, int32_t num_args, int32_t n,
                                const TVMFFIAny* result) {
  return ss_is_call(args, num_args, n, result) && ss_is_object(args, type_index);
}

// Whether an argument is a value as it lies in containers: neither a view of C memory nor an rvalue reference, which
// must be converted first.
static inline int ss_is_value(const TVMFFIAny* value) {
  switch (value->type_index) {
    case kTVMFFIRawStr:
    case kTVMFFIByteArrayPtr:
    case kTVMFFIObjectRValueRef:
      return 0;
    default:
      return value->type_index < kTVMFFIStaticObjectBegin || value->v_obj != NULL;
  }
}

// Set the result and return 0, the value for success.
static inline int ss_return_none(TVMFFIAny* result) {
  ss_set_none(result);
  return 0;
}

static inline int ss_return_int(TVMFFIAny* result, int64_t value) {
  ss_set_bits(result, kTVMFFIInt, (uint64_t)value);
  return 0;
}

static inline int ss_return_bool(TVMFFIAny* result, int value) {
  ss_set_bits(result, kTVMFFIBool, value != 0);
  return 0;
}

// Moves the reference into the result.
static inline int ss_return_object(TVMFFIAny* result, void* owned) {
  ss_set_object(result, owned);
  return 0;
}

typedef struct {
  const char* name;  // the builtin function's
  TVMFFISafeCallType call;
} SsFastEntry;

// The fast paths of each file. A NULL name ends the list.
extern const SsFastEntry ss_fast_sequences[];
extern const SsFastEntry ss_fast_maps[];
extern const SsFastEntry ss_fast_objects[];
extern const SsFastEntry ss_fast_structural[];
extern const SsFastEntry ss_fast_recursive[];
extern const SsFastEntry ss_fast_walks[];
extern const SsFastEntry ss_fast_modules[];
extern const SsFastEntry ss_fast_paths[];
extern const SsFastEntry ss_fast_registry[];
extern const SsFastEntry ss_fast_loading[];

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_CONTROL_BUILTINS_FAST_CALL_H_
