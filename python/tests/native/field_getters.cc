// A class with fields of every kind of getter, under the key PREFIX ".Fields". A static initialiser calls the global
// function PREFIX ".loaded", if there is one.
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <optional>
#include <string>

// Registered like an int of 64 bits, but its value is twice the stored number.
struct Doubled {
  int64_t stored = 21;
};

// Registers as an object does, and reads as an int.
class Alias : public tvm::ffi::ObjectRef {
 public:
  Alias() : ObjectRef(tvm::ffi::Array<tvm::ffi::Any>()) {}
};

namespace tvm {
namespace ffi {
template <>
inline constexpr bool use_default_type_traits_v<Alias> = false;

template <>
struct TypeTraits<Alias> : public TypeTraits<ObjectRef> {
  static void MoveToAny(Alias, TVMFFIAny* result) { TypeTraits<int64_t>::MoveToAny(43, result); }
  static void CopyToAnyView(const Alias&, TVMFFIAny* result) { TypeTraits<int64_t>::CopyToAnyView(43, result); }
  static std::optional<Alias> TryCastFromAnyView(const TVMFFIAny*) { return std::nullopt; }
};

template <>
struct TypeTraits<Doubled> : public TypeTraits<int64_t> {
  static void MoveToAny(Doubled value, TVMFFIAny* result) { TypeTraits<int64_t>::MoveToAny(2 * value.stored, result); }
  static void CopyToAnyView(const Doubled& value, TVMFFIAny* result) {
    TypeTraits<int64_t>::CopyToAnyView(2 * value.stored, result);
  }
  static std::optional<Doubled> TryCastFromAnyView(const TVMFFIAny*) { return std::nullopt; }
};
}  // namespace ffi
}  // namespace tvm

namespace {

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

class FieldsObj : public ffi::Object {
 public:
  int64_t i = 7;
  int32_t narrow = -3;
  double f = 2.5;
  bool b = true;
  ffi::ObjectRef x;
  ffi::Any any;
  ffi::Array<ffi::Any> items;
  ffi::Optional<ffi::ObjectRef> maybe;
  ffi::Variant<ffi::ObjectRef, int64_t> either = int64_t{4};
  ffi::String text = "text";
  const ffi::Object* raw = nullptr;  // reading it would crash: the published getter dereferences it
  Doubled doubled;
  Alias alias;
  int64_t counted = 5;
  int64_t fickle = 6;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL(PREFIX ".Fields", FieldsObj, ffi::Object);
};

int64_t counted_reads = 0;
int64_t fickle_reads = 0;

void SetInt(TVMFFIAny* result, int64_t value) {
  *result = TVMFFIAny{};
  result->type_index = kTVMFFIInt;
  result->v_int64 = value;
}

int GetCounted(void* field, TVMFFIAny* result) {
  counted_reads++;
  SetInt(result, *static_cast<int64_t*>(field));
  return 0;
}

// Returns the stored number, except for one read.
int GetFickle(void* field, TVMFFIAny* result) {
  SetInt(result, *static_cast<int64_t*>(field) + (++fickle_reads == 500));
  return 0;
}

void RegisterInt(const char* name, int64_t offset, TVMFFIFieldGetter getter) {
  TVMFFIFieldInfo info = {};
  info.name = TVMFFIByteArray{name, std::char_traits<char>::length(name)};
  info.size = sizeof(int64_t);
  info.alignment = alignof(int64_t);
  info.offset = offset;
  info.getter = getter;
  info.field_static_type_index = kTVMFFIInt;
  if (TVMFFITypeRegisterField(FieldsObj::_GetOrAllocRuntimeTypeIndex(), &info) != 0)
    throw ffi::details::MoveFromSafeCallRaised();
}

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<FieldsObj>()
      .def(refl::init<>())
      .def_rw("i", &FieldsObj::i)
      .def_rw("narrow", &FieldsObj::narrow)
      .def_rw("f", &FieldsObj::f)
      .def_rw("b", &FieldsObj::b)
      .def_rw("x", &FieldsObj::x)
      .def_rw("any", &FieldsObj::any)
      .def_rw("items", &FieldsObj::items)
      .def_rw("maybe", &FieldsObj::maybe)
      .def_rw("either", &FieldsObj::either)
      .def_rw("text", &FieldsObj::text)
      .def_ro("raw", &FieldsObj::raw)
      .def_ro("doubled", &FieldsObj::doubled)
      .def_ro("alias", &FieldsObj::alias);
  const FieldsObj probe;
  auto offset = [&probe](const void* member) {
    return reinterpret_cast<const char*>(member) - reinterpret_cast<const char*>(&probe);
  };
  RegisterInt("counted", offset(&probe.counted), GetCounted);
  RegisterInt("fickle", offset(&probe.fickle), GetFickle);
  refl::GlobalDef().def(PREFIX ".counted_reads", []() { return counted_reads; });
  if (auto loaded = ffi::Function::GetGlobal(PREFIX ".loaded")) (*loaded)();
}

}  // namespace
