// optional.h, container/variant.h, container/tuple.h, rvalue_ref.h, expected.h: the vocabulary types.
// Requirements: A3, A7
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/rvalue_ref.h>

#include <string>
#include <utility>

#include "check.h"

using namespace tvm::ffi;

TEST(optional, sizes) {
  CHECK_EQ(sizeof(Optional<int>), 16u);
  CHECK_EQ(sizeof(Optional<String>), 16u);
  CHECK_EQ(sizeof(Optional<Function>), 8u);
  CHECK_EQ(sizeof(Optional<Array<int>>), 8u);
}

TEST(optional, values) {
  Optional<int> none;
  CHECK(!none.has_value());
  Optional<int> one = 1;
  CHECK_EQ(one.value(), 1);
  CHECK_EQ(none.value_or(5), 5);
  CHECK_RAISES("RuntimeError", "Back optional access", none.value());
  one = std::nullopt;
  CHECK(one == std::nullopt);
}

TEST(optional, strings) {
  Optional<String> text = String("a text of some length");
  Optional<String> same = text;
  CHECK(same == text);
  CHECK_EQ(text.value(), "a text of some length");
  CHECK(Optional<String>(std::nullopt) != text);
}

TEST(optional, in_functions) {
  Function f = Function::FromTyped([](Optional<int> x) -> Optional<String> {
    if (!x.has_value()) return std::nullopt;
    return String(std::to_string(*x));
  });
  CHECK(f(nullptr) == nullptr);
  CHECK_EQ(f(12).cast<String>(), "12");
  CHECK_RAISES("TypeError", "Optional<int>", f("x"));
}

TEST(optional, objects) {
  Optional<Array<int>> none;
  CHECK(!none.has_value());
  Array<int> array = {1};
  Optional<Array<int>> some = array;
  CHECK(some.value().same_as(array));
  CHECK(Any(none) == nullptr);
}

TEST(variant, holds_one_of) {
  Variant<int, String> v = 3;
  CHECK_EQ(v.get<int>(), 3);
  CHECK(!v.as<String>().has_value());
  v = String("now a string of length");
  CHECK_EQ(v.get<String>(), "now a string of length");
  CHECK_EQ(v.GetTypeKey(), std::string("ffi.String"));
  CHECK_RAISES("TypeError", "", v.get<int>());
}

TEST(variant, from_any) {
  Any any = Array<int>{1, 2};
  Variant<int, Array<int>> v = any.cast<Variant<int, Array<int>>>();
  CHECK_EQ(v.get<Array<int>>().size(), 2u);
  CHECK_RAISES("TypeError", "Variant<int, ffi.Function>", Any(String("x")).cast<Variant<int, Function>>());
}

TEST(variant, in_functions) {
  Function f = Function::FromTyped([](Variant<int, String> v) { return v.as<int>().has_value(); });
  CHECK_EQ(f(1).cast<bool>(), true);
  CHECK_EQ(f("one").cast<bool>(), false);
}

TEST(tuple, elements) {
  Tuple<int, String, Array<int>> t(1, "two", Array<int>{3});
  CHECK_EQ(t.get<0>(), 1);
  CHECK_EQ(t.get<1>(), "two");
  CHECK_EQ(t.get<2>()[0], 3);
  CHECK_EQ(sizeof(t), 8u);
  CHECK_EQ(t.type_index(), static_cast<int32_t>(TypeIndex::kTVMFFIArray));
}

TEST(tuple, copy_on_write) {
  Tuple<int, int> a(1, 2);
  Tuple<int, int> b = a;
  a.Set<0>(9);
  CHECK_EQ(a.get<0>(), 9);
  CHECK_EQ(b.get<0>(), 1);
}

TEST(tuple, from_runtime_array) {
  Any array = Function::GetGlobalRequired("ffi.Array")(1, "two");
  auto t = array.cast<Tuple<int, String>>();
  CHECK_EQ(t.get<1>(), "two");
  CHECK_RAISES("TypeError", "Array[size=2]", array.cast<Tuple<int>>());
  CHECK_RAISES("TypeError", "Array[index 1: ", (array.cast<Tuple<int, int>>()));
}

TEST(rvalue_ref, moves_through) {
  Function f = Function::FromTyped([](RValueRef<Array<int>> ref) {
    Array<int> array = *std::move(ref);
    return array.use_count();
  });
  Array<int> moved = {1, 2};
  CHECK_EQ(f(RValueRef(std::move(moved))).cast<int>(), 1);
  CHECK(!moved.defined());  // NOLINT(bugprone-use-after-move)
  Array<int> kept = {1, 2};
  CHECK_EQ(f(kept).cast<int>(), 2);
}

TEST(rvalue_ref, taken_by_runtime) {
  Array<int> inner = {1};
  Any outer = Function::GetGlobalRequired("ffi.Array")(RValueRef(std::move(inner)));
  CHECK(!inner.defined());  // NOLINT(bugprone-use-after-move)
  CHECK_EQ(outer.cast<Array<Array<int>>>()[0][0], 1);
}

TEST(rvalue_ref, moved_already) {
  ObjectPtr<Object> slot;
  TVMFFIAny view, out;
  view.type_index = kTVMFFIObjectRValueRef;
  view.zero_padding = 0;
  view.v_ptr = &slot;
  CHECK_EQ(TVMFFIAnyViewToOwnedAny(&view, &out), -1);
  Error e = detail::MoveFromSafeCallRaised();
  CHECK_EQ(e.kind(), std::string("InternalError"));
  CHECK(::conformance::Has(e.message(), "RValueRef already moved"));
}

TEST(expected, value_or_error) {
  Expected<int> good = 4;
  CHECK(good.is_ok());
  CHECK_EQ(good.value(), 4);
  Expected<int> bad = Error("ValueError", "bad", "");
  CHECK(bad.is_err());
  CHECK_EQ(bad.error().kind(), std::string("ValueError"));
  CHECK_EQ(bad.value_or(7), 7);
  CHECK_RAISES("ValueError", "bad", bad.value());
  CHECK_RAISES("RuntimeError", "Bad expected access", good.error());
  CHECK_EQ(sizeof(good), 16u);
}

TEST(expected, nothing_or_error) {
  Expected<void> done;
  CHECK(done.is_ok());
  Expected<void> failed = Unexpected(Error("KeyError", "k", ""));
  CHECK_RAISES("KeyError", "k", failed.value());
}

TEST(expected, calls_that_may_fail) {
  Function f = Function::FromTyped([](int x) -> Expected<int> {
    if (x < 0) return Error("ValueError", "negative", "");
    return x;
  });
  CHECK_EQ(f.CallExpected<int>(3).value(), 3);
  CHECK_EQ(f.CallExpected<int>(-3).error().message(), std::string("negative"));
  Function runtime = Function::GetGlobalRequired("ffi.ArrayGetItem");
  CHECK_EQ(runtime.CallExpected<Any>(Array<int>{}, 0).error().kind(), std::string("IndexError"));
}
