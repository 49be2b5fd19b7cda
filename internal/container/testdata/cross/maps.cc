// Dict and Map, changed by the header's code and by the runtime in turn. A twin that only the header's code changes
// gets the same operations: both must have the same bytes in memory.
#include "support.h"

namespace cross {
namespace {

// One Dict operation, by C++ or by the runtime.
void Change(const Dict<Any, Any>& d, bool native, int op, const Any& key, const Any& value) {
  Dict<Any, Any> handle = d;
  if (op < 60) {
    native ? handle.Set(key, value) : (void)Call("ffi.DictSetItem", d, key, value);
  } else if (op < 99) {
    native ? handle.erase(key) : (void)Call("ffi.DictErase", d, key);
  } else {
    native ? handle.clear() : (void)Call("ffi.DictClear", d);
  }
}

void CheckReads(const Dict<Any, Any>& d, const Any& key) {
  bool found = d.count(key) != 0;
  CHECK((Call("ffi.DictCount", d, key).cast<int64_t>() == 1) == found, "DictCount");
  Any value = Call("ffi.DictGetItemOrMissing", d, key);
  if (found) {
    CHECK(AnyEqual()(value, d.at(key)), "DictGetItemOrMissing");
  } else {
    CHECK(value.same_as(Call("ffi.GetInvalidObject")), "no value gives something");
  }
}

template <typename T>
void CheckIteration(const T& map, const char* functor) {
  Function it = Call(functor, map).template cast<Function>();
  size_t n = 0;
  for (const auto& kv : map) {
    CHECK(it(0).same_as(Any(kv.first)) || AnyEqual()(it(0), kv.first), "key %zu", n);
    CHECK(AnyEqual()(it(1), kv.second), "value %zu", n);
    n++;
    CHECK(it(2).template cast<bool>() == (n < map.size()), "entry %zu of %zu", n, map.size());
  }
  CHECK(n == map.size(), "%zu of %zu entries", n, map.size());
}

void DictRound(uint64_t seed) {
  std::mt19937_64 rng(seed);
  int span = 1 << (1 + rng() % 7);
  Keys keys(&rng, span, static_cast<int>(rng() % 8) - 1);
  {
    Dict<Any, Any> twin;
    Dict<Any, Any> d = rng() % 2 ? Dict<Any, Any>() : Call("ffi.Dict").cast<Dict<Any, Any>>();
    int side = static_cast<int>(rng() % 3);  // 0: both in turn, 1: C++ alone, 2: the runtime alone
    for (int step = 0; step < 600; step++) {
      int op = static_cast<int>(rng() % 100);
      if (op == 99 && rng() % 4) op = 0;
      bool native = side == 0 ? rng() % 2 : side == 1;
      if (rng() % 200 == 0) side = static_cast<int>(rng() % 3);
      Any key = keys.Next(), value = rng() % 3 ? Any(static_cast<int64_t>(step)) : keys.Next();
      Change(d, native, op, key, value);
      Change(twin, true, op, key, value);
      if (step % 5 == 0 || d.size() < 10) CheckSameLayout(d, twin);
      CheckReads(d, keys.Next());
    }
    CheckSameLayout(d, twin);
    CheckIteration(d, "ffi.DictForwardIterFunctor");
    // The runtime copies a Dict that is passed instead of a Map to change; the Dict stays as it is.
    Map<Any, Any> m;
    for (const auto& kv : d) m.Set(kv.first, kv.second);
    Call("ffi.DictSetItem", m, 1, 2);
    CheckIteration(m, "ffi.MapForwardIterFunctor");
  }
  keys.CheckReleased();
}

// Only C++ changes Maps, in place when it has the only reference.
void MapRound(uint64_t seed) {
  std::mt19937_64 rng(seed);
  Keys keys(&rng, 1 << (1 + rng() % 6), static_cast<int>(rng() % 8) - 1);
  {
    int n = static_cast<int>(rng() % 40);
    std::vector<Any> pairs;
    Map<Any, Any> twin;
    for (int i = 0; i < n; i++) {
      Any key = keys.Next();
      pairs.push_back(key);
      pairs.push_back(i);
      twin.Set(key, i);
    }
    std::vector<AnyView> views(pairs.begin(), pairs.end());
    Any result;
    Function::GetGlobalRequired("ffi.Map").CallPacked(views.data(), static_cast<int>(views.size()), &result);
    Map<Any, Any> m = std::move(result).cast<Map<Any, Any>>();
    result = Any();
    CheckSameLayout(m, twin);
    for (int step = 0; step < 100; step++) {
      Map<Any, Any> shared;
      if (rng() % 10 == 0) shared = m;
      Any key = keys.Next();
      if (rng() % 3) {
        m.Set(key, step);
        twin.Set(key, step);
      } else {
        m.erase(key);
        twin.erase(key);
      }
      CHECK(Call("ffi.MapCount", m, key).cast<int64_t>() == static_cast<int64_t>(twin.count(key)), "MapCount");
      CHECK(Call("ffi.MapSize", m).cast<size_t>() == twin.size(), "MapSize");
    }
    CheckIteration(m, "ffi.MapForwardIterFunctor");
    CHECK(m.size() == twin.size(), "%zu and %zu entries", m.size(), twin.size());
    for (const auto& kv : twin) CHECK(AnyEqual()(Call("ffi.MapGetItem", m, kv.first), kv.second), "MapGetItem");
  }
  keys.CheckReleased();
}

}  // namespace

void TestMaps(uint64_t rounds) {
  for (uint64_t seed = 0; seed < rounds; seed++) {
    DictRound(seed);
    MapRound(seed);
  }
}

}  // namespace cross
