// List, changed by the header's code and by the runtime in turn, compared with a twin that only the header's code
// changes.
#include <algorithm>

#include "support.h"

namespace cross {
namespace {

void Change(const List<Any>& list, bool native, int op, int64_t i, int64_t j, const Any& value) {
  List<Any> l = list;
  int64_t n = static_cast<int64_t>(l.size());
  switch (op) {
    case 0:
    case 1:
    case 2:
      native ? l.push_back(value) : (void)Call("ffi.ListAppend", l, value);
      return;
    case 3:
      native ? l.insert(l.begin() + i, value) : (void)Call("ffi.ListInsert", l, i, value);
      return;
    case 4:
      if (i < n) native ? l.erase(l.begin() + i) : (void)Call("ffi.ListPop", l, i);
      return;
    case 5:
      native ? l.erase(l.begin() + i, l.begin() + j) : (void)Call("ffi.ListEraseRange", l, i, j);
      return;
    case 6:
      if (i < n) native ? l.Set(i, value) : (void)Call("ffi.ListSetItem", l, i, value);
      return;
    case 7: {
      List<Any> more{value, Any(i), value};
      if (native) {
        l.erase(l.begin() + i, l.begin() + j);
        l.insert(l.begin() + i, more.begin(), more.end());
      } else {
        Call("ffi.ListReplaceSlice", l, i, j, more);
      }
      return;
    }
    case 8:
      native ? l.GetListObj()->Reverse() : (void)Call("ffi.ListReverse", l);
      return;
    case 9:
      native ? l.reserve(n + i) : (void)Call("ffi.ListReserve", l, n + i);
      return;
    default:
      native ? l.clear() : (void)Call("ffi.ListClear", l);
  }
}

void CheckSame(const List<Any>& a, const List<Any>& b) {
  CHECK(a.size() == b.size() && a.capacity() == b.capacity(), "sizes %zu and %zu, capacities %zu and %zu", a.size(),
        b.size(), a.capacity(), b.capacity());
  for (size_t i = 0; i < a.size() && i < b.size(); i++) {
    CHECK(a[i].same_as(b[i]) || AnyEqual()(a[i], b[i]), "element %zu", i);
    CHECK(AnyEqual()(Call("ffi.ListGetItem", a, static_cast<int64_t>(i)), b[i]), "ListGetItem %zu", i);
  }
}

void Round(uint64_t seed) {
  std::mt19937_64 rng(seed);
  Keys keys(&rng, 30, -1);
  {
    List<Any> twin;
    List<Any> l = rng() % 2 ? List<Any>() : Call("ffi.List").cast<List<Any>>();
    for (int step = 0; step < 200; step++) {
      int64_t n = static_cast<int64_t>(l.size());
      int64_t i = static_cast<int64_t>(rng() % (n + 1)),
              j = i + static_cast<int64_t>(rng() % std::min<int64_t>(n - i + 1, 4));
      int op = static_cast<int>(rng() % 10);
      if (rng() % 100 == 0) op = 10;
      Any value = keys.Next();
      Change(l, rng() % 2, op, i, j, value);
      Change(twin, true, op, i, j, value);
      CheckSame(l, twin);
      Any other = keys.Next();
      bool contains = std::any_of(twin.begin(), twin.end(), [&](const Any& e) { return AnyEqual()(e, other); });
      CHECK(Call("ffi.ListContains", l, other).cast<bool>() == contains, "ListContains");
    }
  }
  keys.CheckReleased();
}

}  // namespace

void TestLists(uint64_t rounds) {
  for (uint64_t seed = 0; seed < rounds; seed++) Round(seed);
}

}  // namespace cross
