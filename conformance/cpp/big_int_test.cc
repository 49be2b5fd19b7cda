// tvm/ffi/big_int.h: integers beyond int64_t (since 0.1.15).
// Requirement: A3
#include <tvm/ffi/big_int.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "check.h"

using namespace tvm::ffi;

namespace {

BigInt Read(const std::string& decimal) {
  std::istringstream in(decimal);
  BigInt v;
  in >> v;
  return v;
}

std::string Print(const BigInt& v) {
  std::ostringstream out;
  out << v;
  return out.str();
}

// Makes a BigInt with TVMFFIBigIntFromByteArray.
Any FromWords(const std::vector<int64_t>& words) {
  TVMFFIByteArray bytes{reinterpret_cast<const char*>(words.data()), words.size() * sizeof(int64_t)};
  TVMFFIAny out;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIBigIntFromByteArray(&bytes, &out));
  return details::AnyUnsafe::MoveTVMFFIAnyToAny(&out);
}

std::vector<int64_t> Words(const Any& value) {
  TVMFFIAny raw = AnyView(value).CopyToTVMFFIAny();
  TVMFFIByteArray bytes = TVMFFIBigIntGetContentByteArray(&raw);
  std::vector<int64_t> words(bytes.size / sizeof(int64_t));
  std::memcpy(words.data(), bytes.data, bytes.size);
  return words;
}

// The value of a type attribute for BigInt.
Function Hook(const char* name) {
  TVMFFIByteArray key{name, std::strlen(name)};
  const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&key);
  return AnyView::CopyFromTVMFFIAny(column->data[TypeIndex::kTVMFFIBigInt - column->begin_index]).cast<Function>();
}

}  // namespace

TEST(big_int, shortest_form) {
  using W = std::vector<int64_t>;
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  for (const auto& [words, want] : std::vector<std::pair<W, W>>{{{}, {0}},
                                                                {{5, 0}, {5}},
                                                                {{5, -1}, {5, -1}},
                                                                {{-1, -1, -1}, {-1}},
                                                                {{-1, 0}, {-1, 0}},
                                                                {{kMin, 0}, {kMin, 0}},
                                                                {{kMin, -1}, {kMin}},
                                                                {{0, 1, 0, 0}, {0, 1}}}) {
    Any v = FromWords(words);
    CHECK_EQ(v.type_index(), want.size() == 1 ? TypeIndex::kTVMFFIInt : TypeIndex::kTVMFFIBigInt);
    CHECK(Words(v) == want);
  }
  TVMFFIByteArray odd{"0123456789", 10};
  TVMFFIAny out;
  CHECK_RAISES("ValueError", "BigInt content must contain whole 64-bit words",
               TVM_FFI_CHECK_SAFE_CALL(TVMFFIBigIntFromByteArray(&odd, &out)));
}

TEST(big_int, registered_type) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(TypeIndex::kTVMFFIBigInt);
  CHECK_EQ(std::string(info->type_key.data, info->type_key.size), "ffi.BigInt");
  CHECK_EQ(info->type_depth, 1);
  CHECK(info->metadata != nullptr);
  if (info->metadata != nullptr) CHECK_EQ(info->metadata->total_size, 32);
}

TEST(big_int, cpp_and_runtime_share_memory) {
  // Made by the runtime, read by the header.
  BigInt v = FromWords({0, 64}).cast<BigInt>();
  CHECK_EQ(Print(v), "1180591620717411303424");
  CHECK(v == Read("1180591620717411303424"));
  // Made by the header, read by the runtime.
  Any made = Read("-1180591620717411303424");
  CHECK_EQ(made.type_index(), TypeIndex::kTVMFFIBigInt);
  CHECK(Words(made) == std::vector<int64_t>({0, -64}));
  CHECK(Words(Any(BigInt(7))) == std::vector<int64_t>({7}));
  Function twice = Function::FromTyped([](BigInt x) { return x * 2; });
  CHECK_EQ(Print(twice(v).cast<BigInt>()), "2361183241434822606848");
  CHECK_EQ(twice(4).cast<int64_t>(), 8);
}

