// The headers on which the other headers build, used directly: base_detail.h, endian.h, type_traits.h,
// function_detail.h, container/{container_detail,seq_base,map_base}.h, extra/base.h. The library must compute the same
// results as the headers compute in this program.
#include <tvm/ffi/base_detail.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/container_detail.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/container/seq_base.h>
#include <tvm/ffi/endian.h>
#include <tvm/ffi/extra/base.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/function_detail.h>
#include <tvm/ffi/type_traits.h>

#include <cstring>
#include <string>
#include <vector>

#include "check.h"

using namespace tvm::ffi;

namespace {

Function Global(const char* name) { return Function::GetGlobalRequired(name); }

// A C++ type that is converted to and from an int.
struct Celsius {
  int64_t degrees;
};

}  // namespace

namespace tvm {
namespace ffi {
template <>
inline constexpr bool use_default_type_traits_v<Celsius> = false;

template <>
struct TypeTraits<Celsius> : public TypeTraitsBase {
  static void CopyToAnyView(const Celsius& src, TVMFFIAny* result) {
    TypeTraits<int64_t>::CopyToAnyView(src.degrees, result);
  }
  static void MoveToAny(Celsius src, TVMFFIAny* result) { CopyToAnyView(src, result); }
  static bool CheckAnyStrict(const TVMFFIAny* src) { return src->type_index == kTVMFFIInt; }
  static Celsius CopyFromAnyViewAfterCheck(const TVMFFIAny* src) { return {src->v_int64}; }
  static Celsius MoveFromAnyAfterCheck(TVMFFIAny* src) { return CopyFromAnyViewAfterCheck(src); }
  static std::optional<Celsius> TryCastFromAnyView(const TVMFFIAny* src) {
    if (!CheckAnyStrict(src) || src->v_int64 < -273) return std::nullopt;
    return CopyFromAnyViewAfterCheck(src);
  }
  static std::string TypeStr() { return "Celsius"; }
  static std::string TypeSchema() { return R"({"type":"int"})"; }
};
}  // namespace ffi
}  // namespace tvm

TEST(base, type_keys) {
  const std::pair<int32_t, const char*> keys[] = {
      {kTVMFFINone, StaticTypeKey::kTVMFFINone},
      {kTVMFFIInt, StaticTypeKey::kTVMFFIInt},
      {kTVMFFIBool, StaticTypeKey::kTVMFFIBool},
      {kTVMFFIFloat, StaticTypeKey::kTVMFFIFloat},
      {kTVMFFIOpaquePtr, StaticTypeKey::kTVMFFIOpaquePtr},
      {kTVMFFIDataType, StaticTypeKey::kTVMFFIDataType},
      {kTVMFFIDevice, StaticTypeKey::kTVMFFIDevice},
      {kTVMFFIDLTensorPtr, StaticTypeKey::kTVMFFIDLTensorPtr},
      {kTVMFFIRawStr, StaticTypeKey::kTVMFFIRawStr},
      {kTVMFFIByteArrayPtr, StaticTypeKey::kTVMFFIByteArrayPtr},
      {kTVMFFIObjectRValueRef, StaticTypeKey::kTVMFFIObjectRValueRef},
      {kTVMFFISmallStr, StaticTypeKey::kTVMFFISmallStr},
      {kTVMFFISmallBytes, StaticTypeKey::kTVMFFISmallBytes},
      {kTVMFFIUnchanged, StaticTypeKey::kTVMFFIUnchanged},
      {kTVMFFIObject, StaticTypeKey::kTVMFFIObject},
      {kTVMFFIStr, StaticTypeKey::kTVMFFIStr},
      {kTVMFFIBytes, StaticTypeKey::kTVMFFIBytes},
      {kTVMFFIError, StaticTypeKey::kTVMFFIError},
      {kTVMFFIFunction, StaticTypeKey::kTVMFFIFunction},
      {kTVMFFIShape, StaticTypeKey::kTVMFFIShape},
      {kTVMFFITensor, StaticTypeKey::kTVMFFITensor},
      {kTVMFFIArray, StaticTypeKey::kTVMFFIArray},
      {kTVMFFIMap, StaticTypeKey::kTVMFFIMap},
      {kTVMFFIModule, StaticTypeKey::kTVMFFIModule},
      {kTVMFFIOpaquePyObject, StaticTypeKey::kTVMFFIOpaquePyObject},
      {kTVMFFIList, StaticTypeKey::kTVMFFIList},
      {kTVMFFIDict, StaticTypeKey::kTVMFFIDict},
      {kTVMFFIVisitInterrupt, StaticTypeKey::kTVMFFIVisitInterrupt},
      {kTVMFFIBigInt, StaticTypeKey::kTVMFFIBigInt},
  };
  for (const auto& [index, key] : keys) {
    CHECK_EQ(TypeIndexToTypeKey(index), key);
    TVMFFIByteArray bytes = {key, std::strlen(key)};
    int32_t found = -1;
    CHECK_EQ(TVMFFITypeKeyToIndex(&bytes, &found), 0);
    CHECK_EQ(found, index);
  }
}

