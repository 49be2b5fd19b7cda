// Reads and sets fields of classes of any frontend, through their reflection.
#include "bridge.h"
#include "selfsame/internal/owned_field.h"
#include "selfsame/internal/refcount.h"

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

// The object that dies when the field is set. A setter in C++ would release what that owns, and so on, by recursion;
// TVMFFIObjectDecRef does not. NULL for none.
static TVMFFIObject* dying_in(const TVMFFIFieldInfo* info, const void* address) {
  int32_t index = info->field_static_type_index;
  if (index != kTVMFFIAny && index < kTVMFFIStaticObjectBegin) return NULL;
  TVMFFIObject* old = ss_owned_object_at(ss_owned_kind_of(info), address);
  return old != NULL && old->type_index >= kTVMFFIStaticObjectEnd && ss_strong(old) == 1 ? old : NULL;
}

int ss_bridge_set_field(const TVMFFIFieldInfo* info, TVMFFIObject* object, const TVMFFIAny* value,
                        TVMFFIObjectHandle* error) {
  void* address = (char*)object + info->offset;
  if ((info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) == 0) {
    TVMFFIFieldSetter setter = (TVMFFIFieldSetter)info->setter;
    TVMFFIObject* dying = dying_in(info, address);
    if (dying != NULL) ss_incref(dying);
    int rc = setter(address, value) == 0 ? 0 : ss_bridge_fail(error);
    if (dying != NULL) TVMFFIObjectDecRef(dying);
    return rc;
  }
  TVMFFIAny args[2] = {{.type_index = kTVMFFIOpaquePtr, .v_ptr = address}, *value};
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (TVMFFIFunctionCall(info->setter, args, 2, &result) != 0) return ss_bridge_fail(error);
  ss_bridge_release_value(&result);
  return 0;
}
