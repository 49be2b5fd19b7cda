// Fast paths of the builtin functions that ask a module for a function, whether it has one, its kind and its properties.
// Go implementation: builtins_module.go.
#include "builtins_fast_call.h"
#include "cxx.h"

static int is_number(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIBool || value->type_index == kTVMFFIInt;
}

// A call with a module, a name and whether to search its imports. The name is a view, as the caller gave it.
static int is_by_name(const TVMFFIAny* args, int32_t num_args, const TVMFFIAny* result) {
  if (!ss_is_call_of(kTVMFFIModule, args, num_args, 3, result) || !is_number(&args[2])) return 0;
  int32_t type_index = args[1].type_index;
  return type_index == kTVMFFISmallStr || type_index == kTVMFFIRawStr || ss_is_object(&args[1], kTVMFFIStr);
}

typedef int (*ByName)(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);

static int ask_by_name(ByName ask, const TVMFFIAny* args, TVMFFIAny* result) {
  TVMFFIAny name;
  if (TVMFFIAnyViewToOwnedAny(&args[1], &name) != 0) return -1;
  ss_set_none(result);
  int rc = ask(args->v_obj, &name, args[2].v_int64 != 0, result);
  ss_any_clear(&name);
  return rc;
}

SS_FAST(module_get_function) {
  if (!is_by_name(args, num_args, result)) SS_FALL_BACK_TO_GO();
  return ask_by_name(ss_module_function_in, args, result);
}

SS_FAST(module_implements_function) {
  if (!is_by_name(args, num_args, result)) SS_FALL_BACK_TO_GO();
  return ask_by_name(ss_module_implements_in, args, result);
}

SS_FAST(module_get_kind) {
  if (!ss_is_call_of(kTVMFFIModule, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  ss_set_none(result);
  return ss_module_kind_in(args->v_obj, result);
}

SS_FAST(module_get_property_mask) {
  if (!ss_is_call_of(kTVMFFIModule, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  ss_set_none(result);
  return ss_module_property_mask_in(args->v_obj, result);
}

const SsFastEntry ss_fast_modules[] = {
    {"ffi.ModuleGetFunction", module_get_function},
    {"ffi.ModuleImplementsFunction", module_implements_function},
    {"ffi.ModuleGetKind", module_get_kind},
    {"ffi.ModuleGetPropertyMask", module_get_property_mask},
    {NULL, NULL},
};
