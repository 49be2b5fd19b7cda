// The values that these programs work on, and functions that format results.
#ifndef GRAPHS_VALUES_H_
#define GRAPHS_VALUES_H_

#include <cstdio>

#include "classes.h"

using namespace graphs;

static Any call(const char* name, std::initializer_list<Any> args) {
  Function f = Function::GetGlobalRequired(name);
  std::vector<AnyView> views(args.begin(), args.end());
  Any result;
  f.CallPacked(views.data(), static_cast<int32_t>(views.size()), &result);
  return result;
}

// Result or error of an operation, as text.
template <typename F>
static std::string outcome(F f) {
  try {
    Any v = f();
    if (v.type_index() == TypeIndex::kTVMFFIBool) return v.cast<bool>() ? "true" : "false";
    if (auto i = v.as<int64_t>()) return std::to_string(*i);
    if (auto s = v.as<String>()) return std::string(*s);
    return std::string(call("ffi.ReprPrint", {v}).cast<String>());
  } catch (const Error& e) {
    std::string message = e.message();
    return e.kind() + ": " + message.substr(message.rfind('\n') + 1);
  }
}

static ObjectRef leaf(int64_t number, double real, String text, Any any) {
  auto p = make_object<LeafObj>();
  p->number = number;
  p->real = real;
  p->text = text;
  p->any = any;
  return ObjectRef(p);
}

static ObjectRef pair(Any left, Any right) {
  auto p = make_object<PairObj>();
  p->left = left;
  p->right = right;
  return ObjectRef(p);
}

static std::vector<std::pair<std::string, Any>> values() {
  std::vector<std::pair<std::string, Any>> out;
  auto add = [&](std::string name, Any v) { out.emplace_back(name, v); };
  ObjectRef x = Ref<VarObj>::Make(String("x")), y = Ref<VarObj>::Make(String("y"));
  double nan = std::numeric_limits<double>::quiet_NaN();
  add("none", nullptr);
  add("0", 0);
  add("1", 1);
  add("-1", -1);
  add("true", true);
  add("0.0", 0.0);
  add("-0.0", -0.0);
  add("1.5", 1.5);
  add("nan", nan);
  add("-nan", -nan);
  add("abc", String("abc"));
  add("long", String("a string that is long"));
  add("bytes", Bytes("a longer sequence of bytes", 26));
  add("dtype", DLDataType{2, 32, 1});
  add("device", DLDevice{kDLCPU, 1});
  add("shape", Shape({1, 2, 3}));
  add("[]", Array<Any>());
  add("[1,2]", Array<Any>({1, 2}));
  add("[1,2,3]", Array<Any>({1, 2, 3}));
  add("[1,[2,'a']]", Array<Any>({1, Array<Any>({2, "a"})}));
  add("[1,[2,'b']]", Array<Any>({1, Array<Any>({2, "b"})}));
  add("list[1,2]", List<Any>({1, 2}));
  add("{}", Map<Any, Any>());
  add("{a:1,b:[2]}", Map<Any, Any>({{"a", 1}, {"b", Array<Any>({2})}}));
  add("{b:[2],a:1}", Map<Any, Any>({{"b", Array<Any>({2})}, {"a", 1}}));
  add("{a:1,b:[3]}", Map<Any, Any>({{"a", 1}, {"b", Array<Any>({3})}}));
  add("{a:1}", Map<Any, Any>({{"a", 1}}));
  add("dict{a:1}", Dict<Any, Any>({{"a", 1}}));
  Map<Any, Any> big;
  for (int i = 0; i < 20; i++) big.Set(i * 7, Array<Any>({i, "value"}));
  add("big map", big);
  add("leaf 1", leaf(1, 2.5, "text", nullptr));
  add("leaf 1 again", leaf(1, 2.5, "text", nullptr));
  add("leaf 2", leaf(2, 2.5, "text that is longer", Array<Any>({1})));
  add("pair", pair(leaf(1, 2.5, "text", nullptr), 5));
  add("pair again", pair(leaf(1, 2.5, "text", nullptr), 5));
  add("pair other", pair(leaf(1, 2.5, "text", 4), 5));
  ObjectRef shared = leaf(7, 0, "shared", nullptr);
  add("pair shared", pair(shared, shared));
  add("pair unshared", pair(leaf(7, 0, "shared", nullptr), leaf(7, 0, "shared", nullptr)));
  auto func = [&](Array<Any> params, Array<Any> body, Any comment) {
    return Ref<FuncObj>::Make(params, body, comment);
  };
  add("x->x", func({x}, {x, 1}, "a"));
  add("y->y", func({y}, {y, 1}, "b"));
  add("x->y", func({x}, {y, 1}, nullptr));
  add("x,y->x", func({x, y}, {x}, nullptr));
  add("x,y->y", func({x, y}, {y}, nullptr));
  add("{x:1} by var", func({x}, {Map<Any, Any>({{x, 1}})}, nullptr));
  add("{y:1} by var", func({y}, {Map<Any, Any>({{y, 1}})}, nullptr));
  ObjectRef d1 = Ref<DagObj>::Make(Any(1)), d2 = Ref<DagObj>::Make(Any(1));
  add("dag shared", Array<Any>({d1, d1}));
  add("dag unshared", Array<Any>({d1, d2}));
  add("dag shared 2", Array<Any>({d2, d2}));
  add("dag nested", Ref<DagObj>::Make(Any(Array<Any>({d1, d1}))));
  add("hooked 1", Ref<HookedObj>::Make(Any(Array<Any>({1}))));
  add("hooked 1 again", Ref<HookedObj>::Make(Any(Array<Any>({1}))));
  add("hooked 2", Ref<HookedObj>::Make(Any(Array<Any>({2}))));
  add("hidden", Ref<HiddenObj>::Make());
  auto other = make_object<HiddenObj>();
  other->ignored = 50;
  add("hidden, ignored differs", ObjectRef(other));
  other = make_object<HiddenObj>();
  other->no_compare = 30;
  add("hidden, no_compare differs", ObjectRef(other));
  add("plain", Ref<PlainObj>::Make(int64_t(1)));
  add("function", Function::FromTyped([]() { return 1; }));
  add("path", refl::AccessPath::Root()
                  ->Attr("f")
                  ->ArrayItem(3)
                  ->MapItem("k")
                  ->AttrMissing("m")
                  ->ArrayItemMissing(1)
                  ->MapItemMissing(2));
  add("null pointer", static_cast<void*>(nullptr));
  add("pointer", reinterpret_cast<void*>(0x1000));
  return out;
}

#endif  // GRAPHS_VALUES_H_
