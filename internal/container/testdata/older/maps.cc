// Maps and Arrays with the headers of older versions of the ABI, back to 0.1.0: changed by their code, read by the
// runtime, and made by the runtime.
#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tuple.h>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>
using namespace tvm::ffi;
#define CHECK(condition)                                                \
  do {                                                                  \
    if (!(condition)) {                                                 \
      std::printf("line %d: %s does not hold\n", __LINE__, #condition); \
      std::exit(1);                                                     \
    }                                                                   \
  } while (0)
static Function Get(const char* name) { return Function::GetGlobalRequired(name); }

static Map<Any, Any> MadeByTheRuntime(std::mt19937_64* rng) {
  std::vector<Any> pairs;
  for (int i = 0, n = static_cast<int>((*rng)() % 30); i < n; i++) {
    pairs.push_back(Any(static_cast<int64_t>((*rng)() % 50)));
    pairs.push_back(Any(String("v" + std::to_string(i))));
  }
  std::vector<AnyView> views(pairs.begin(), pairs.end());
  Any result;
  Get("ffi.Map").CallPacked(views.data(), static_cast<int>(views.size()), &result);
  return result.cast<Map<Any, Any>>();
}

static void MapRound(uint64_t seed) {
  Function size = Get("ffi.MapSize"), get = Get("ffi.MapGetItem"), count = Get("ffi.MapCount"),
           walk = Get("ffi.MapForwardIterFunctor");
  std::mt19937_64 rng(seed);
  Map<Any, Any> m;
  if (seed % 2) m = MadeByTheRuntime(&rng);
  for (int step = 0; step < 300; step++) {
    Any key = rng() % 2 ? Any(static_cast<int64_t>(rng() % 100))
                        : Any(String("a key that is long " + std::to_string(rng() % 60)));
    Map<Any, Any> held;
    if (rng() % 20 == 0) held = m;
    if (rng() % 3) {
      m.Set(key, step);
    } else {
      m.erase(key);
    }
    CHECK(size(m).cast<int64_t>() == static_cast<int64_t>(m.size()));
    CHECK(count(m, key).cast<int64_t>() == static_cast<int64_t>(m.count(key)));
    if (m.count(key)) CHECK(get(m, key).cast<int>() == step);
  }
  if (m.empty()) return;
  Function iterator = walk(m).cast<Function>();
  size_t n = 0;
  for (auto entry : m) {
    CHECK(AnyEqual()(Any(iterator(0)), entry.first));
    n++;
    CHECK(iterator(2).cast<bool>() == (n < m.size()));
  }
}

static void ArrayRound() {
  Function get = Get("ffi.ArrayGetItem");
  Array<Any> a = Get("ffi.Array")(1, "a long string that is long", 2.5).cast<Array<Any>>();
  for (int i = 0; i < 50; i++) {
    a.push_back(i);
    CHECK(get(a, 3 + i).cast<int>() == i);
  }
  a.erase(a.begin());
  a.insert(a.begin(), 7);
  a.Set(1, "x");
  CHECK(a.size() == 53);
}

int main() {
  for (uint64_t seed = 0; seed < 300; seed++) MapRound(seed);
  for (int i = 0; i < 100; i++) ArrayRound();
  return 0;
}
