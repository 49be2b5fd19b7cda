// container/array.h: arrays that the header or the runtime made, changed in place if they have a single reference.
// Requirement: A7
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>

#include <string>
#include <utility>
#include <vector>

#include "check.h"

using namespace tvm::ffi;

namespace {
Array<Any> FromRuntime(int64_t n) {
  // Made by the runtime: memory and deleter are those of the library.
  std::vector<AnyView> args;
  for (int64_t i = 0; i < n; i++) args.push_back(AnyView(i));
  Any out;
  Function::GetGlobalRequired("ffi.Array").CallPacked(args.data(), static_cast<int32_t>(n), &out);
  return out.cast<Array<Any>>();
}
}  // namespace

TEST(array, runtime_made) {
  Array<Any> a = FromRuntime(5);
  CHECK_EQ(a.size(), 5u);
  CHECK_EQ(a[4].cast<int>(), 4);
  CHECK_EQ(a.use_count(), 1);
  CHECK_EQ(a.type_index(), static_cast<int32_t>(TypeIndex::kTVMFFIArray));
}

TEST(array, header_mutates_runtime_made) {
  Array<Any> a = FromRuntime(3);
  const void* before = a.get();
  a.Set(1, String("a string that needs the heap"));
  CHECK(a.get() == before);  // a single reference: changed in place
  CHECK_EQ(a[1].cast<String>(), "a string that needs the heap");
  Array<Any> shared = a;
  a.Set(0, 42);
  CHECK(a.get() != before);  // copied on write
  CHECK_EQ(shared[0].cast<int>(), 0);
  CHECK_EQ(a[0].cast<int>(), 42);
}

TEST(array, grows_beyond_runtime_block) {
  Array<Any> a = FromRuntime(2);
  for (int i = 0; i < 100; i++) a.push_back(i);
  CHECK_EQ(a.size(), 102u);
  CHECK_EQ(a[101].cast<int>(), 99);
  a.pop_back();
  a.erase(a.begin());
  CHECK_EQ(a.size(), 100u);
  CHECK_EQ(a[0].cast<int>(), 1);
}

TEST(array, runtime_reads_header_made) {
  Array<Any> a = {1, String("two"), 3.0};
  Function size = Function::GetGlobalRequired("ffi.ArraySize");
  Function item = Function::GetGlobalRequired("ffi.ArrayGetItem");
  Function contains = Function::GetGlobalRequired("ffi.ArrayContains");
  CHECK_EQ(size(a).cast<int>(), 3);
  CHECK_EQ(item(a, 1).cast<String>(), "two");
  CHECK_EQ(contains(a, "two").cast<bool>(), true);
  CHECK_EQ(contains(a, 7).cast<bool>(), false);
  CHECK_RAISES("IndexError", "Index 3 out of bounds 3", item(a, 3));
  CHECK_RAISES("IndexError", "Index -1 out of bounds 3", item(a, -1));
}

TEST(array, bounds) {
  Array<int> a = {1};
  CHECK_RAISES("IndexError", "out of bounds", a[1]);
  CHECK_RAISES("IndexError", "", Array<int>().back());
  CHECK_RAISES("IndexError", "", Array<int>().pop_back());
}

TEST(array, insert_and_resize) {
  Array<int> a = {1, 4};
  a.insert(a.begin() + 1, 2);
  std::vector<int> more = {7, 8};
  a.insert(a.end(), more.begin(), more.end());
  CHECK_EQ(a.size(), 5u);
  CHECK_EQ(a[1], 2);
  CHECK_EQ(a[4], 8);
  a.resize(2);
  CHECK_EQ(a.size(), 2u);
  a.clear();
  CHECK(a.empty());
}

TEST(array, iteration_and_map) {
  Array<int> a = {3, 1, 2};
  int sum = 0;
  for (int v : a) sum += v;
  CHECK_EQ(sum, 6);
  Array<int> doubled = a.Map([](int v) { return 2 * v; });
  CHECK_EQ(doubled[0], 6);
  CHECK_EQ(*a.rbegin(), 2);
}

TEST(array, element_conversion) {
  Any ints = Array<int>{1, 2};
  CHECK(ints.cast<Array<int>>().same_as(ints.cast<Array<Any>>()));  // same elements: same object
  Array<double> floats = ints.cast<Array<double>>();
  CHECK_EQ(floats[1], 2.0);
  CHECK(!floats.same_as(ints.cast<Array<Any>>()));
  Any mixed = Array<Any>{1, String("x")};
  CHECK_RAISES("TypeError", "Array[index 1: ffi.SmallStr]", mixed.cast<Array<int>>());
}

TEST(array, nested_are_released) {
  Array<Array<String>> outer = {{"one string of some length"}, {"another string of some length"}};
  Array<String> inner = outer[0];
  outer = Array<Array<String>>();
  CHECK_EQ(inner.use_count(), 1);
  CHECK_EQ(inner[0], "one string of some length");
}
