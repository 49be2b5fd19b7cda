// container/{map,dict,list}.h: containers that the header and the runtime fill, read and change.
// Requirement: A7
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/function.h>

#include <string>
#include <utility>
#include <vector>

#include "check.h"

using namespace tvm::ffi;

namespace {
Function Global(const char* name) { return Function::GetGlobalRequired(name); }

// Makes a Map or Dict with the runtime: keys 0 to n-1 and their squares.
Any Squares(const char* name, int n) {
  std::vector<AnyView> args;
  for (int i = 0; i < n; i++) {
    args.push_back(i);
    args.push_back(i * i);
  }
  Any out;
  Global(name).CallPacked(args.data(), static_cast<int32_t>(args.size()), &out);
  return out;
}
}  // namespace

TEST(map, header_made) {
  Map<String, int> m = {{"one", 1}, {"two", 2}, {"a key that needs the heap", 3}};
  CHECK_EQ(m.size(), 3u);
  CHECK_EQ(m["a key that needs the heap"], 3);
  CHECK_EQ(m.at("two"), 2);
  CHECK_EQ(m.count("three"), 0u);
  CHECK(!m.Get("three").has_value());
  CHECK_RAISES("KeyError", "key is not in Map", m.at("three"));
  CHECK_EQ(Global("ffi.MapSize")(m).cast<int>(), 3);
  CHECK_EQ(Global("ffi.MapGetItem")(m, "one").cast<int>(), 1);
  CHECK_EQ(Global("ffi.MapCount")(m, "zero").cast<int>(), 0);
}

TEST(map, runtime_made_small) {
  Map<int, int> m = Squares("ffi.Map", 4).cast<Map<int, int>>();
  CHECK_EQ(m.size(), 4u);
  CHECK_EQ(m[3], 9);
  int expected = 0;
  for (const auto& [key, value] : m) {
    CHECK_EQ(key, expected);
    CHECK_EQ(value, expected * expected);
    expected++;
  }
}

TEST(map, runtime_made_large) {
  Map<int, int> m = Squares("ffi.Map", 1000).cast<Map<int, int>>();
  CHECK_EQ(m.size(), 1000u);
  CHECK_EQ(m[999], 999 * 999);
  int expected = 0, wrong = 0;
  for (const auto& [key, value] : m) wrong += key != expected || value != expected * expected, expected++;
  CHECK_EQ(wrong, 0);
  CHECK_EQ(expected, 1000);
}

TEST(map, header_changes_runtime_made) {
  Map<int, int> m = Squares("ffi.Map", 3).cast<Map<int, int>>();
  for (int i = 3; i < 300; i++) m.Set(i, i * i);  // a small map becomes dense, then is rehashed
  m.Set(2, 0);
  m.erase(1);
  CHECK_EQ(m.size(), 299u);
  CHECK_EQ(m[2], 0);
  CHECK_EQ(m.count(1), 0u);
  CHECK_EQ(m[299], 299 * 299);
  CHECK_EQ(Global("ffi.MapGetItem")(m, 150).cast<int>(), 150 * 150);
}

TEST(map, copy_on_write) {
  Map<String, Any> a = {{"x", 1}};
  Map<String, Any> b = a;
  b.Set("x", 2);
  CHECK_EQ(a["x"].cast<int>(), 1);
  CHECK_EQ(b["x"].cast<int>(), 2);
}

TEST(map, keys_of_all_kinds) {
  Array<int> array = {1};
  Map<Any, int> m = {{1, 1}, {true, 2}, {1.0, 3}, {String("1"), 4}, {nullptr, 5}, {array, 6}};
  CHECK_EQ(m.size(), 6u);
  CHECK_EQ(m[true], 2);
  CHECK_EQ(m[1.0], 3);
  CHECK_EQ(m[Any(nullptr)], 5);
  CHECK_EQ(Global("ffi.MapGetItem")(m, array).cast<int>(), 6);
  CHECK_EQ(Global("ffi.MapGetItem")(m, 1.0).cast<int>(), 3);
  CHECK_EQ(Global("ffi.MapGetItem")(m, "1").cast<int>(), 4);
}

TEST(map, conversion) {
  Any m = Map<String, int>{{"a", 1}};
  CHECK_EQ((m.cast<Map<String, double>>()["a"]), 1.0);
  CHECK_RAISES("TypeError", "Map[K, some value is int]", (m.cast<Map<String, String>>()));
  CHECK_RAISES("TypeError", "Map[some key is ffi.SmallStr, V]", (m.cast<Map<int, int>>()));
}

