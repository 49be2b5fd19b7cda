// Private to the C parts of the builtin functions: checking the call, leaving it to Go.
//
// Each function is served here when the arguments are as they should be; when they are not, it is left to Go, which
// knows what to say. So what is left must be untouched: nothing taken over, nothing changed.
#ifndef SELFSAME_RUNTIME_FAST_CALL_H_
#define SELFSAME_RUNTIME_FAST_CALL_H_

#include "closure.h"
#include "containers.h"

#pragma GCC visibility push(hidden)

#define SS_FAST(name) static int name(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result)

// Goes on in Go, with the call as it came.
#define SS_LEAVE_TO_GO() return ss_closure_call(self, args, num_args, result)

// The function was called with `n` arguments and an empty result.
static inline int ss_is_call(const TVMFFIAny* args, int32_t num_args, int32_t n, const TVMFFIAny* result) {
  return num_args == n && result != NULL && result->type_index < kTVMFFIStaticObjectBegin && (n == 0 || args != NULL);
}

// The same for any number of arguments.
static inline int ss_is_packed_call(const TVMFFIAny* args, int32_t num_args, const TVMFFIAny* result) {
  return num_args >= 0 && ss_is_call(args, num_args, num_args, result);
}

static inline int ss_is_object(const TVMFFIAny* value, int32_t type_index) {
  return value->type_index == type_index && value->v_obj != NULL;
}

// The first argument is an object of that type.
static inline int ss_is_call_of(int32_t type_index, const TVMFFIAny* args, int32_t num_args, int32_t n,
                                const TVMFFIAny* result) {
  return ss_is_call(args, num_args, n, result) && ss_is_object(args, type_index);
}

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

// Moves the reference to the caller.
static inline int ss_return_object(TVMFFIAny* result, void* owned) {
  ss_set_object(result, owned);
  return 0;
}

// The C parts by name, each list ended by an empty name.
typedef struct {
  const char* name;
  TVMFFISafeCallType call;
} ss_fast_entry;

extern const ss_fast_entry ss_fast_sequences[];
extern const ss_fast_entry ss_fast_maps[];
extern const ss_fast_entry ss_fast_objects[];
extern const ss_fast_entry ss_fast_structural[];

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_FAST_CALL_H_
