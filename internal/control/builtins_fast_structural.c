// Structural equality, hash, keys and first mismatch without entering Go. builtins_structural.go serves calls with wrong
// arguments.
#include "builtin_classes.h"
#include "builtins_fast_call.h"
#include "plane.h"

static int is_flag(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIBool || value->type_index == kTVMFFIInt;
}

static int options(const TVMFFIAny* flags) {
  return (flags[0].v_int64 != 0 ? SS_MAP_FREE_VARS : 0) | (flags[1].v_int64 != 0 ? SS_SKIP_TENSOR_CONTENT : 0);
}

SS_FAST(equal) {
  if (!ss_is_call(args, num_args, 4, result) || !ss_is_value(&args[0]) || !ss_is_value(&args[1]) ||
      !is_flag(&args[2]) || !is_flag(&args[3])) {
    SS_FALL_BACK_TO_GO();
  }
  int same = 0;
  if (ss_structural_equal(&args[0], &args[1], options(&args[2]), NULL, &same) != 0) return -1;
  return ss_return_bool(result, same);
}

SS_FAST(mismatch) {
  if (!ss_is_call(args, num_args, 4, result) || !ss_is_value(&args[0]) || !ss_is_value(&args[1]) ||
      !is_flag(&args[2]) || !is_flag(&args[3])) {
    SS_FALL_BACK_TO_GO();
  }
  return ss_structural_mismatch(&args[0], &args[1], options(&args[2]), result);
}

SS_FAST(hash) {
  if (!ss_is_call(args, num_args, 3, result) || !ss_is_value(&args[0]) || !is_flag(&args[1]) || !is_flag(&args[2])) {
    SS_FALL_BACK_TO_GO();
  }
  uint64_t value = 0;
  if (ss_structural_hash(&args[0], options(&args[1]), &value) != 0) return -1;
  return ss_return_int(result, (int64_t)value);
}

SS_FAST(key) {
  if (!ss_is_call(args, num_args, 1, result) || !ss_is_value(&args[0])) SS_FALL_BACK_TO_GO();
  uint64_t value = 0;
  if (ss_structural_hash(&args[0], 0, &value) != 0) return -1;
  TVMFFIObjectHandle made = ss_structural_key_new(&args[0], (int64_t)value);
  return made == NULL ? -1 : ss_return_object(result, made);
}

SS_FAST(keys_equal) {
  int32_t index = ss_builtin_class_index(SS_STRUCTURAL_KEY);
  if (!ss_is_call_of(index, args, num_args, 2, result) || !ss_is_object(&args[1], index)) SS_FALL_BACK_TO_GO();
  int equal = 0;
  if (ss_structural_keys_equal(&args[0], &args[1], &equal) != 0) return -1;
  return ss_return_bool(result, equal);
}

const SsFastEntry ss_fast_structural[] = {
    {"ffi.StructuralEqual", equal}, {"ffi.GetFirstStructuralMismatch", mismatch}, {"ffi.StructuralHash", hash},
    {"ffi.StructuralKey", key},     {"ffi.StructuralKeyEqual", keys_equal},       {NULL, NULL},
};
