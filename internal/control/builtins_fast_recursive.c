// Recursive equality, order, hash and deep copy without entering Go. builtins_recursive.go serves calls with wrong
// arguments, and with views of C memory.
#include <stdlib.h>
#include <string.h>

#include "builtins_fast_call.h"
#include "plane.h"

int ss_repr_has_addresses(void) {
  const char* value = getenv("TVM_FFI_REPR_WITH_ADDR");
  return value != NULL && strcmp(value, "1") == 0;
}

static int is_pair(const TVMFFIAny* args, int32_t num_args, const TVMFFIAny* result) {
  return ss_is_call(args, num_args, 2, result) && ss_is_value(&args[0]) && ss_is_value(&args[1]);
}

SS_FAST(equal) {
  if (!is_pair(args, num_args, result)) SS_FALL_BACK_TO_GO();
  int same = 0;
  if (ss_recursive_equal(&args[0], &args[1], &same) != 0) return -1;
  return ss_return_bool(result, same);
}

#define ORDERING(name, holds)                                             \
  SS_FAST(name) {                                                         \
    if (!is_pair(args, num_args, result)) SS_FALL_BACK_TO_GO();           \
    int order = 0;                                                        \
    if (ss_recursive_compare(&args[0], &args[1], &order) != 0) return -1; \
    return ss_return_bool(result, holds);                                 \
  }

ORDERING(less, order < 0)
ORDERING(less_or_equal, order <= 0)
ORDERING(greater, order > 0)
ORDERING(greater_or_equal, order >= 0)

SS_FAST(hash) {
  if (!ss_is_call(args, num_args, 1, result) || !ss_is_value(&args[0])) SS_FALL_BACK_TO_GO();
  uint64_t value = 0;
  if (ss_recursive_hash(&args[0], &value) != 0) return -1;
  return ss_return_int(result, (int64_t)value);
}

SS_FAST(deep_copy) {
  if (!ss_is_call(args, num_args, 1, result) || !ss_is_value(&args[0])) SS_FALL_BACK_TO_GO();
  return SelfsameDeepCopy(&args[0], result, NULL, NULL);
}

const SsFastEntry ss_fast_recursive[] = {
    {"ffi.RecursiveEq", equal},
    {"ffi.RecursiveLt", less},
    {"ffi.RecursiveLe", less_or_equal},
    {"ffi.RecursiveGt", greater},
    {"ffi.RecursiveGe", greater_or_equal},
    {"ffi.RecursiveHash", hash},
    {"ffi.DeepCopy", deep_copy},
    {NULL, NULL},
};
