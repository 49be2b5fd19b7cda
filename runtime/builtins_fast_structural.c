// Fast paths of structural equality, hash and key, for plain trees. Go implementation: builtins_structural.go.
#include "builtin_classes.h"
#include "builtins_fast_call.h"
#include "plane.h"
#include "structural_plain.h"

static int is_flag(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIBool || value->type_index == kTVMFFIInt;
}

static int is_some_object(const TVMFFIAny* value) {
  return value->type_index >= kTVMFFIStaticObjectBegin && value->v_obj != NULL;
}

SS_FAST(equal) {
  if (!ss_is_call(args, num_args, 4, result) || !is_some_object(&args[0]) || !is_some_object(&args[1]) ||
      !is_flag(&args[2]) || !is_flag(&args[3])) {
    SS_FALL_BACK_TO_GO();
  }
  int same = 0;
  switch (ss_plain_equal(&args[0], &args[1], &same)) {
    case SS_PLAIN_DONE:
      return ss_return_bool(result, same);
    case SS_PLAIN_RAISED:
      return -1;
    default:
      SS_FALL_BACK_TO_GO();
  }
}

SS_FAST(hash) {
  if (!ss_is_call(args, num_args, 3, result) || !is_some_object(&args[0]) || !is_flag(&args[1]) || !is_flag(&args[2])) {
    SS_FALL_BACK_TO_GO();
  }
  uint64_t value = 0;
  switch (ss_plain_hash(&args[0], &value)) {
    case SS_PLAIN_DONE:
      return ss_return_int(result, (int64_t)value);
    case SS_PLAIN_RAISED:
      return -1;
    default:
      SS_FALL_BACK_TO_GO();
  }
}

SS_FAST(key) {
  if (!ss_is_call(args, num_args, 1, result) || !is_some_object(&args[0])) SS_FALL_BACK_TO_GO();
  uint64_t value = 0;
  SsPlainOutcome outcome = ss_plain_hash(&args[0], &value);
  if (outcome == SS_PLAIN_RAISED) return -1;
  if (outcome == SS_PLAIN_UNSUPPORTED) SS_FALL_BACK_TO_GO();
  TVMFFIObjectHandle made = ss_structural_key_new(&args[0], (int64_t)value);
  return made == NULL ? -1 : ss_return_object(result, made);
}

const SsFastEntry ss_fast_structural[] = {
    {"ffi.StructuralEqual", equal},
    {"ffi.StructuralHash", hash},
    {"ffi.StructuralKey", key},
    {NULL, NULL},
};
