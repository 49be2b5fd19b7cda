// Calling the hash and equality hooks of a class.
#include "key_hooks.h"

#include "core/raise.h"
#include "selfsame/internal/values.h"

// A C hook of version 0.1.15 returns a value: an Int or Bool, or an Error that the caller owns. Before that it returned
// an int64_t or bool itself. Both come back in the same register of the processor. A bool is always
// recognised (0 or 1 is not the type index of Bool or Error); an old hash is taken for a value only if it is 1 or 67.
typedef TVMFFIAny (*HashHook)(const TVMFFIAny* key);
typedef TVMFFIAny (*EqualHook)(const TVMFFIAny* a, const TVMFFIAny* b);

static int raise_owned_error(TVMFFIObject* error) {
  TVMFFIErrorSetRaised(error);
  ss_xdecref(error);
  return -1;
}

static int wrong_hook(const char* attribute, const TVMFFIAny* hook) {
  return ss_raise("TypeError",
                  "type attribute %s must be an opaque function pointer or ffi.Function, got type index %d", attribute,
                  hook->type_index);
}

static int call_function(const char* attribute, const TVMFFIAny* hook, const TVMFFIAny* args, int32_t n,
                         int32_t expected, TVMFFIAny* result) {
  if (hook->type_index != kTVMFFIFunction) return wrong_hook(attribute, hook);
  ss_set_none(result);
  TVMFFIAny views[2] = {args[0], args[n - 1]};
  if (TVMFFIFunctionCall(hook->v_obj, views, n, result) != 0) return -1;
  if (result->type_index == expected) return 0;
  int32_t got = result->type_index;
  ss_any_clear(result);
  return ss_raise("InternalError",
                  "Check failed: result_any.type_index() == %d (%d vs. %d) : %s returned a value of another type",
                  expected, got, expected, attribute);
}

int ss_key_hash_hook(const TVMFFIAny* hook, const TVMFFIAny* key, uint64_t* out) {
  static const char name[] = "__any_hash__";
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (hook->type_index != kTVMFFIOpaquePtr) {
    if (call_function(name, hook, key, 1, kTVMFFIInt, &result) != 0) return -1;
    *out = result.v_uint64;
    return 0;
  }
  if (hook->v_ptr == NULL) return wrong_hook(name, hook);
  result = ((HashHook)hook->v_ptr)(key);
  if (result.type_index == kTVMFFIInt && result.zero_padding == 0) {
    *out = result.v_uint64;
    return 0;
  }
  if (result.type_index == kTVMFFIError && result.zero_padding == 0) return raise_owned_error(result.v_obj);
  *out = (uint64_t)result.zero_padding << 32 | (uint32_t)result.type_index;
  return 0;
}

int ss_key_equal_hook(const TVMFFIAny* hook, const TVMFFIAny* a, const TVMFFIAny* b, int* out) {
  static const char name[] = "__any_equal__";
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (hook->type_index != kTVMFFIOpaquePtr) {
    TVMFFIAny args[2] = {*a, *b};
    if (call_function(name, hook, args, 2, kTVMFFIBool, &result) != 0) return -1;
    *out = result.v_int64 != 0;
    return 0;
  }
  if (hook->v_ptr == NULL) return wrong_hook(name, hook);
  result = ((EqualHook)hook->v_ptr)(a, b);
  switch (result.type_index & 0xff) {
    case kTVMFFIBool:
      *out = result.v_int64 != 0;
      return 0;
    case kTVMFFIError:
      return raise_owned_error(result.v_obj);
    default:
      *out = (result.type_index & 0xff) != 0;
      return 0;
  }
}
