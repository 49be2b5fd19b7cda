// The classes of the native test extension. Included by extension.cc.
#ifndef SELFSAME_TESTS_CLASSES_H_
#define SELFSAME_TESTS_CLASSES_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <atomic>
#include <utility>

namespace sst {

namespace ffi = tvm::ffi;

inline std::atomic<int64_t> live{0};

struct Counted {
  Counted() { live++; }
  Counted(const Counted&) { live++; }
  ~Counted() { live--; }
};

class LeafObj : public ffi::Object {
 public:
  int64_t value = 0;
  Counted counted;

  explicit LeafObj(int64_t v) : value(v) {}
  int64_t Add(int64_t n) const { return value + n; }
  static int64_t Twice(int64_t n) { return 2 * n; }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("sst.Leaf", LeafObj, ffi::Object);
};

class Leaf : public ffi::ObjectRef {
 public:
  explicit Leaf(int64_t v) { data_ = ffi::make_object<LeafObj>(v); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Leaf, ffi::ObjectRef, LeafObj);
};

class SubLeafObj : public LeafObj {
 public:
  ffi::String label;
  SubLeafObj(int64_t v, ffi::String l) : LeafObj(v), label(std::move(l)) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.SubLeaf", SubLeafObj, LeafObj);
};

class SubLeaf : public Leaf {
 public:
  SubLeaf(int64_t v, ffi::String l) { data_ = ffi::make_object<SubLeafObj>(v, std::move(l)); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(SubLeaf, Leaf, SubLeafObj);
};

class NodeObj : public ffi::Object {
 public:
  ffi::ObjectRef x;
  int64_t i = 0;
  double f = 0;
  bool b = false;
  ffi::String s;
  ffi::Any any;
  ffi::Array<ffi::Any> items;
  ffi::Map<ffi::Any, ffi::Any> table;
  ffi::ObjectRef fixed;
  int64_t fixed_int = 7;
  Counted counted;

  explicit NodeObj(ffi::ObjectRef x_) : x(x_), fixed(x_) {}

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Node", NodeObj, ffi::Object);
};

// A class that registers the offsets of its fields as plain storage, the way the Go frontend does.
class PlainObj : public ffi::Object {
 public:
  TVMFFIObject* x = nullptr;
  int64_t i = 0;
  double f = 0;
  bool b = false;
  TVMFFIAny any = {};
  Counted counted;

  PlainObj() = default;
  PlainObj(const PlainObj& other)
      : ffi::Object(other), x(other.x), i(other.i), f(other.f), b(other.b), any(other.any), counted(other.counted) {
    if (x != nullptr) TVMFFIObjectIncRef(x);
    if (any.type_index >= 64) TVMFFIObjectIncRef(any.v_obj);
  }
  ~PlainObj() {
    if (x != nullptr) TVMFFIObjectDecRef(x);
    if (any.type_index >= 64) TVMFFIObjectDecRef(any.v_obj);
  }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Plain", PlainObj, ffi::Object);
};

class AutoObj : public ffi::Object {
 public:
  int64_t a = 0;
  int64_t b = 0;
  Counted counted;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Auto", AutoObj, ffi::Object);
};

// Its Python class keeps state in its instances.
class RichObj : public ffi::Object {
 public:
  int64_t value = 0;
  ffi::ObjectRef x;
  Counted counted;
  explicit RichObj(int64_t v) : value(v) {}
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Rich", RichObj, ffi::Object);
};

// Has a constructor without arguments; its fields are read-only for Python.
class FrozenObj : public ffi::Object {
 public:
  int64_t value = 0;
  ffi::ObjectRef x;
  ffi::Array<ffi::Any> items;
  Counted counted;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("sst.Frozen", FrozenObj, ffi::Object);
};

// One of its fields has the name of a field of its base.
class FrozenSubObj : public FrozenObj {
 public:
  ffi::String value;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.FrozenSub", FrozenSubObj, FrozenObj);
};

// Its Python class keeps state; it has a constructor without arguments.
class OpenObj : public ffi::Object {
 public:
  ffi::Any a;
  ffi::Any b;
  Counted counted;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Open", OpenObj, ffi::Object);
};

// Has hooks for JSON, and no constructor without arguments.
class AsJsonObj : public ffi::Object {
 public:
  int64_t value = 0;
  Counted counted;
  explicit AsJsonObj(int64_t v) : value(v) {}
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.AsJson", AsJsonObj, ffi::Object);
};

// Points to an object without owning it, and owns up to two more by Optional and Variant.
class RawObj : public ffi::Object {
 public:
  const ffi::Object* raw = nullptr;
  ffi::Optional<ffi::ObjectRef> maybe;
  ffi::Variant<ffi::ObjectRef, int64_t> either = int64_t{0};
  Counted counted;
  explicit RawObj(const ffi::ObjectRef& target) : raw(target.get()) {}
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Raw", RawObj, ffi::Object);
};

// Has a field in front of its header, in a C++ base that comes before ffi::Object; a field x with two names, of which
// the first is read-only; a field whose getter calls a function; and a field y whose setter is a Function.
struct Front {
  ffi::ObjectRef front;
};
class OddObj : public Front, public ffi::Object {
 public:
  ffi::ObjectRef x;
  ffi::ObjectRef y;
  int64_t watched = 7;
  Counted counted;
  ~OddObj() { watched = -1; }
  static inline ffi::Function on_read;
  static int GetWatched(void* field, TVMFFIAny* result) {
    TVM_FFI_SAFE_CALL_BEGIN();
    if (on_read.defined()) on_read();
    result->type_index = kTVMFFIInt;
    result->v_int64 = *static_cast<volatile int64_t*>(field);
    TVM_FFI_SAFE_CALL_END();
  }
  static int GetRef(void* field, TVMFFIAny* result) {
    *result = ffi::details::AnyUnsafe::MoveAnyToTVMFFIAny(ffi::Any(*static_cast<ffi::ObjectRef*>(field)));
    return 0;
  }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Odd", OddObj, ffi::Object);
};

// Its field is the last part of its memory, more than 100 bytes behind the header.
class FarObj : public ffi::Object {
 public:
  Counted counted;
  char before[100] = {};
  ffi::ObjectRef x;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Far", FarObj, ffi::Object);
};

// No test registers a Python class for it.
class ClasslessObj : public ffi::Object {
 public:
  Counted counted;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Classless", ClasslessObj, ffi::Object);
};

class PickyObj : public ffi::Object {
 public:
  Counted counted;
  explicit PickyObj(int64_t mode) {
    if (mode == 0) TVM_FFI_THROW(ValueError) << "mode 0 is refused";
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Picky", PickyObj, ffi::Object);
};

// An object in static storage, without a deleter.
struct StaticNode {
  TVMFFIObject header;
  int64_t value;
};
inline StaticNode static_node;

}  // namespace sst

#endif  // SELFSAME_TESTS_CLASSES_H_