TEST(big_int, keys) {
  Any a = FromWords({5, 64});
  Any b = FromWords({5, 64});
  Any c = FromWords({5, 65});
  CHECK_EQ(AnyHash()(a), AnyHash()(b));
  CHECK(AnyEqual()(a, b));
  CHECK(!AnyEqual()(a, c));
  Map<Any, int> map{{a, 1}, {c, 2}};
  CHECK_EQ(map[b], 1);
  Dict<Any, int> dict;
  dict.Set(a, 1);
  dict.Set(b, 3);
  CHECK_EQ(dict.size(), 1u);
  CHECK_EQ(Function::GetGlobalRequired("ffi.MapGetItem")(map, b).cast<int>(), 1);
  CHECK_EQ(Function::GetGlobalRequired("ffi.MapCount")(map, FromWords({6, 64})).cast<int>(), 0);
}

TEST(big_int, hooks) {
  Function nothing = Function::FromTyped([]() { return 0; });
  std::vector<Any> sorted{FromWords({0, -65}), FromWords({0, -64}), FromWords({-1, -2}),
                          FromWords({0, 64}),  FromWords({1, 64}),  FromWords({0, 0, 1})};
  Function compare = Hook("__ffi_compare__"), equal = Hook("__ffi_eq__"), hash = Hook("__ffi_hash__");
  for (size_t i = 0; i < sorted.size(); i++) {
    for (size_t j = 0; j < sorted.size(); j++) {
      CHECK_EQ(compare(sorted[i], sorted[j], nothing).cast<int>(), i < j ? -1 : i > j ? 1 : 0);
      CHECK_EQ(equal(sorted[i], sorted[j], nothing).cast<bool>(), i == j);
    }
    CHECK_EQ(static_cast<uint64_t>(hash(sorted[i], nothing).cast<int64_t>()), sorted[i].cast<BigInt>().hash());
  }
  Any text = String("a string of some length");
  CHECK_RAISES("TypeError", "Cannot treat type `ffi.String` as type `BigInt`", compare(sorted[0], text, nothing));
  CHECK_RAISES("TypeError", "Cannot treat type `ffi.String` as type `BigInt`", equal(text, sorted[0], nothing));
  CHECK_RAISES("TypeError", "`ffi.BigInt.__ffi_hash__(0: ffi.Object, 1: ffi.Function) -> int`", hash(1));
}

TEST(big_int, json_data) {
  Function to = Hook("__data_to_json__"), from = Hook("__data_from_json__");
  for (const char* decimal :
       {"1180591620717411303424", "-9223372036854775809", "18446744073709551616", "9223372036854775808",
        "-340282366920938463463374607431768211456", "123456789012345678901234567890123456789012345678901234567890"}) {
    BigInt v = Read(decimal);
    CHECK_EQ(to(v).cast<std::string>(), decimal);
    CHECK(from(String(decimal)).cast<BigInt>() == v);
  }
  CHECK_EQ(to(5).cast<std::string>(), "5");
  CHECK_EQ(from(String("+17")).type_index(), TypeIndex::kTVMFFIInt);
  for (const char* text : {"", "-", "x", " 5", "0x10", "5.0", "5 "}) {
    CHECK_RAISES("ValueError", "Invalid decimal string for ffi.BigInt", from(String(text)));
  }
  CHECK_RAISES("TypeError", "Cannot treat type `int` as type `str`", from(5));
  CHECK_RAISES("TypeError", "Cannot treat type `const char*` as type `str`", from("5"));
  CHECK_RAISES("TypeError", "Cannot treat type `bool` as type `BigInt`", to(true));
}

TEST(big_int, arithmetic_of_the_header) {
  BigInt big = Read("100000000000000000000");
  CHECK_EQ(Print(big * big), "10000000000000000000000000000000000000000");
  CHECK_EQ(Print(-big - 1), "-100000000000000000001");
  CHECK_EQ(Print((big << BigInt(70)) >> BigInt(70)), "100000000000000000000");
  CHECK_EQ(static_cast<int64_t>(big / big), 1);
  CHECK_RAISES("OverflowError", "does not fit", static_cast<int64_t>(big));
}
