// Classes of every structural kind, as a C++ user of the ABI's headers defines them.
#ifndef GRAPHS_CLASSES_H_
#define GRAPHS_CLASSES_H_

#include <tvm/ffi/tvm_ffi.h>

namespace graphs {
using namespace tvm::ffi;
namespace refl = tvm::ffi::reflection;

struct VarObj : public Object {  // a variable
  String name;
  VarObj() = default;
  explicit VarObj(String name) : name(std::move(name)) {}
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindFreeVar;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("graphs.Var", VarObj, Object);
};

struct LeafObj : public Object {  // a tree node with fields of every scalar kind
  int64_t number = 0;
  double real = 0;
  bool flag = false;
  String text;
  Any any;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("graphs.Leaf", LeafObj, Object);
};

struct PairObj : public LeafObj {  // inherits fields
  Any left, right;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("graphs.Pair", PairObj, LeafObj);
};

struct FuncObj : public Object {  // defines its parameters
  Array<Any> params;
  Array<Any> body;
  Any comment;
  FuncObj() = default;
  FuncObj(Array<Any> params, Array<Any> body, Any comment) : params(params), body(body), comment(comment) {}
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("graphs.Func", FuncObj, Object);
};

struct DagObj : public Object {
  Any value;
  explicit DagObj(Any value) : value(std::move(value)) {}
  DagObj() = default;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindDAGNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("graphs.Dag", DagObj, Object);
};

struct UniqueObj : public Object {
  int64_t value = 0;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindUniqueInstance;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("graphs.Unique", UniqueObj, Object);
};

struct HookedObj : public Object {  // has hooks for everything
  Any value;
  explicit HookedObj(Any value) : value(std::move(value)) {}
  HookedObj() = default;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("graphs.Hooked", HookedObj, Object);
};

struct PlainObj : public Object {  // no structural kind, no creator
  int64_t value;
  explicit PlainObj(int64_t value) : value(value) {}
  PlainObj(const PlainObj&) = delete;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("graphs.Plain", PlainObj, Object);
};

struct HiddenObj : public Object {  // fields with flags
  int64_t shown = 1, no_repr = 2, no_compare = 3, no_hash = 4, ignored = 5;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("graphs.Hidden", HiddenObj, Object);
};

template <typename T>
struct Ref : public ObjectRef {
  using ObjectRef::ObjectRef;
  template <typename... Args>
  static ObjectRef Make(Args... args) {
    return ObjectRef(make_object<T>(std::move(args)...));
  }
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<VarObj>().def_ro("name", &VarObj::name, refl::AttachFieldFlag::SEqHashIgnore());
  refl::ObjectDef<LeafObj>()
      .def_ro("number", &LeafObj::number)
      .def_ro("real", &LeafObj::real, refl::default_value(1.5))
      .def_ro("flag", &LeafObj::flag, refl::default_value(true))
      .def_ro("text", &LeafObj::text, refl::default_value("none"))
      .def_ro("any", &LeafObj::any, refl::default_value(nullptr));
  refl::ObjectDef<PairObj>().def_ro("left", &PairObj::left).def_ro("right", &PairObj::right);
  refl::ObjectDef<FuncObj>()
      .def_ro("params", &FuncObj::params, refl::AttachFieldFlag::SEqHashDefPattern())
      .def_ro("body", &FuncObj::body)
      .def_ro("comment", &FuncObj::comment, refl::AttachFieldFlag::SEqHashIgnore());
  refl::ObjectDef<DagObj>().def_ro("value", &DagObj::value);
  refl::ObjectDef<UniqueObj>().def_ro("value", &UniqueObj::value);
  refl::ObjectDef<HookedObj>().def_ro("value", &HookedObj::value);
  refl::ObjectDef<PlainObj>().def_ro("value", &PlainObj::value);
  refl::ObjectDef<HiddenObj>()
      .def_ro("shown", &HiddenObj::shown)
      .def_ro("no_repr", &HiddenObj::no_repr, refl::repr(false))
      .def_ro("no_compare", &HiddenObj::no_compare, refl::compare(false))
      .def_ro("no_hash", &HiddenObj::no_hash, refl::hash(false))
      .def_ro("ignored", &HiddenObj::ignored, refl::AttachFieldFlag::SEqHashIgnore());
  refl::TypeAttrDef<HookedObj>()
      .def("__s_equal__", [](const HookedObj* a, const HookedObj* b,
                             Function cb) { return cb(a->value, b->value, 0, "value").cast<bool>(); })
      .def("__s_hash__",
           [](const HookedObj* a, int64_t init, Function cb) { return cb(a->value, init, 0).cast<int64_t>() + 1; })
      .def("__data_to_json__", [](const HookedObj* a) -> Any { return Array<Any>{String("hooked"), a->value}; })
      .def("__data_from_json__",
           [](Any data) -> ObjectRef { return ObjectRef(make_object<HookedObj>(data.cast<Array<Any>>()[1])); })
      .def("__ffi_repr__",
           [](const Object* self, const Function& repr) -> String {
             const auto* a = static_cast<const HookedObj*>(self);
             return "hooked<" + std::string(repr(a->value).cast<String>()) + ">";
           })
      .def("__ffi_eq__",
           [](const Object* a, const Object* b, const Function& eq) -> bool {
             return eq(static_cast<const HookedObj*>(a)->value, static_cast<const HookedObj*>(b)->value).cast<bool>();
           })
      .def("__ffi_compare__",
           [](const Object* a, const Object* b, const Function& compare) -> int64_t {
             return compare(static_cast<const HookedObj*>(a)->value, static_cast<const HookedObj*>(b)->value)
                 .cast<int64_t>();
           })
      .def("__ffi_hash__", [](const Object* a, const Function& hash) -> int64_t {
        return hash(static_cast<const HookedObj*>(a)->value).cast<int64_t>() ^ 0x55;
      });
}

}  // namespace graphs

#endif  // GRAPHS_CLASSES_H_
