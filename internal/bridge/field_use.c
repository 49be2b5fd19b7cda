// Reads and sets fields of classes of any frontend, through their reflection.
#include "bridge.h"

int ss_bridge_get_field(const TVMFFIFieldInfo* info, TVMFFIObject* object, TVMFFIAny* value,
                        TVMFFIObjectHandle* error) {
  TVMFFIAny got = {.type_index = kTVMFFINone};
  if (info->getter((char*)object + info->offset, &got) != 0) return ss_bridge_fail(error);
  *value = got;
  return 0;
}

SsValueWords ss_bridge_get_field_words(uint64_t info, uint64_t object) {
  union {
    SsValueWords words;
    TVMFFIAny value;
  } got;
  TVMFFIObjectHandle error = NULL;
  if (ss_bridge_get_field((const TVMFFIFieldInfo*)(uintptr_t)info, (TVMFFIObject*)(uintptr_t)object, &got.value,
                          &error) != 0) {
    got.words = (SsValueWords){(uint32_t)SS_BRIDGE_FAILED, (uint64_t)(uintptr_t)error};
  }
  return got.words;
}

int ss_bridge_set_field(const TVMFFIFieldInfo* info, TVMFFIObject* object, const TVMFFIAny* value,
                        TVMFFIObjectHandle* error) {
  void* address = (char*)object + info->offset;
  if ((info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) == 0) {
    TVMFFIFieldSetter setter = (TVMFFIFieldSetter)info->setter;
    return setter(address, value) == 0 ? 0 : ss_bridge_fail(error);
  }
  TVMFFIAny args[2] = {{.type_index = kTVMFFIOpaquePtr, .v_ptr = address}, *value};
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (TVMFFIFunctionCall(info->setter, args, 2, &result) != 0) return ss_bridge_fail(error);
  ss_bridge_release_value(&result);
  return 0;
}
