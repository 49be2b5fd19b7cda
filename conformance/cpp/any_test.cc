// any.h: owned values and views, the conversions between them, and those that are refused.
// Requirement: A3
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/string.h>

#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "check.h"

using namespace tvm::ffi;

namespace {
TVMFFIAny Raw(const Any& any) { return AnyView(any).CopyToTVMFFIAny(); }
}  // namespace

TEST(any, sizes) {
  CHECK_EQ(sizeof(Any), 16u);
  CHECK_EQ(sizeof(AnyView), 16u);
  CHECK_EQ(sizeof(TVMFFIAny), 16u);
  CHECK_EQ(alignof(Any), 8u);
  CHECK(std::is_trivially_copyable_v<AnyView>);
}

TEST(any, none) {
  Any none;
  CHECK_EQ(none.type_index(), static_cast<int32_t>(TypeIndex::kTVMFFINone));
  CHECK(none == nullptr);
  CHECK_EQ(Raw(none).v_uint64, 0u);
  CHECK_EQ(Raw(none).zero_padding, 0u);
  CHECK_EQ(none.GetTypeKey(), std::string("None"));
  CHECK(!none.as<int64_t>().has_value());
}

TEST(any, integers_and_bools) {
  Any minimum = std::numeric_limits<int64_t>::min();
  CHECK_EQ(minimum.cast<int64_t>(), std::numeric_limits<int64_t>::min());
  Any truth = true;
  CHECK_EQ(truth.type_index(), static_cast<int32_t>(TypeIndex::kTVMFFIBool));
  CHECK_EQ(Raw(truth).v_int64, 1);
  CHECK_EQ(truth.cast<int>(), 1);
  CHECK(AnyView(int64_t{7}).cast<bool>());
  CHECK_EQ(AnyView(uint8_t{255}).cast<int64_t>(), 255);
  CHECK(!Any(3).as<bool>().has_value());  // strict: an int is no bool
  CHECK_RAISES("OverflowError", "too large to fit in int64_t", Any(std::numeric_limits<uint64_t>::max()));
}

TEST(any, floats_take_integers) {
  CHECK_EQ(AnyView(2).cast<double>(), 2.0);
  CHECK_EQ(AnyView(0.5f).cast<double>(), 0.5);
  CHECK(!AnyView(1.5).try_cast<int64_t>().has_value());
  CHECK_RAISES("TypeError", "Cannot convert from type `float` to `int`", AnyView(1.5).cast<int>());
}

TEST(any, pointers) {
  int here = 0;
  Any pointer = static_cast<void*>(&here);
  CHECK_EQ(pointer.type_index(), static_cast<int32_t>(TypeIndex::kTVMFFIOpaquePtr));
  CHECK(pointer.cast<void*>() == &here);
  CHECK(Any(nullptr).cast<void*>() == nullptr);
}

TEST(any, raw_string_becomes_owned) {
  AnyView view = "a text of more than seven bytes";
  CHECK_EQ(view.type_index(), static_cast<int32_t>(TypeIndex::kTVMFFIRawStr));
  Any owned = view;
  CHECK_EQ(owned.type_index(), static_cast<int32_t>(TypeIndex::kTVMFFIStr));
  Any tiny = AnyView("seven b");
  CHECK_EQ(tiny.type_index(), static_cast<int32_t>(TypeIndex::kTVMFFISmallStr));
  CHECK_EQ(Raw(tiny).small_str_len, 7u);
  CHECK_EQ(owned.cast<std::string>(), std::string("a text of more than seven bytes"));
}

TEST(any, byte_array_becomes_owned) {
  TVMFFIByteArray bytes{"\0\1\2", 3};
  Any owned = AnyView(&bytes);
  CHECK_EQ(owned.type_index(), static_cast<int32_t>(TypeIndex::kTVMFFISmallBytes));
  CHECK_EQ(owned.cast<Bytes>().size(), 3u);
  TVMFFIByteArray more{"0123456789", 10};
  CHECK_EQ(Any(AnyView(&more)).type_index(), static_cast<int32_t>(TypeIndex::kTVMFFIBytes));
}

TEST(any, c_function_owns_views) {
  TVMFFIAny out;
  TVMFFIAny raw = AnyView("through the C function").CopyToTVMFFIAny();
  CHECK_EQ(TVMFFIAnyViewToOwnedAny(&raw, &out), 0);
  Any owned = detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(out);
  CHECK_EQ(owned.cast<String>(), "through the C function");
}

TEST(any, moved_from_is_none) {
  Any a = String("something that lies on the heap");
  Any b = std::move(a);
  CHECK(a == nullptr);  // NOLINT(bugprone-use-after-move)
  CHECK_EQ(Raw(a).v_uint64, 0u);
  CHECK_EQ(b.cast<String>(), "something that lies on the heap");
}

TEST(any, counts_references) {
  Array<int> array = {1, 2};
  CHECK_EQ(array.use_count(), 1);
  {
    Any one = array;
    Any two = one;
    AnyView view = two;
    CHECK_EQ(array.use_count(), 3);
    CHECK(view.cast<Array<int>>().same_as(array));
  }
  CHECK_EQ(array.use_count(), 1);
}

TEST(any, strict_and_converting) {
  Any text = String("x");
  CHECK(text.as<String>().has_value());
  CHECK(!text.as<int>().has_value());
  CHECK(text.try_cast<std::string>().has_value());
  CHECK_RAISES("TypeError", "Cannot convert from type `ffi.SmallStr` to `int`", text.cast<int>());
}

TEST(any, optional_values) {
  CHECK(!AnyView(nullptr).cast<Optional<int>>().has_value());
  CHECK_EQ(AnyView(4).cast<Optional<int>>().value(), 4);
  CHECK_RAISES("TypeError", "Optional<int>", AnyView("4").cast<Optional<int>>());
}

TEST(any, equality_and_hash) {
  AnyEqual equal;
  AnyHash hash;
  CHECK(equal(Any(1), Any(1)));
  CHECK(!equal(Any(1), Any(true)));
  CHECK(equal(Any(String("short")), Any(String("short"))));
  CHECK_EQ(hash(Any(String("a longer text"))), hash(Any(String("a longer text"))));
  CHECK(!equal(Any(String("same")), Any(Bytes("same", 4))));
  CHECK(!equal(Any(Array<int>{1}), Any(Array<int>{1})));  // identity, not content
}
