// Values: owned values from views, and comparison.
#include "any.h"

#include <string.h>

#include "core/raise.h"
#include "selfsame/internal/values.h"

// Copies a view without an object. The bytes of *out that carry no value are zero, whatever they are in the view.
static int copy_plain(const TVMFFIAny* view, TVMFFIAny* out) {
  int32_t type_index = view->type_index;
  uint64_t bits = view->v_uint64;
  uint32_t size = 0;
  switch (type_index) {
    case kTVMFFINone:
      bits = 0;
      break;
    case kTVMFFIBool:
      bits = bits != 0;
      break;
    case kTVMFFIDataType:
      bits &= 0xFFFFFFFFu;
      break;
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      size = view->small_str_len;
      if (size > 7) return ss_raise("ValueError", "a small string has at most 7 bytes, got %u", size);
      bits &= ((uint64_t)1 << (8 * size)) - 1;  // the first byte is the lowest
      break;
    default:
      break;
  }
  ss_set_bits(out, type_index, bits);
  out->small_str_len = size;
  return 0;
}

// Moves the object out of the variable that an rvalue reference points to.
static int take_rvalue(const TVMFFIAny* view, TVMFFIAny* out) {
  TVMFFIObject** source = view->v_ptr;
  if (source == NULL || *source == NULL) {
    return ss_raise("InternalError", "Check failed: (obj_addr[0] != nullptr) is false: RValueRef already moved");
  }
  TVMFFIObject* obj = *source;
  *source = NULL;
  ss_set_object(out, obj);
  return 0;
}

// Every case but those that TVMFFIAnyViewToOwnedAny decides itself. Apart from it, so that those need no stack frame.
__attribute__((noinline)) static int own_other(const TVMFFIAny* any_view, TVMFFIAny* out) {
  static const char name[] = "TVMFFIAnyViewToOwnedAny";
  if (any_view == NULL || out == NULL) {
    ss_raise_null(name, any_view == NULL ? "any_view" : "out");
    return -1;
  }
  if (any_view->type_index >= kTVMFFIStaticObjectBegin) {
    ss_raise_null(name, "any_view->v_obj");
    return -1;
  }
  switch (any_view->type_index) {
    case kTVMFFIRawStr: {
      if (!ss_check_ptr(any_view->v_c_str, name, "any_view->v_c_str")) return -1;
      TVMFFIByteArray bytes = {any_view->v_c_str, strlen(any_view->v_c_str)};
      return TVMFFIStringFromByteArray(&bytes, out);
    }
    case kTVMFFIByteArrayPtr:
      return TVMFFIBytesFromByteArray(any_view->v_ptr, out);
    case kTVMFFIObjectRValueRef:
      return take_rvalue(any_view, out);
    default:
      return copy_plain(any_view, out);
  }
}

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (any_view == NULL || out == NULL) return own_other(any_view, out);
  int32_t type_index = any_view->type_index;
  if (type_index == kTVMFFIInt || type_index == kTVMFFIFloat) {
    ss_set_bits(out, type_index, any_view->v_uint64);
    return 0;
  }
  if (type_index < kTVMFFIStaticObjectBegin || any_view->v_obj == NULL) return own_other(any_view, out);
  TVMFFIObject* obj = any_view->v_obj;
  ss_incref(obj);
  ss_set_object(out, obj);
  return 0;
}

int ss_any_bytes(const TVMFFIAny* any, TVMFFIByteArray* out) {
  switch (any->type_index) {
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      out->data = any->v_bytes;
      out->size = any->small_str_len;
      return 1;
    case kTVMFFIStr:
    case kTVMFFIBytes:
      *out = *(const TVMFFIByteArray*)(any->v_obj + 1);
      return 1;
    default:
      return 0;
  }
}
