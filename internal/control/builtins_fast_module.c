// Fast path of the builtin function that finds a function of a module, which `module["name"]` in Python calls. Go
// implementation: builtins_module.go.
#include "builtins_fast_call.h"
#include "cxx.h"

static int is_number(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIBool || value->type_index == kTVMFFIInt;
}

SS_FAST(module_get_function) {
  if (!ss_is_call_of(kTVMFFIModule, args, num_args, 3, result) || !is_number(&args[2])) SS_FALL_BACK_TO_GO();
  int32_t type_index = args[1].type_index;
  if (type_index != kTVMFFISmallStr && type_index != kTVMFFIRawStr && !ss_is_object(&args[1], kTVMFFIStr)) {
    SS_FALL_BACK_TO_GO();
  }
  TVMFFIAny name;
  if (TVMFFIAnyViewToOwnedAny(&args[1], &name) != 0) return -1;
  ss_set_none(result);
  int rc = ss_module_function_in(args->v_obj, &name, args[2].v_int64 != 0, result);
  ss_any_clear(&name);
  return rc;
}

const SsFastEntry ss_fast_modules[] = {
    {"ffi.ModuleGetFunction", module_get_function},
    {NULL, NULL},
};
