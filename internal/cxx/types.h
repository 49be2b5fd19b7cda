// The C++ types in the signatures of tvm-ffi's exported C++ functions, with the names and the layout that compiled C++
// code expects. They are neither copied from the published headers nor compatible with them at source level.
//
// All symbols but the entry points are hidden, so these definitions never collide with those of a caller.
//
// Why the C++ of the library is built without the published headers. internal/cxx declares the few classes it needs
// itself: names, layout and virtual functions are the ABI, the rest is not. The library then builds from this
// repository alone, does not change when a header does, and its conformance suite, which uses the published headers,
// shows that compiled callers fit. Exceptions cross because the C++ runtime matches them by the name of their type.
#ifndef SELFSAME_INTERNAL_CXX_TYPES_H_
#define SELFSAME_INTERNAL_CXX_TYPES_H_

#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "selfsame/c_api.h"

// Marks the functions and classes that cmd/libselfsame/exports.map exports.
#ifdef _WIN32
#define SS_ENTRY __declspec(dllexport)
#else
#define SS_ENTRY __attribute__((visibility("default")))
#endif

namespace tvm {
namespace ffi {

// A strong reference to an object, or to none: 8 bytes. ObjectRef, Function, Module, Array, Optional<Function>, ...
class ObjectRef {
 public:
  ObjectRef() = default;
  explicit ObjectRef(TVMFFIObjectHandle owned) : object_(owned) {}
  ObjectRef(const ObjectRef& other) : object_(other.object_) {
    if (object_ != nullptr) TVMFFIObjectIncRef(object_);
  }
  ObjectRef(ObjectRef&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  ObjectRef& operator=(ObjectRef other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~ObjectRef() {
    if (object_ != nullptr) TVMFFIObjectDecRef(object_);
  }

  TVMFFIObjectHandle get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  TVMFFIObjectHandle Release() { return std::exchange(object_, nullptr); }

 private:
  TVMFFIObjectHandle object_ = nullptr;
};

// An owned value: 16 bytes. Any, String, Bytes, Optional of those and of numbers.
class OwnedValue {
 public:
  OwnedValue() { std::memset(&value_, 0, sizeof(value_)); }
  explicit OwnedValue(const TVMFFIAny& owned) : value_(owned) {}
  OwnedValue(const OwnedValue& other) : value_(other.value_) {
    if (IsObject()) TVMFFIObjectIncRef(value_.v_obj);
  }
  OwnedValue(OwnedValue&& other) noexcept : value_(other.value_) { std::memset(&other.value_, 0, sizeof(value_)); }
  OwnedValue& operator=(OwnedValue other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~OwnedValue() {
    if (IsObject()) TVMFFIObjectDecRef(value_.v_obj);
  }

  const TVMFFIAny& raw() const { return value_; }
  bool IsNone() const { return value_.type_index == kTVMFFINone; }
  bool IsObject() const { return value_.type_index >= kTVMFFIStaticObjectBegin; }

  // Both move the value out and leave None.
  TVMFFIAny Release() {
    TVMFFIAny value = value_;
    std::memset(&value_, 0, sizeof(value_));
    return value;
  }
  ObjectRef ReleaseObject() { return ObjectRef(IsObject() ? Release().v_obj : nullptr); }

 private:
  TVMFFIAny value_;
};

class Any : public OwnedValue {
 public:
  using OwnedValue::OwnedValue;
};

class Bytes : public OwnedValue {
 public:
  using OwnedValue::OwnedValue;
};

class String : public OwnedValue {
 public:
  String() : String("", 0) {}
  explicit String(const TVMFFIAny& owned) : OwnedValue(owned) {}
  String(const char* data, size_t size);  // throws Error
  const char* data() const;
  size_t size() const;
};

class Function : public ObjectRef {
 public:
  using ObjectRef::ObjectRef;
};

class Module;

template <typename T>
class Array : public ObjectRef {
 public:
  using ObjectRef::ObjectRef;
};

template <typename T, typename = void>
class Optional : public OwnedValue {
 public:
  using OwnedValue::OwnedValue;
};

template <>
class Optional<Function> : public ObjectRef {
 public:
  using ObjectRef::ObjectRef;
};

template <typename Signature>
class TypedFunction : public Function {};

}  // namespace ffi
}  // namespace tvm

#endif  // SELFSAME_INTERNAL_CXX_TYPES_H_