TEST(map, iterator_function) {
  Map<String, int> m = {{"a", 1}, {"b", 2}};
  Function next = Global("ffi.MapForwardIterFunctor")(m).cast<Function>();
  CHECK_EQ(next(0).cast<String>(), "a");
  CHECK_EQ(next(1).cast<int>(), 1);
  CHECK_EQ(next(2).cast<bool>(), true);
  CHECK_EQ(next(0).cast<String>(), "b");
  CHECK_EQ(next(2).cast<bool>(), false);
}

TEST(map, missing_sentinel) {
  Any missing = Global("ffi.GetInvalidObject")();
  CHECK(Global("ffi.MapGetItemOrMissing")(Map<int, int>{}, 1).same_as(missing));
}

TEST(dict, shared_and_mutable) {
  Dict<String, int> d = {{"a", 1}};
  Dict<String, int> same = d;
  same.Set("b", 2);
  CHECK_EQ(d.size(), 2u);
  Global("ffi.DictSetItem")(d, "c", 3);
  CHECK_EQ(same["c"], 3);
  Global("ffi.DictErase")(d, "a");
  CHECK_EQ(same.count("a"), 0u);
  Global("ffi.DictClear")(d);
  CHECK(same.empty());
}

TEST(dict, grown_in_turn) {
  Dict<int, int> d = Squares("ffi.Dict", 2).cast<Dict<int, int>>();
  Function set = Global("ffi.DictSetItem");
  for (int i = 2; i < 400; i += 2) {
    d.Set(i, i);
    set(d, i + 1, i + 1);
  }
  CHECK_EQ(d.size(), 400u);
  int wrong = 0;
  for (int i = 2; i < 400; i++) wrong += d[i] != i;
  CHECK_EQ(wrong, 0);
  for (int i = 0; i < 400; i += 3) d.erase(i);
  CHECK_EQ(Global("ffi.DictSize")(d).cast<int>(), 266);
  CHECK_EQ(Global("ffi.DictCount")(d, 399).cast<int>(), 0);
  CHECK_EQ(Global("ffi.DictCount")(d, 398).cast<int>(), 1);
}

TEST(dict, values_are_released) {
  Array<int> value = {1};
  {
    Dict<String, Any> d;
    for (int i = 0; i < 50; i++) d.Set(std::to_string(i), value);
    CHECK_EQ(value.use_count(), 51);
    Global("ffi.DictErase")(d, "7");
    CHECK_EQ(value.use_count(), 50);
  }
  CHECK_EQ(value.use_count(), 1);
}

TEST(list, header_made) {
  List<int> l = {1, 2};
  l.push_back(3);
  l.insert(l.begin(), 0);
  CHECK_EQ(l.size(), 4u);
  CHECK_EQ(l[0], 0);
  CHECK_EQ(Global("ffi.ListSize")(l).cast<int>(), 4);
  CHECK_EQ(Global("ffi.ListGetItem")(l, 3).cast<int>(), 3);
  CHECK_RAISES("IndexError", "Index 4 out of bounds 4", Global("ffi.ListGetItem")(l, 4));
}

TEST(list, grown_in_turn) {
  List<Any> l = Global("ffi.List")(1, "two").cast<List<Any>>();
  Function append = Global("ffi.ListAppend");
  for (int i = 0; i < 100; i++) {
    l.push_back(i);
    append(l, String("a string on the heap"));
  }
  CHECK_EQ(l.size(), 202u);
  CHECK_EQ(l[2].cast<int>(), 0);
  CHECK_EQ(l[201].cast<String>(), "a string on the heap");
  l.clear();
  CHECK_EQ(Global("ffi.ListSize")(l).cast<int>(), 0);
}

TEST(list, shared) {
  List<int> l = {1};
  List<int> same = l;
  same.Set(0, 5);
  CHECK_EQ(l[0], 5);
  Global("ffi.ListInsert")(l, 0, 4);
  CHECK_EQ(same.size(), 2u);
  CHECK_EQ(Global("ffi.ListPop")(l, 1).cast<int>(), 5);
  CHECK_EQ(same.size(), 1u);
  Global("ffi.ListReverse")(l);
  Global("ffi.ListReplaceSlice")(l, 0, 1, List<int>{7, 8, 9});
  CHECK_EQ(same.size(), 3u);
  CHECK_EQ(same[2], 9);
  Global("ffi.ListEraseRange")(l, 0, 2);
  CHECK_EQ(same[0], 9);
}

TEST(list, conversion) {
  Any l = List<int>{1, 2};
  CHECK_EQ(l.cast<Array<int>>()[1], 2);
  CHECK_EQ((Any(Array<int>{3}).cast<List<int>>()[0]), 3);
  CHECK_RAISES("TypeError", "Expected `ffi.List` but got `ffi.Array`", Global("ffi.ListSize")(Array<int>{}));
}