TEST(base, strict_bool) {
  Function truth = Function::FromTyped([](StrictBool b) { return static_cast<bool>(b); });
  CHECK(truth(true).cast<bool>());
  CHECK_RAISES("TypeError", "Expected `bool` but got `int`", truth(1));
  Function loose = Function::FromTyped([](bool b) { return b; });
  CHECK(loose(2).cast<bool>());
}

TEST(base, own_traits) {
  Function warmer = Function::FromTyped([](Celsius c) { return Celsius{c.degrees + 1}; });
  CHECK_EQ(warmer(20).cast<int>(), 21);
  CHECK_EQ(warmer(Celsius{20}).cast<Celsius>().degrees, 21);
  CHECK_RAISES("TypeError", "Expected `Celsius` but got `int`", warmer(-300));
  CHECK_RAISES("TypeError", "Expected `Celsius` but got `None`", warmer(nullptr));
  Array<Any> kept = Global("ffi.Array")(Celsius{5}).cast<Array<Any>>();
  CHECK_EQ(kept[0].cast<Celsius>().degrees, 5);
}

TEST(base, hashes_agree) {
  // The library finds a key that the header made, and the header one that the library made: their hashes are equal.
  for (size_t n : {0, 1, 7, 8, 9, 15, 16, 17, 64, 1000}) {
    std::string text(n, 'x');
    for (size_t i = 0; i < n; i++) text[i] = static_cast<char>(i * 37);
    Dict<Any, Any> dict;
    for (int i = 0; i < 20; i++) dict.Set(i, i);  // enough entries for a dense map
    dict.Set(String(text), 1);
    CHECK_EQ(Global("ffi.DictGetItem")(dict, String(text)).cast<int>(), 1);
    CHECK_EQ(Global("ffi.DictCount")(dict, Bytes(text)).cast<int>(), 0);
    // The hash uses the type index of a heap string for strings of any length.
    uint64_t want =
        detail::StableHashCombine(static_cast<uint64_t>(kTVMFFIStr), detail::StableHashBytes(text.data(), n));
    CHECK_EQ(static_cast<uint64_t>(AnyHash()(Any(String(text)))), want);
  }
}

TEST(base, endian) {
  CHECK(TVM_FFI_LITTLE_ENDIAN == 1);
  uint16_t shorts[2] = {0x0102, 0x0304};
  ByteSwap(shorts, 2, 2);
  CHECK_EQ(shorts[0], 0x0201);
  CHECK_EQ(shorts[1], 0x0403);
  // The content of a small string begins at the lowest address of the value's 8 bytes.
  TVMFFIAny raw = AnyView(Any(String("ab"))).CopyToTVMFFIAny();
  CHECK_EQ(raw.v_int64, 'a' | 'b' << 8);
}

