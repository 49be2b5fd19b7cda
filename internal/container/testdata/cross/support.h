// Shared by the cross-implementation tests: the runtime's functions, checks, random keys, views of raw layouts.
#pragma once

#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

extern "C" int64_t SelfsameLiveObjects(int32_t type_index) __attribute__((weak));

namespace cross {

using namespace tvm::ffi;

inline int failures = 0;

#define CHECK(cond, ...)                                                            \
  do {                                                                              \
    if (!(cond)) {                                                                  \
      std::fprintf(stderr, "%s:%d: %s does not hold: ", __FILE__, __LINE__, #cond); \
      std::fprintf(stderr, __VA_ARGS__);                                            \
      std::fputc('\n', stderr);                                                     \
      if (++cross::failures > 20) std::exit(1);                                     \
    }                                                                               \
  } while (0)

// Calls a function of the runtime.
template <typename... Args>
Any Call(const char* name, Args&&... args) {
  static std::unordered_map<std::string, Function> known;
  Function& f = known[name];
  if (f == nullptr) f = Function::GetGlobalRequired(name);
  return f(std::forward<Args>(args)...);
}

// Classes with hooks that hash and compare the content: as C functions, and as Functions.
struct NativeKeyObj : public Object {
  int64_t value;
  explicit NativeKeyObj(int64_t v) : value(v) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("cross.NativeKey", NativeKeyObj, Object);
};

struct FunctionKeyObj : public Object {
  int64_t value;
  explicit FunctionKeyObj(int64_t v) : value(v) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("cross.FunctionKey", FunctionKeyObj, Object);
};

struct PlainKeyObj : public Object {
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("cross.PlainKey", PlainKeyObj, Object);
};

template <typename T>
const T* As(const Any& a) {
  return static_cast<const T*>(a.as<Object>());
}

inline int64_t HashNative(const Any& a) { return As<NativeKeyObj>(a)->value % 7; }
inline bool EqualNative(const Any& a, const Any& b) { return As<NativeKeyObj>(a)->value == As<NativeKeyObj>(b)->value; }

inline void RegisterKeys() {
  namespace refl = reflection;
  refl::ObjectDef<NativeKeyObj>()
      .def_type_attr("__any_hash__", refl::NativeFunctionView<int64_t(const Any&)>::FromNative<&HashNative>())
      .def_type_attr("__any_equal__",
                     refl::NativeFunctionView<bool(const Any&, const Any&)>::FromNative<&EqualNative>());
  refl::ObjectDef<FunctionKeyObj>()
      .def_type_attr("__any_hash__", [](const FunctionKeyObj* k) -> int64_t { return k->value % 5; })
      .def_type_attr("__any_equal__",
                     [](const FunctionKeyObj* a, const FunctionKeyObj* b) -> bool { return a->value == b->value; });
  refl::ObjectDef<PlainKeyObj>();
}

// Keys of all kinds; equal ones are different objects and have different representations.
class Keys {
 public:
  Keys(std::mt19937_64* rng, int span, int sort) : rng_(rng), span_(span), sort_(sort) {
    for (int i = 0; i < span; i++) plain_.push_back(ObjectRef(make_object<PlainKeyObj>()));
  }

  Any Next() {
    int64_t n = static_cast<int64_t>((*rng_)() % span_);
    switch (sort_ < 0 ? static_cast<int>((*rng_)() % 7) : sort_) {
      case 0:
        return Any(n - span_ / 2);
      case 1:
        return Any(n / 4.0);
      case 2:
        return Any(String(std::to_string(n)));
      case 3:
        return Any(String("a string too long to be small " + std::to_string(n)));
      case 4:
        return Any(ObjectRef(make_object<NativeKeyObj>(n)));
      case 5:
        return Any(ObjectRef(make_object<FunctionKeyObj>(n)));
      default:
        return Any(plain_[n]);
    }
  }

  // The objects that are keys by address; at the end this has the only references.
  void CheckReleased() const {
    for (const ObjectRef& p : plain_) CHECK(p.use_count() == 1, "%d references", static_cast<int>(p.use_count()));
  }

 private:
  std::mt19937_64* rng_;
  int span_, sort_;
  std::vector<ObjectRef> plain_;
};

// The cell of a Map or Dict.
struct Cell {
  char* data;
  uint64_t size;
  uint64_t slots;
  void (*data_deleter)(void*);
  uint32_t shift;
  uint64_t head, tail;
};

struct Item {
  TVMFFIAny key, value;
  uint64_t prev, next;
};

inline const Cell* CellOf(const ObjectRef& map) {
  return reinterpret_cast<const Cell*>(reinterpret_cast<const char*>(map.get()) + 24);
}

inline bool SameBits(const TVMFFIAny& a, const TVMFFIAny& b) {
  return a.type_index == b.type_index && a.zero_padding == b.zero_padding && a.v_uint64 == b.v_uint64;
}

// Fails unless two maps have the same bytes, apart from addresses.
inline void CheckSameLayout(const ObjectRef& a, const ObjectRef& b) {
  const Cell *x = CellOf(a), *y = CellOf(b);
  CHECK(x->slots == y->slots && x->size == y->size, "slots %lx and %lx, sizes %lu and %lu", x->slots, y->slots, x->size,
        y->size);
  if (x->slots != y->slots || x->size != y->size) return;
  if (x->slots >> 63) {
    const TVMFFIAny *p = reinterpret_cast<TVMFFIAny*>(x->data), *q = reinterpret_cast<TVMFFIAny*>(y->data);
    for (uint64_t i = 0; i < 2 * x->size; i++) CHECK(SameBits(p[i], q[i]), "cell %lu", i);
    return;
  }
  CHECK(x->shift == y->shift && x->head == y->head && x->tail == y->tail, "shift, head or tail");
  for (uint64_t slot = 0; slot < (x->slots + 15) / 16 * 16; slot++) {
    const char *bx = x->data + slot / 16 * 784, *by = y->data + slot / 16 * 784;
    uint8_t state = static_cast<uint8_t>(bx[slot % 16]);
    CHECK(state == static_cast<uint8_t>(by[slot % 16]), "slot %lu of %lu: state %x and %x", slot, x->slots, state,
          static_cast<uint8_t>(by[slot % 16]));
    if (state >= 0xfe || state != static_cast<uint8_t>(by[slot % 16])) continue;
    const Item* p = reinterpret_cast<const Item*>(bx + 16) + slot % 16;
    const Item* q = reinterpret_cast<const Item*>(by + 16) + slot % 16;
    CHECK(SameBits(p->key, q->key) && SameBits(p->value, q->value), "slot %lu", slot);
    CHECK(p->prev == q->prev && p->next == q->next, "slot %lu: links", slot);
  }
}

// Live objects of the types that these tests make, in libselfsame's count.
inline std::vector<int64_t> Live() {
  std::vector<int64_t> counts;
  for (int32_t t :
       {TypeIndex::kTVMFFIStr, TypeIndex::kTVMFFIArray, TypeIndex::kTVMFFIMap, TypeIndex::kTVMFFIDict,
        TypeIndex::kTVMFFIList, TypeIndex::kTVMFFIShape, TypeIndex::kTVMFFIFunction, TypeIndex::kTVMFFIError}) {
    counts.push_back(SelfsameLiveObjects(t));
  }
  return counts;
}

void TestMaps(uint64_t rounds);
void TestLists(uint64_t rounds);
void TestEdges();
void TestMessages();
void Report();

}  // namespace cross
