// string.h: strings and bytes, small and on the heap, which are equal if their contents are.
// Requirements: A3, A7
#include <tvm/ffi/any.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/string.h>

#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <unordered_map>

#include "check.h"

using namespace tvm::ffi;

TEST(string, small_limit) {
  CHECK_EQ(Any(String("1234567")).type_index(), static_cast<int32_t>(TypeIndex::kTVMFFISmallStr));
  CHECK_EQ(Any(String("12345678")).type_index(), static_cast<int32_t>(TypeIndex::kTVMFFIStr));
  CHECK_EQ(sizeof(String), 16u);
}

TEST(string, embedded_nul) {
  String s("a\0b", 3);
  CHECK_EQ(s.size(), 3u);
  CHECK_EQ(s.at(1), '\0');
  CHECK_EQ(s.c_str()[3], '\0');
  String longer(std::string("0123\0567890", 10));
  CHECK_EQ(longer.size(), 10u);
  CHECK_EQ(longer.c_str()[10], '\0');
}

TEST(string, empty) {
  String s;
  CHECK(s.empty());
  CHECK_EQ(s.size(), 0u);
  CHECK_EQ(s, "");
}

TEST(string, order) {
  CHECK(String("abc") < String("abd"));
  CHECK(String("abc") < String("abcd"));
  CHECK(String("a longer text") > String("a longer tex"));
  CHECK(String("a") <= String("a"));
  CHECK_EQ(String("same as ever").compare("same as ever"), 0);
}

TEST(string, heap_equals_small) {
  // The C function may make a heap string of content of which the header makes a small one.
  TVMFFIAny out;
  TVMFFIByteArray bytes{"float32", 7};
  CHECK_EQ(TVMFFIStringFromByteArray(&bytes, &out), 0);
  String from_c = detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(out).cast<String>();
  CHECK_EQ(from_c, String("float32"));
  CHECK(AnyEqual()(from_c, String("float32")));
  CHECK_EQ(AnyHash()(from_c), AnyHash()(String("float32")));
}

TEST(string, from_c_functions) {
  std::string text(1000, 'x');
  TVMFFIByteArray view{text.data(), text.size()};
  TVMFFIAny out;
  CHECK_EQ(TVMFFIStringFromByteArray(&view, &out), 0);
  CHECK_EQ(out.type_index, static_cast<int32_t>(TypeIndex::kTVMFFIStr));
  String s = detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(out).cast<String>();
  CHECK_EQ(s.size(), 1000u);
  CHECK_EQ(s.data()[1000], '\0');
  CHECK_EQ(TVMFFIBytesFromByteArray(&view, &out), 0);
  CHECK_EQ(out.type_index, static_cast<int32_t>(TypeIndex::kTVMFFIBytes));
  CHECK_EQ(detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(out).cast<Bytes>().size(), 1000u);
  TVMFFIByteArray nothing{nullptr, 0};
  CHECK_EQ(TVMFFIStringFromByteArray(&nothing, &out), 0);
  CHECK_EQ(out.type_index, static_cast<int32_t>(TypeIndex::kTVMFFISmallStr));
  CHECK_EQ(out.v_uint64, 0u);
}

TEST(string, std_string_moves_in) {
  std::string source(40, 'q');
  String s(std::move(source));
  CHECK_EQ(s.size(), 40u);
  CHECK_EQ(std::string(s), std::string(40, 'q'));
}

TEST(string, concat_and_stream) {
  String s = String("one ") + "two " + std::string("three");
  CHECK_EQ(s, "one two three");
  std::ostringstream out;
  out << s;
  CHECK_EQ(out.str(), std::string("one two three"));
}

TEST(string, find_and_cut) {
  String s = "needle in a haystack";
  CHECK_EQ(s.find("hay"), 12u);
  CHECK_EQ(s.find("straw"), String::npos);
  CHECK_EQ(s.substr(10, 1), "a");
  CHECK(s.starts_with("needle"));
  CHECK(s.ends_with("stack"));
  CHECK(!s.ends_with("needle"));
}

TEST(string, in_std_map) {
  std::unordered_map<String, int> map;
  map["a"] = 1;
  map["a key that is too long to be small"] = 2;
  CHECK_EQ(map[String("a")], 1);
  CHECK_EQ(map[String(std::string("a key that is too long to be small"))], 2);
}

TEST(string, bytes) {
  Bytes small("\xff\x00\x7f", 3);
  CHECK_EQ(small.size(), 3u);
  CHECK_EQ(small.data()[0], '\xff');
  Bytes big(std::string(100, '\x80'));
  CHECK_EQ(big.size(), 100u);
  CHECK(!AnyEqual()(big, small));
  CHECK(Any(small).as<Bytes>().has_value());
  CHECK(!Any(small).as<String>().has_value());
}
