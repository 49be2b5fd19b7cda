// Single cases: messages, conversions, iteration while the container changes.
#include "support.h"

namespace cross {
namespace {

template <typename F>
void Expect(const char* kind, const char* message, F f) {
  try {
    f();
    CHECK(false, "no %s", kind);
  } catch (const Error& e) {
    CHECK(e.kind() == kind && e.message() == message, "got %s: %s", e.kind().c_str(), e.message().c_str());
  }
}

void Messages() {
  List<Any> l{1, 2, 3};
  Map<Any, Any> m{{"a", 1}};
  Dict<Any, Any> d{{"a", 1}};
  Expect("IndexError", "Index 3 out of bounds 3", [&] { Call("ffi.ListGetItem", l, 3); });
  Expect("IndexError", "Index -1 out of bounds 3", [&] { Call("ffi.ListPop", l, -1); });
  Expect("IndexError", "Index 9 out of bounds 3", [&] { Call("ffi.ListErase", l, 9); });
  Expect("IndexError", "Index 3 out of bounds 3", [&] { Call("ffi.ListSetItem", l, 3, 1); });
  Expect("IndexError", "Index 5 out of bounds [0, 3]", [&] { Call("ffi.ListInsert", l, 5, 1); });
  Expect("IndexError", "Erase range [2, 1) out of bounds 3", [&] { Call("ffi.ListEraseRange", l, 2, 1); });
  Expect("IndexError", "Erase range [2, 1) out of bounds 3", [&] { Call("ffi.ListReplaceSlice", l, 2, 1, l); });
  Expect("IndexError", "Index 5 out of bounds [0, 3]", [&] { Call("ffi.ListReplaceSlice", l, 5, 5, l); });
  Expect("KeyError", "key is not in Map", [&] { Call("ffi.MapGetItem", m, "b"); });
  Expect("KeyError", "key is not in Map", [&] { Call("ffi.DictGetItem", d, "b"); });
  Expect("InternalError", "Check failed: args.size() % 2 == 0 (1 vs. 0) : ", [&] { Call("ffi.Map", 1); });
  Expect("ValueError", "Expect shape to take list of int arguments", [&] { Call("ffi.Shape", 1, 2.0); });
  Expect("TypeError",
         "Mismatched type on argument #0 when calling: `ffi.MapGetItem(0: ffi.Map, 1: Any) -> Any`. Expected `ffi.Map` "
         "but got `ffi.Dict`",
         [&] { Call("ffi.MapGetItem", d, "b"); });
  Expect("TypeError",
         "Mismatched type on argument #0 when calling: `ffi.DictSetItem(0: Dict<Any, Any>, 1: Any, 2: Any) -> void`. "
         "Expected `Dict<Any, Any>` but got `ffi.List`",
         [&] { Call("ffi.DictSetItem", l, 1, 2); });
  Expect("TypeError",
         "Mismatched number of arguments when calling: `ffi.ListAppend(0: List<Any>, 1: Any) -> void`. Expected 2 but "
         "got 1 arguments",
         [&] { Call("ffi.ListAppend", l); });
  Function it = Call("ffi.MapForwardIterFunctor", m).cast<Function>();
  Expect("TypeError",
         "Mismatched type on argument #0 when calling: `(0: int) -> Any`. Expected `int` but got `ffi.SmallStr`",
         [&] { it(String("x")); });
  Expect("TypeError", "Mismatched number of arguments when calling: `(0: int) -> Any`. Expected 1 but got 0 arguments",
         [&] { it(); });
  Call("ffi.ListEraseRange", l, 9, 9);
  Call("ffi.ListReplaceSlice", l, 9, 9, List<Any>());
  Call("ffi.ListReserve", l, -1);
  CHECK(l.size() == 3, "size %zu", l.size());
}

void Conversions() {
  // An Array instead of a List, or a Map instead of a Dict, is copied, and the copy is changed.
  Array<Any> a{1, 2};
  Call("ffi.ListAppend", a, 3);
  CHECK(Call("ffi.ListPop", a, 0).cast<int>() == 1 && a.size() == 2, "size %zu", a.size());
  Map<Any, Any> m{{1, 2}};
  Call("ffi.DictSetItem", m, 3, 4);
  Call("ffi.DictErase", m, 1);
  Call("ffi.DictClear", m);
  CHECK(m.size() == 1, "size %zu", m.size());
  // A list put into itself.
  List<Any> l{1, 2, 3};
  Call("ffi.ListReplaceSlice", l, 1, 2, l);
  std::vector<int> want{1, 1, 2, 3, 3};
  CHECK(l.size() == want.size(), "size %zu", l.size());
  for (size_t i = 0; i < want.size(); i++) CHECK(l[i].cast<int>() == want[i], "element %zu", i);
  // Borrowed forms of strings and bytes become owned, and find owned ones.
  Dict<Any, Any> d = Call("ffi.Dict").cast<Dict<Any, Any>>();
  char text[] = "a key that is too long to be small";
  Call("ffi.DictSetItem", d, static_cast<const char*>(text), 1);
  text[0] = 'b';
  CHECK(d.count(String("a key that is too long to be small")) == 1, "owned key");
  CHECK(Call("ffi.DictCount", d, "a key that is too long to be small").cast<int>() == 1, "borrowed key");
  Shape s = Call("ffi.Shape", 1, true, 3).cast<Shape>();
  CHECK(s.size() == 3 && s[0] == 1 && s[1] == 1 && s[2] == 3, "shape");
  CHECK(Call("ffi.Shape").cast<Shape>().size() == 0, "empty shape");
}

void IterationAndChange() {
  const char* changed = "Dict changed during iteration";
  for (int n : {3, 40}) {
    Function it;
    {
      Dict<Any, Any> d = Call("ffi.Dict").cast<Dict<Any, Any>>();
      for (int i = 0; i < n; i++) d.Set(i, i);
      it = Call("ffi.DictForwardIterFunctor", d).cast<Function>();
      // New values are no change; each entry is given once, though some have moved.
      int seen = 0;
      do {
        Any key = it(0);
        d.Set(key, key.cast<int>() + 100);
        CHECK(it(1).cast<int>() == key.cast<int>() + 100, "value");
        seen++;
      } while (it(2).cast<bool>());
      CHECK(seen == n, "%d of %d entries", seen, n);
      Expect("IndexError", "the iteration is at its end: there is no entry", [&] { it(0); });
      CHECK(!it(2).cast<bool>(), "after the end");
      it = Call("ffi.DictForwardIterFunctor", d).cast<Function>();
      d.Set(1000, 0);
      Expect("RuntimeError", changed, [&] { it(0); });
      Expect("RuntimeError", changed, [&] { it(2); });
      it = Call("ffi.DictForwardIterFunctor", d).cast<Function>();
      Any first = it(0);
      d.erase(first);
      d.Set(2000, 0);
      Expect("RuntimeError", changed, [&] { it(1); });
      it = Call("ffi.DictForwardIterFunctor", d).cast<Function>();
      d.clear();
      Expect("RuntimeError", changed, [&] { it(2); });
      d.Set(1, 2);
      it = Call("ffi.DictForwardIterFunctor", d).cast<Function>();
    }
    // Only the functor retains the container.
    CHECK(it(0).cast<int>() == 1 && it(1).cast<int>() == 2 && !it(2).cast<bool>(), "kept container");
  }
}

struct FailingKeyObj : public Object {
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("cross.FailingKey", FailingKeyObj, Object);
};

int64_t FailingHash(const Any& key) {
  if (key.type_index() != 0) TVM_FFI_THROW(ValueError) << "no hash today";
  return 0;
}

// Hooks as they were before 0.1.15: they return an integer and a bool.
struct OldKeyObj : public Object {
  int64_t value;
  explicit OldKeyObj(int64_t v) : value(v) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("cross.OldKey", OldKeyObj, Object);
};

int64_t OldHash(const Any* key) { return As<OldKeyObj>(*key)->value % 3 + 1000; }
bool OldEqual(const Any* a, const Any* b) { return As<OldKeyObj>(*a)->value == As<OldKeyObj>(*b)->value; }

void Hooks() {
  namespace refl = reflection;
  refl::ObjectDef<FailingKeyObj>().def_type_attr(
      "__any_hash__", refl::NativeFunctionView<int64_t(const Any&)>::FromNative<&FailingHash>());
  Dict<Any, Any> d = Call("ffi.Dict").cast<Dict<Any, Any>>();
  for (int i = 0; i < 10; i++) d.Set(i, i);
  ObjectRef key(make_object<FailingKeyObj>());
  Expect("ValueError", "no hash today", [&] { Call("ffi.DictSetItem", d, key, 1); });
  Expect("ValueError", "no hash today", [&] { Call("ffi.DictGetItem", d, key); });
  CHECK(d.size() == 10 && key.use_count() == 1, "a failure left traces");

  refl::ObjectDef<OldKeyObj>()
      .def_type_attr("__any_hash__", reinterpret_cast<void*>(&OldHash))
      .def_type_attr("__any_equal__", reinterpret_cast<void*>(&OldEqual));
  d = Call("ffi.Dict").cast<Dict<Any, Any>>();
  for (int i = 0; i < 40; i++) Call("ffi.DictSetItem", d, ObjectRef(make_object<OldKeyObj>(i % 20)), i);
  CHECK(d.size() == 20, "%zu entries", d.size());
  CHECK(Call("ffi.DictGetItem", d, ObjectRef(make_object<OldKeyObj>(7))).cast<int>() == 27, "old hook");
}

void Devices() {
  DLDevice cpu{kDLCPU, 0};
  List<Any> inner{1, "x"};
  inner.push_back(inner);  // contains itself
  Dict<Any, Any> d{{"k", inner}};
  CHECK(Call("ffi.ContainerFindFirstNonCPUDevice", d).cast<DLDevice>().device_type == cpu.device_type, "no tensor");
  inner.clear();
}

// ---- out of memory ------------------------------------------------------------------------------------------

TVMFFICustomAllocator* usual;
int64_t allowed = -1;  // allocations until all fail; -1: none fails

void* MayFail(size_t size, size_t alignment, int32_t type_index, void*) {
  // This allocator fails for errors too; the runtime has a preallocated one.
  if (allowed == 0) return nullptr;
  if (allowed > 0) allowed--;
  return usual->allocate(size, alignment, type_index, usual->context);
}

// Runs `f` with its first allocation failing, then its second, and so on, until it succeeds. Before each failure and
// after it, all live objects are the same.
template <typename F>
void FailEach(const char* what, F f) {
  int failed = 0;
  for (int64_t n = 0; n < 100; n++) {
    std::vector<int64_t> before = Live();
    allowed = n;
    try {
      f();
      allowed = -1;
      CHECK(failed > 0, "%s allocates nothing", what);
      return;
    } catch (const Error& e) {
      allowed = -1;
      CHECK(e.kind() == "MemoryError", "%s: %s", what, e.message().c_str());
      failed++;
    }
    std::vector<int64_t> after = Live();
    for (size_t i = 0; i + 1 < before.size(); i++)
      CHECK(before[i] == after[i], "%s, failure %ld: count %zu", what, n, i);
  }
  CHECK(false, "%s never succeeds", what);
}

void OutOfMemory() {
  static TVMFFICustomAllocator failing = {MayFail, nullptr};
  usual = TVMFFIGetCustomAllocator();
  for (const char* name : {"ffi.Map", "ffi.Dict", "ffi.List", "ffi.Array", "ffi.Shape", "ffi.MapForwardIterFunctor",
                           "ffi.DictSetItem", "ffi.ListInsert", "ffi.DictErase", "ffi.ListAppend"}) {
    Call("ffi.GetGlobalFuncMetadata", name);
    Function::GetGlobalRequired(name);
  }
  auto function = [](const char* name) { return Function::GetGlobalRequired(name); };
  Function map = function("ffi.Map"), dict = function("ffi.Dict"), list = function("ffi.List"),
           array = function("ffi.Array"), shape = function("ffi.Shape"), walk = function("ffi.MapForwardIterFunctor"),
           set = function("ffi.DictSetItem"), insert = function("ffi.ListInsert"), erase = function("ffi.DictErase"),
           append = function("ffi.ListAppend");
  const char *a = "the first of the long keys", *b = "the second of the long keys", *c = "the third of the long keys";
  Map<Any, Any> m = map(1, 2).cast<Map<Any, Any>>();
  Dict<Any, Any> d = dict(1, 2).cast<Dict<Any, Any>>();
  List<Any> l = list(1, 2, 3).cast<List<Any>>();
  TVMFFISetCustomAllocator(&failing);
  FailEach("Map", [&] { map(a, b, c, a, b, c, 7, a, 8, b, 9, c); });
  FailEach("Dict", [&] { dict(a, b, c, a, b, c, 7, a, 8, b, 9, c); });
  FailEach("List", [&] { list(a, b, c, 1); });
  FailEach("Array", [&] { array(a, b, c, 1); });
  FailEach("Shape", [&] { shape(1, 2, 3); });
  FailEach("iterator", [&] { walk(m); });
  FailEach("insert", [&] { insert(l, 1, a); });
  FailEach("append", [&] { append(l, b); });
  FailEach("erase from a copy", [&] { erase(m, a); });
  for (int i = 0; i < 40; i++) {
    std::string key = "key that is long enough for the heap " + std::to_string(i);
    Dict<Any, Any> before;
    for (const auto& kv : d) before.Set(kv.first, kv.second);
    FailEach("set", [&] { set(d, key.c_str(), a); });
    CHECK(d.size() == before.size() + 1, "%zu entries", d.size());
    d.erase(String(key));
    for (const auto& kv : before) CHECK(AnyEqual()(d.at(kv.first), kv.second), "an entry was lost");
    d.Set(String(key), i);
  }
  TVMFFISetCustomAllocator(nullptr);
  CHECK(l.size() == 4 || l.size() == 5, "%zu elements", l.size());
  // Buffers come from malloc: ask for more than there is.
  for (int64_t n : {INT64_MAX, INT64_MAX / 16, int64_t{1} << 46}) {
    try {
      Call("ffi.ListReserve", l, n);
      CHECK(false, "%ld elements have room", n);
    } catch (const Error& e) {
      CHECK(e.kind() == "MemoryError", "%s: %s", e.kind().c_str(), e.message().c_str());
    }
  }
}

}  // namespace

// True for the published library too.
void TestMessages() {
  Messages();
  Conversions();
}

void TestEdges() {
  Messages();
  Conversions();
  IterationAndChange();
  Hooks();
  Devices();
  OutOfMemory();
}

}  // namespace cross

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "messages") == 0) {
    cross::TestMessages();
    return cross::failures != 0;
  }
  if (argc > 1 && std::strcmp(argv[1], "report") == 0) {
    cross::RegisterKeys();
    cross::Report();
    return 0;
  }
  uint64_t rounds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100;
  cross::RegisterKeys();
  cross::TestMaps(5);  // objects that are made once are made now
  cross::TestLists(5);
  cross::TestEdges();
  std::vector<int64_t> before = cross::Live();
  cross::TestMaps(rounds);
  cross::TestLists(rounds);
  std::vector<int64_t> after = cross::Live();
  for (size_t i = 0; i < before.size(); i++)
    CHECK(before[i] == after[i], "count %zu: %ld, then %ld objects", i, before[i], after[i]);
  return cross::failures != 0;
}