TEST(base, for_each) {
  std::vector<std::string> seen;
  detail::for_each([&](size_t i, const Any& v) { seen.push_back(std::to_string(i) + v.GetTypeKey()); }, Any(1),
                   Any("x"));
  CHECK_EQ(seen.size(), 2u);
  CHECK_EQ(seen[1], "1ffi.SmallStr");
}

TEST(base, function_info) {
  auto lambda = [](int, const String&, Optional<Array<int>>) -> double { return 0; };
  using Info = detail::FunctionInfo<decltype(lambda)>;
  CHECK_EQ(Info::num_args, 3u);
  CHECK_EQ(Info::Sig(), "(0: int, 1: str, 2: Optional<Array<int>>) -> float");
  CHECK_RAISES("TypeError", Info::Sig(), Function::FromTyped(lambda)(1));
  CHECK(Info::unpacked_supported);
}

TEST(base, container_types) {
  CHECK((detail::all_storage_enabled_v<Any, int, String, ObjectRef>));
  CHECK(!detail::storage_enabled_v<const char*>);
  CHECK((detail::all_object_ref_v<Array<int>, Function>));
  CHECK((!detail::all_object_ref_v<Array<int>, int>));
  CHECK_EQ((detail::ContainerTypeStr<int, String>("Map")), "Map<int, str>");
  CHECK_RAISES("TypeError", (detail::ContainerTypeStr<int, String>("Map")), Any(1).cast<Map<int, String>>());
}

TEST(base, sequences) {
  for (const char* constructor : {"ffi.Array", "ffi.List"}) {
    ObjectRef made = Global(constructor)(1, "text on the heap", 2.5).cast<ObjectRef>();
    const auto* sequence = static_cast<const SeqBaseObj*>(made.get());
    CHECK_EQ(sequence->size(), 3u);
    CHECK(sequence->capacity() >= 3u && !sequence->empty());
    CHECK_EQ(sequence->front().cast<int>(), 1);
    CHECK_EQ(sequence->back().cast<double>(), 2.5);
    CHECK_EQ(sequence->at(1).cast<String>(), "text on the heap");
    CHECK_RAISES("IndexError", "Index 3 out of bounds 3", sequence->at(3));
    CHECK_EQ(sequence->end() - sequence->begin(), 3);
    const_cast<SeqBaseObj*>(sequence)->clear();
    CHECK_EQ(sequence->size(), 0u);
    CHECK_RAISES("IndexError", "front() on empty sequence", sequence->front());
  }
}

TEST(base, maps) {
  for (const char* constructor : {"ffi.Map", "ffi.Dict"}) {
    for (int n : {3, 100}) {  // a small map, a dense map
      std::vector<Any> args;
      for (int i = 0; i < n; i++) {
        args.push_back(i);
        args.push_back(String("value " + std::to_string(i)));
      }
      Any result;
      Global(constructor)
          .CallPacked(reinterpret_cast<AnyView*>(args.data()), static_cast<int32_t>(args.size()), &result);
      ObjectRef made = result.cast<ObjectRef>();
      auto* map = const_cast<MapBaseObj*>(static_cast<const MapBaseObj*>(made.get()));
      CHECK_EQ(map->size(), static_cast<size_t>(n));
      CHECK_EQ(map->count(n - 1), 1u);
      CHECK_EQ(map->count(n), 0u);
      CHECK_EQ(map->at(2).cast<String>(), "value 2");
      CHECK_RAISES("KeyError", "key is not in Map", map->at(n));
      int at = 0;
      for (auto it = map->begin(); it != map->end(); ++it) CHECK_EQ(it->first.cast<int>(), at++);
      CHECK_EQ(at, n);
      map->erase(Any(0));
      CHECK_EQ(map->size(), static_cast<size_t>(n - 1));
      const char* get = std::strcmp(constructor, "ffi.Map") == 0 ? "ffi.MapCount" : "ffi.DictCount";
      CHECK_EQ(Global(get)(made, 0).cast<int>(), 0);
      CHECK_EQ(Global(get)(made, 1).cast<int>(), 1);
      map->clear();
      CHECK_EQ(map->size(), 0u);
    }
  }
}
