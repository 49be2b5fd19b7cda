// A library of unusual names and shapes: words of Go, C++, Rust and Python, names that clash, deep inheritance, classes without
// reflection or constructor, members that no field tells, fields of all sorts, documentation with control characters. Bound for
// each language by scripts/conformance_bindings.sh.
// Requirement: D14

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/extra/stl.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/reflection/overload.h>
#include <tvm/ffi/rvalue_ref.h>
#include <tvm/ffi/string.h>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>
namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;
namespace {

#define ODD_REF(Name, Parent)                                            \
  class Name : public Parent {                                           \
   public:                                                               \
    TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Name, Parent, Name##Obj); \
  };

class BaseObj : public ffi::Object {
 public:
  int64_t n = 7;
  int32_t small = 3;
  bool flag = true;
  ffi::String text = "base text that is long";
  ffi::Any anything = 5;
  ffi::List<int64_t> numbers;
  ffi::Map<ffi::String, int64_t> counts;
  ffi::Optional<ffi::String> note;
  ffi::Optional<int64_t> maybe;
  ffi::ObjectRef next;
  float ratio = 0.5f;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("odd.Base", BaseObj, ffi::Object);
};
ODD_REF(Base, ffi::ObjectRef)
// Deep.
#define LEVEL(N, P)                                              \
  class N##Obj : public P##Obj {                                 \
   public:                                                       \
    int64_t at_##N = 1;                                          \
    static constexpr bool _type_mutable = true;                  \
    TVM_FFI_DECLARE_OBJECT_INFO("odd.deep." #N, N##Obj, P##Obj); \
  };                                                             \
  ODD_REF(N, P)
LEVEL(L1, Base)
LEVEL(L2, L1)
LEVEL(L3, L2)
LEVEL(L4, L3)
LEVEL(L5, L4)
LEVEL(L6, L5)
LEVEL(L7, L6)
LEVEL(L8, L7)
LEVEL(L9, L8)
// A hidden member.
class HiddenObj : public ffi::Object {
 public:
  static constexpr bool _type_mutable = true;
  int64_t seen = 1;
  std::string unseen = "a text that is not in the object itself, because it is long";
  TVM_FFI_DECLARE_OBJECT_INFO("odd.Hidden", HiddenObj, ffi::Object);
};
ODD_REF(Hidden, ffi::ObjectRef)
class StdObj : public ffi::Object {
 public:
  static constexpr bool _type_mutable = true;
  std::vector<int64_t> numbers;
  TVM_FFI_DECLARE_OBJECT_INFO("odd.Std", StdObj, ffi::Object);
};
ODD_REF(Std, ffi::ObjectRef)
// A parent without reflection.
class SilentObj : public ffi::Object {
 public:
  static constexpr bool _type_mutable = true;
  int64_t x = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("odd.Silent", SilentObj, ffi::Object);
};
ODD_REF(Silent, ffi::ObjectRef)
class LoudObj : public SilentObj {
 public:
  static constexpr bool _type_mutable = true;
  int64_t y = 2;
  TVM_FFI_DECLARE_OBJECT_INFO("odd.Loud", LoudObj, SilentObj);
};
ODD_REF(Loud, Silent)
class LastObj : public ffi::Object {
 public:
  static constexpr bool _type_mutable = true;
  int64_t x = 1;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("odd.Last", LastObj, ffi::Object);
};
ODD_REF(Last, ffi::ObjectRef)
// No constructor, statics alone; names of Go.
class typeObj : public ffi::Object {
 public:
  static constexpr bool _type_mutable = true;
  int64_t func = 1;
  int64_t range_ = 2;
  TVM_FFI_DECLARE_OBJECT_INFO("odd.type", typeObj, ffi::Object);
};
ODD_REF(type, ffi::ObjectRef)
class MapObj_ : public ffi::Object {
 public:
  static constexpr bool _type_mutable = true;
  int64_t map = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("odd.Map", MapObj_, ffi::Object);
};
class Map_ : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Map_, ffi::ObjectRef, MapObj_);
};
// Same last part in other namespaces.
class SameAObj : public ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("odd.a.Same", SameAObj, ffi::Object);
};
ODD_REF(SameA, ffi::ObjectRef)
class SameBObj : public ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("odd.a_Same", SameBObj, ffi::Object);
};
ODD_REF(SameB, ffi::ObjectRef)
class Same3Obj : public ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("odd.ASame", Same3Obj, ffi::Object);
};
ODD_REF(Same3, ffi::ObjectRef)
// Fields of all sorts.
class BagObj : public ffi::Object {
 public:
  static constexpr bool _type_mutable = true;
  ffi::Function call;
  ffi::Optional<ffi::Function> maybe_call;
  ffi::TypedFunction<int64_t(int64_t, ffi::String)> typed;
  ffi::Tensor tensor{ffi::UnsafeInit{}};
  ffi::Optional<ffi::Tensor> maybe_tensor;
  ffi::Optional<ffi::Module> module_;
  ffi::Shape shape;
  DLDataType dtype{kDLFloat, 32, 1};
  DLDevice device{kDLCPU, 0};
  ffi::Variant<int64_t, ffi::String, Base> either{int64_t(1)};
  ffi::Array<ffi::Map<ffi::String, ffi::Array<ffi::Optional<Base>>>> deep;
  ffi::Tuple<int64_t, ffi::String> pair{1, "x"};
  ffi::Dict<ffi::String, ffi::Any> dict;
  ffi::Bytes bytes = ffi::Bytes("ab", 2);
  void* raw = nullptr;
  std::string cpp_text = "cpp";
  std::vector<std::string> texts{"a"};
  TVM_FFI_DECLARE_OBJECT_INFO("odd.Bag", BagObj, ffi::Object);
};
ODD_REF(Bag, ffi::ObjectRef)
// Class and namespace of one name: odd.Node and odd.Node.Child.
class NodeObj : public ffi::Object {
 public:
  static constexpr bool _type_mutable = true;
  int64_t x = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("odd.Node", NodeObj, ffi::Object);
};
ODD_REF(Node, ffi::ObjectRef)
class ChildObj : public NodeObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("odd.Node.Child", ChildObj, NodeObj);
};
ODD_REF(Child, Node)
// Another prefix; no prefix.
class OtherObj : public ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("other.Thing", OtherObj, ffi::Object);
};
ODD_REF(Other, ffi::ObjectRef)
class BareObj : public ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("Bare", BareObj, ffi::Object);
};
ODD_REF(Bare, ffi::ObjectRef)
// Several methods of one name.
class OverloadedObj : public ffi::Object {
 public:
  int64_t n;
  explicit OverloadedObj(int64_t n) : n(n) {}
  int64_t add(int64_t k) const { return n + k; }
  TVM_FFI_DECLARE_OBJECT_INFO("odd.Overloaded", OverloadedObj, ffi::Object);
};
// Fields that the constructor takes by keyword alone.
class KeyedObj : public ffi::Object {
 public:
  int64_t width = 0;
  ffi::String title;
  int64_t height = 0;
  bool func = false;
  TVM_FFI_DECLARE_OBJECT_INFO("odd.Keyed", KeyedObj, ffi::Object);
};
ODD_REF(Keyed, ffi::ObjectRef)
// An enum as the headers of releases before 0.1.15 register it: a Dict of its members by name.
class PlanetObj : public ffi::EnumObj {
 public:
  PlanetObj(int64_t index, const char* name) : EnumObj(index, name) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("odd.Planet", PlanetObj, ffi::EnumObj);
};
ffi::ObjectRef Planet(int64_t index, const char* name) {
  auto planet = ffi::make_object<PlanetObj>(index, name);
  // Static initialisation has not set the index that make_object takes.
  ffi::detail::ObjectUnsafe::GetHeader(planet.get())->type_index = PlanetObj::_GetOrAllocRuntimeTypeIndex();
  return ffi::ObjectRef(planet);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<BaseObj>(
      "Docs with */ and // and \"\"\" and \\ and `ticks`\nand a \x01 control, \xe2\x80\xa8 a separator, \xff no UTF-8, and //go:embed x\n\n# A heading\n\n\tcode\n")
      .def_rw("n", &BaseObj::n, "//go:noinline")
      .def_ro("small", &BaseObj::small)
      .def_rw("flag", &BaseObj::flag)
      .def_rw("text", &BaseObj::text)
      .def_rw("anything", &BaseObj::anything)
      .def_rw("numbers", &BaseObj::numbers)
      .def_rw("counts", &BaseObj::counts)
      .def_rw("note", &BaseObj::note)
      .def_rw("maybe", &BaseObj::maybe)
      .def_rw("next", &BaseObj::next)
      .def_rw("ratio", &BaseObj::ratio)
      .def("sum", [](const BaseObj* self, int64_t k) { return self->n + k; })
      .def("Sum", [](const BaseObj* self, int64_t k) { return self->n - k; })
      .def("n_", [](const BaseObj* self) { return self->n; })
      .def("set_n", [](const BaseObj* self, int64_t k) { return k; })
      .def("base", [](const BaseObj* self) { return 1; })
      .def("base_object", [](const BaseObj* self) { return 1; })
      .def("get", [](const BaseObj* self) { return 1; })
      .def("As", [](const BaseObj* self) { return 1; })
      .def("type_key", [](const BaseObj* self) { return 1; })
      .def("operator", [](const BaseObj* self) { return 1; })
      .def("class", [](const BaseObj* self) { return 1; })
      .def("self", [](const BaseObj* self) { return 1; })
      .def("Self", [](const BaseObj* self) { return 1; })
      .def("crate", [](const BaseObj* self) { return 1; })
      .def("__len__", [](const BaseObj* self) { return 1; })
      .def("_private", [](const BaseObj* self) { return 1; })
      .def("with space", [](const BaseObj* self) { return 1; })
      .def("d\xc3\xa9j\xc3\xa0", [](const BaseObj* self) { return 1; })
      .def("1st", [](const BaseObj* self) { return 1; })
      .def("-", [](const BaseObj* self) { return 1; })
      .def("+", [](const BaseObj* self) { return 2; })
      .def_static("make",
                  [](int64_t n) {
                    auto b = ffi::make_object<BaseObj>();
                    b->n = n;
                    return Base(b);
                  })
      .def_static("new", [](int64_t n) { return n; })
      .def_static("parse",
                  [](const ffi::String& text) -> ffi::Expected<Base> {
                    if (text.size() == 0) return ffi::Unexpected(ffi::Error("ValueError", "an empty text", ""));
                    auto parsed = ffi::make_object<BaseObj>();
                    parsed->n = static_cast<int64_t>(text.size());
                    return Base(parsed);
                  })
      .def("root",
           [](const BaseObj* self) -> ffi::Expected<int64_t> {
             if (self->n < 0) return ffi::Error("ValueError", "a negative number", "");
             return self->n / 2;
           })
      .def_static("Class", [] { return 1; })
      .def_static("object", [] { return 1; })
      .def_static("grid", [](int64_t n) {
        auto last = ffi::make_object<BaseObj>();
        last->n = n;
        return std::map<std::string, std::vector<std::optional<Base>>>{{"row", {std::nullopt, Base(last)}}};
      });
  refl::ObjectDef<L1Obj>().def_rw("at_L1", &L1Obj::at_L1).def("sum", [](const L1Obj* self) { return self->n; });
  refl::ObjectDef<L2Obj>().def_rw("at_L2", &L2Obj::at_L2);
  refl::ObjectDef<L3Obj>().def_rw("at_L3", &L3Obj::at_L3);
  refl::ObjectDef<L4Obj>();
  refl::ObjectDef<L5Obj>().def_rw("at_L5", &L5Obj::at_L5);
  refl::ObjectDef<L6Obj>();
  refl::ObjectDef<L7Obj>();
  refl::ObjectDef<L8Obj>();
  refl::ObjectDef<L9Obj>().def_rw("at_L9", &L9Obj::at_L9).def("n", [](const L9Obj* self) {
    return ffi::String("hides a field");
  });
  refl::ObjectDef<HiddenObj>().def_rw("seen", &HiddenObj::seen);
  refl::ObjectDef<StdObj>().def_rw("numbers", &StdObj::numbers);
  refl::ObjectDef<LoudObj>().def_rw("y", &LoudObj::y);
  refl::ObjectDef<LastObj>().def_rw("x", &LastObj::x).def("get_x", [](const LastObj* self) { return self->x; });
  refl::ObjectDef<typeObj>(refl::init(false))
      .def_rw("func", &typeObj::func)
      .def_rw("range", &typeObj::range_)
      .def_static("go", [] { return 1; })
      .def_static("select", [](int64_t chan, int64_t interface, int64_t fn, int64_t template_) { return chan; });
  refl::ObjectDef<MapObj_>().def_rw("map", &MapObj_::map);
  refl::ObjectDef<SameAObj>();
  refl::ObjectDef<SameBObj>();
  refl::ObjectDef<Same3Obj>();
  refl::ObjectDef<BagObj>(refl::init(false))
      .def_rw("call", &BagObj::call)
      .def_rw("maybe_call", &BagObj::maybe_call)
      .def_rw("typed", &BagObj::typed)
      .def_ro("tensor", &BagObj::tensor)
      .def_rw("maybe_tensor", &BagObj::maybe_tensor)
      .def_rw("module", &BagObj::module_)
      .def_rw("shape", &BagObj::shape)
      .def_rw("dtype", &BagObj::dtype)
      .def_rw("device", &BagObj::device)
      .def_rw("either", &BagObj::either)
      .def_rw("deep", &BagObj::deep)
      .def_rw("pair", &BagObj::pair)
      .def_rw("dict", &BagObj::dict)
      .def_rw("bytes", &BagObj::bytes)
      .def_rw("raw", &BagObj::raw)
      .def_rw("cpp_text", &BagObj::cpp_text)
      .def_rw("texts", &BagObj::texts)
      .def_static("make", [] { return Bag(ffi::make_object<BagObj>()); });
  refl::OverloadObjectDef<OverloadedObj>()
      .def(refl::init<int64_t>())
      .def("add", &OverloadedObj::add)
      .def("add",
           [](const OverloadedObj* self, ffi::String text) { return ffi::String(std::to_string(self->n)) + text; });
  refl::ObjectDef<KeyedObj>()
      .def_ro("width", &KeyedObj::width)
      .def_ro("height", &KeyedObj::height, refl::kw_only(true))
      .def_ro("title", &KeyedObj::title, refl::default_value(ffi::String("untitled \"100%s\"")))
      .def_ro("func", &KeyedObj::func, refl::default_value(true), refl::kw_only(true));
  refl::ObjectDef<PlanetObj>(refl::init(false));
  refl::TypeAttrDef<PlanetObj>().attr(
      "__ffi_enum_entries__",
      ffi::Dict<ffi::String, ffi::ObjectRef>{{"earth", Planet(2, "earth")}, {"venus", Planet(1, "venus")}});
  refl::ObjectDef<NodeObj>().def_rw("x", &NodeObj::x, refl::default_value(4), "with a default").def_static("Child", [] {
    return 1;
  });
  refl::ObjectDef<ChildObj>();
  refl::ObjectDef<OtherObj>();
  refl::ObjectDef<BareObj>();
  refl::GlobalDef()
      .def("odd.Base",
           [](int64_t n) {
             auto b = ffi::make_object<BaseObj>();
             b->n = n;
             return Base(b);
           })
      .def("odd.base", [] { return 2; })
      .def("odd.BaseFunc", [] { return 3; })
      .def("odd.Base.make", [] { return 4; })
      .def("odd.Base_", [] { return 5; })
      .def("odd.func", [](int64_t x) { return x; })
      .def("odd.type.go", [](int64_t x) { return x; })
      .def("odd.a.b.c.d.e", [] { return 1; })
      .def("odd.a.b_c.d.e", [] { return 1; })
      .def("odd.load", [] { return 1; })
      .def("odd.Load", [] { return 1; })
      .def("odd.init", [] { return 1; })
      .def("odd.main", [] { return 1; })
      .def("odd.library", [] { return 1; })
      .def("odd.__leading", [] { return 1; })
      .def("odd.trailing.", [] { return 1; })
      .def("odd..dots", [] { return 1; })
      .def("odd.1", [] { return 1; })
      .def("odd.\xe4\xb8\x96\xe7\x95\x8c", [] { return 1; })
      .def("odd.a b", [] { return 1; })
      .def("odd.x-y", [] { return 1; })
      .def("odd.\"quote\"", [] { return 1; })
      .def("plain_global", [] { return 1; })
      .def("other.f", [](Other x) { return x; })
      .def("odd.string", [](ffi::String string, int64_t error, bool nil) { return string; })
      .def("odd.void", [] {})
      .def("odd.array3", [](std::array<double, 3> three) { return three[0] + three[1] + three[2]; })
      .def("odd.ptr", [](void* p) { return p; })
      .def(
          "odd.obj", [](Base p) { return 1; }, "")
      .def("odd.variant", [](ffi::Variant<ffi::Array<int64_t>, ffi::Map<ffi::String, Base>> v) { return v; })
      .def("odd.opt", [](ffi::Optional<ffi::Array<ffi::Optional<int64_t>>> v) { return v; })
      .def("odd.callbacks",
           [](ffi::TypedFunction<ffi::Array<Base>(ffi::Map<ffi::String, Base>, ffi::TypedFunction<int64_t(int64_t)>)>
                  f) { return f({}, [](int64_t x) { return x + 1; }).size(); })
      .def("odd.void_callback", [](ffi::TypedFunction<void(ffi::Any)> f) { f(1); })
      .def("odd.maybe",
           [](int64_t n) -> ffi::Expected<ffi::Optional<ffi::String>> {
             if (n < 0) return ffi::Error("KeyError", "negative", "");
             return n == 0 ? ffi::Optional<ffi::String>() : ffi::Optional<ffi::String>(ffi::String("some"));
           })
      .def("odd.fails_with",
           [](ffi::Variant<int64_t, ffi::String> v) -> ffi::Expected<ffi::Variant<int64_t, ffi::String>> {
             if (v.as<int64_t>().has_value()) return v;
             return ffi::Error("OSError", v.get<ffi::String>(), "");
           })
      .def("odd.ask",
           [](ffi::TypedFunction<ffi::Expected<int64_t>(int64_t)> f) {
             ffi::Expected<int64_t> answer = f(3);
             return answer.is_ok() ? answer.value() : int64_t(-1);
           })
      // Tells whether it got the only reference, which it may change.
      .def("odd.take",
           [](ffi::RValueRef<Base> taken) {
             Base base = *std::move(taken);
             return base.unique() ? base->n : -base->n;
           })
      .def("odd.appended",
           [](ffi::RValueRef<ffi::Array<int64_t>> taken, int64_t value) {
             ffi::Array<int64_t> array = *std::move(taken);
             array.push_back(value);
             return array;
           })
      .def("odd.100%s%d", [] { return 1; })
      .def("odd.last", [](Last x) { return x->x; })
      .def("odd.dev", [](DLDevice d, DLDataType t) { return ffi::Tuple<DLDevice, DLDataType>(d, t); })
      .def("odd.five", [](int64_t a, double b, ffi::String c, bool d,
                          Base e) { return ffi::Tuple<int64_t, double, ffi::String, bool, Base>(a, b, c, d, e); })
      .def("odd.same", [](SameA a, SameB b, Same3 c) { return 1; })
      .def_packed("odd.packed", [](ffi::PackedArgs args, ffi::Any* r) { *r = args.size(); });
}
int64_t Kernel(int64_t x) { return x + 1; }
}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(load, Kernel);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(main, Kernel);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(Base, Kernel);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fused_add_relu_1, Kernel);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(func, Kernel);

// Names that no C compiler makes, and compilers of kernels do: those of words, of letters, and of parts with dots.
#define ODD_NAMED(Number, Name)                                                                                \
  extern "C" int Named##Number(void*, const TVMFFIAny*, int32_t, TVMFFIAny*) __asm__("__tvm_ffi_" Name);       \
  extern "C" TVM_FFI_DLL_EXPORT int Named##Number(void*, const TVMFFIAny*, int32_t count, TVMFFIAny* result) { \
    result->type_index = kTVMFFIInt;                                                                           \
    result->v_int64 = 100 * Number + count;                                                                    \
    return 0;                                                                                                  \
  }
ODD_NAMED(1, "nn.conv2d.fast")
ODD_NAMED(2, "nn.conv2d_fast")
ODD_NAMED(3, "range")
ODD_NAMED(4, "delete")
ODD_NAMED(5, "gr\u00f6\u00dfe")
ODD_NAMED(6, "\u65e5\u672c")
ODD_NAMED(7, "Error")
ODD_NAMED(8, "error")
ODD_NAMED(9, "None")
