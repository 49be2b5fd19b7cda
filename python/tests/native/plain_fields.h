// The fields of sst.Plain, registered as the Go frontend registers fields. Included by extension.cc.
#ifndef SELFSAME_TESTS_PLAIN_FIELDS_H_
#define SELFSAME_TESTS_PLAIN_FIELDS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>

#include <string>

#include "classes.h"

namespace sst {

constexpr int64_t kPlain = int64_t{1} << 48;

inline int GetAny(void* field, TVMFFIAny* result) {
  return TVMFFIAnyViewToOwnedAny(static_cast<TVMFFIAny*>(field), result);
}
inline int SetAny(void* field, const TVMFFIAny* value) {
  TVMFFIAny owned;
  if (TVMFFIAnyViewToOwnedAny(value, &owned) != 0) return -1;
  TVMFFIAny old = *static_cast<TVMFFIAny*>(field);
  *static_cast<TVMFFIAny*>(field) = owned;
  if (old.type_index >= 64) TVMFFIObjectDecRef(old.v_obj);
  return 0;
}
inline int GetObject(void* field, TVMFFIAny* result) {
  TVMFFIObject* object = *static_cast<TVMFFIObject**>(field);
  *result = TVMFFIAny{};
  if (object == nullptr) return 0;
  TVMFFIObjectIncRef(object);
  result->type_index = object->type_index;
  result->v_obj = object;
  return 0;
}
inline int SetObject(void* field, const TVMFFIAny* value) {
  TVMFFIObject* object = nullptr;
  if (value->type_index >= 64) {
    object = value->v_obj;
    TVMFFIObjectIncRef(object);
  } else if (value->type_index != 0) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "expected an object or None");
    return -1;
  }
  TVMFFIObject* old = *static_cast<TVMFFIObject**>(field);
  *static_cast<TVMFFIObject**>(field) = object;
  if (old != nullptr) TVMFFIObjectDecRef(old);
  return 0;
}
template <int32_t kIndex, typename T>
int GetPod(void* field, TVMFFIAny* result) {
  *result = TVMFFIAny{};
  result->type_index = kIndex;
  if constexpr (kIndex == 3) {
    result->v_float64 = *static_cast<T*>(field);
  } else {
    result->v_int64 = *static_cast<T*>(field);
  }
  return 0;
}
template <typename T>
int SetPod(void* field, const TVMFFIAny* value) {
  if (value->type_index == 1 || value->type_index == 2) {
    *static_cast<T*>(field) = static_cast<T>(value->v_int64);
  } else if (value->type_index == 3) {
    *static_cast<T*>(field) = static_cast<T>(value->v_float64);
  } else {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "expected a number");
    return -1;
  }
  return 0;
}

inline void RegisterPlain(const char* name, int64_t offset, int64_t size, int32_t index, TVMFFIFieldGetter getter,
                          int (*setter)(void*, const TVMFFIAny*)) {
  TVMFFIFieldInfo info = {};
  info.name = TVMFFIByteArray{name, std::char_traits<char>::length(name)};
  info.flags = kTVMFFIFieldFlagBitMaskWritable | kPlain;
  info.size = size;
  info.alignment = 8;
  info.offset = offset;
  info.getter = getter;
  info.setter = reinterpret_cast<void*>(setter);
  info.field_static_type_index = index;
  if (TVMFFITypeRegisterField(PlainObj::RuntimeTypeIndex(), &info) != 0) throw ffi::details::MoveFromSafeCallRaised();
}

// Registers the fields of sst.Plain as plain fields.
inline void RegisterPlainFields() {
  const PlainObj probe;
  auto offset = [&probe](const void* member) {
    return reinterpret_cast<const char*>(member) - reinterpret_cast<const char*>(&probe);
  };
  RegisterPlain("x", offset(&probe.x), 8, 64, GetObject, SetObject);
  RegisterPlain("i", offset(&probe.i), 8, 1, GetPod<1, int64_t>, SetPod<int64_t>);
  RegisterPlain("f", offset(&probe.f), 8, 3, GetPod<3, double>, SetPod<double>);
  RegisterPlain("b", offset(&probe.b), 1, 2, GetPod<2, bool>, SetPod<bool>);
  RegisterPlain("any", offset(&probe.any), 16, -1, GetAny, SetAny);
}

}  // namespace sst

#endif  // SELFSAME_TESTS_PLAIN_FIELDS_H_
