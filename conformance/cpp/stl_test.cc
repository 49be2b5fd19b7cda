// tvm/ffi/extra/stl.h: standard containers as arguments and results.
//
// The tests pass them as Any: of a standard container that is passed directly, the published header makes an Array or
// Map that it never releases.
// Requirement: A7
#include <tvm/ffi/extra/stl.h>
#include <tvm/ffi/tvm_ffi.h>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include "check.h"

using namespace tvm::ffi;

TEST(stl, vectors) {
  Function twice = Function::FromTyped([](std::vector<int64_t> v) {
    for (int64_t& x : v) x *= 2;
    return v;
  });
  CHECK(twice(Any(std::vector<int64_t>{1, 2, 3})).cast<std::vector<int64_t>>() == std::vector<int64_t>({2, 4, 6}));
  CHECK(twice(Array<int64_t>{5}).cast<std::vector<int64_t>>() == std::vector<int64_t>({10}));
  CHECK_EQ(twice(Any(std::vector<int64_t>{})).cast<Array<int64_t>>().size(), 0u);
  CHECK_RAISES("TypeError", "Mismatched type on argument #0", twice(Array<Any>{1, String("a string of some length")}));
  CHECK_RAISES("TypeError", "Mismatched type on argument #0", twice(1));
  CHECK_EQ(Any(std::vector<int64_t>{4}).type_index(), TypeIndex::kTVMFFIArray);
}

TEST(stl, arrays_made_by_the_runtime) {
  Function make = Function::GetGlobalRequired("ffi.Array");
  std::vector<std::string> words = make("one", "a longer one", "three").cast<std::vector<std::string>>();
  CHECK_EQ(words.size(), 3u);
  CHECK_EQ(words[1], "a longer one");
  // The runtime gets a vector as an Array.
  Function size = Function::GetGlobalRequired("ffi.ArraySize");
  Function item = Function::GetGlobalRequired("ffi.ArrayGetItem");
  std::vector<std::vector<int64_t>> nested{{1}, {2, 3}};
  Any value(nested);
  CHECK_EQ(size(value).cast<int>(), 2);
  CHECK_EQ(item(item(value, 1), 1).cast<int>(), 3);
}

TEST(stl, fixed_arrays_and_tuples) {
  Function sum = Function::FromTyped([](std::array<int64_t, 3> a) { return a[0] + a[1] + a[2]; });
  CHECK_EQ((sum(Any(std::array<int64_t, 3>{1, 2, 3})).cast<int64_t>()), 6);
  CHECK_RAISES("TypeError", "Mismatched type on argument #0", sum(Array<int64_t>{1, 2}));
  Function swap = Function::FromTyped(
      [](std::tuple<int64_t, std::string> t) { return std::make_tuple(std::get<1>(t), std::get<0>(t)); });
  auto swapped = swap(Any(std::make_tuple(int64_t{1}, std::string("a string of some length"))))
                     .cast<std::tuple<std::string, int64_t>>();
  CHECK_EQ(std::get<0>(swapped), "a string of some length");
  CHECK_EQ(std::get<1>(swapped), 1);
}

TEST(stl, maps) {
  Function flip = Function::FromTyped([](std::map<std::string, int64_t> m) {
    std::unordered_map<int64_t, std::string> back;
    for (const auto& [k, v] : m) back[v] = k;
    return back;
  });
  auto back = flip(Any(std::map<std::string, int64_t>{{"a", 1}, {"a longer key", 2}}))
                  .cast<std::unordered_map<int64_t, std::string>>();
  CHECK_EQ(back.size(), 2u);
  CHECK_EQ(back[2], "a longer key");
  Function make = Function::GetGlobalRequired("ffi.Map");
  CHECK_EQ((flip(make("x", 7)).cast<Map<int64_t, String>>()[7]), "x");
  std::map<std::string, int64_t> many;
  for (int i = 0; i < 100; i++) many["key number " + std::to_string(i)] = i;
  CHECK_EQ(Function::GetGlobalRequired("ffi.MapSize")(Any(many)).cast<int>(), 100);
  CHECK_EQ(Function::GetGlobalRequired("ffi.MapGetItem")(Any(many), "key number 42").cast<int>(), 42);
  CHECK_RAISES("TypeError", "Mismatched type on argument #0", flip(make(1, 7)));
}

TEST(stl, optionals_and_variants) {
  Function size = Function::FromTyped(
      [](std::optional<std::string> s) { return s.has_value() ? static_cast<int64_t>(s->size()) : -1; });
  CHECK_EQ(size(nullptr).cast<int64_t>(), -1);
  CHECK_EQ(size("four").cast<int64_t>(), 4);
  Function kind =
      Function::FromTyped([](std::variant<int64_t, std::string> v) { return static_cast<int64_t>(v.index()); });
  CHECK_EQ(kind(1).cast<int64_t>(), 0);
  CHECK_EQ(kind("s").cast<int64_t>(), 1);
  CHECK_RAISES("TypeError", "Mismatched type on argument #0", kind(Array<Any>{}));
}

TEST(stl, functions) {
  Function apply = Function::FromTyped([](std::function<int64_t(int64_t)> f, int64_t x) { return f(f(x)); });
  CHECK_EQ(apply(Function::FromTyped([](int64_t x) { return x * 3; }), 2).cast<int64_t>(), 18);
  std::function<int64_t(int64_t)> add = [](int64_t x) { return x + 1; };
  CHECK_EQ(apply(Any(add), 5).cast<int64_t>(), 7);
  Function fails = Function::FromTyped([](int64_t x) {
    if (x > 0) TVM_FFI_THROW(KeyError) << "from inside";
    return x;
  });
  CHECK_RAISES("KeyError", "from inside", apply(fails, 1));
}

TEST(stl, nothing_is_shared) {
  std::vector<Any> source{String("a string of some length"), 2};
  Any value(source);
  source[1] = 3;
  CHECK_EQ(value.cast<std::vector<Any>>()[1].cast<int>(), 2);
  CHECK_EQ(value.cast<std::vector<Any>>()[0].cast<String>(), source[0].cast<String>());
}
