// extra/structural_mutate.h: callbacks replace parts of values, in copies and in place, and variables where they are
// defined and used; the same with the library's global functions.
// Requirement: A12
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_mutate.h>
#include <tvm/ffi/extra/visit_error_context.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <optional>
#include <string>
#include <utility>

#include "check.h"

using namespace tvm::ffi;
namespace refl = tvm::ffi::reflection;

namespace {

// A variable with a type, which a mutation may replace.
class NameObj : public Object {
 public:
  Any type;
  explicit NameObj(Any type) : type(std::move(type)) {}
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindFreeVar;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.mutate.Name", NameObj, Object);
};

class Name : public ObjectRef {
 public:
  explicit Name(Any type) : ObjectRef(make_object<NameObj>(std::move(type))) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Name, ObjectRef, NameObj);
};

// Defines a variable that its body uses; the note is ignored.
class BindObj : public Object {
 public:
  Any name;
  Any body;
  Any note;
  BindObj(Any name, Any body, Any note) : name(std::move(name)), body(std::move(body)), note(std::move(note)) {}
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.mutate.Bind", BindObj, Object);
};

class Bind : public ObjectRef {
 public:
  Bind(Any name, Any body, Any note = Any())
      : ObjectRef(make_object<BindObj>(std::move(name), std::move(body), std::move(note))) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Bind, ObjectRef, BindObj);
};

// A class with a hook for mutations: the hook adds one to the value and calls no callback.
class CounterObj : public Object {
 public:
  int64_t value;
  explicit CounterObj(int64_t value) : value(value) {}
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.mutate.Counter", CounterObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<NameObj>(refl::init(false)).def_ro("type", &NameObj::type);
  refl::ObjectDef<BindObj>(refl::init(false))
      .def_ro("name", &BindObj::name, refl::AttachFieldFlag::SEqHashDefPattern())
      .def_ro("body", &BindObj::body)
      .def_ro("note", &BindObj::note, refl::AttachFieldFlag::SEqHashIgnore());
  refl::ObjectDef<CounterObj>(refl::init(false)).def_ro("value", &CounterObj::value);
  refl::TypeAttrDef<CounterObj>().def(
      "__s_mutate__", [](ObjectRef, const CounterObj* self) { return Any(make_object<CounterObj>(self->value + 1)); });
}

Any Doubled(int64_t v) { return Any(v * 2); }

const auto pre = WalkOrder::kPreOrder;
const auto post = WalkOrder::kPostOrder;

}  // namespace

TEST(structural_mutate, map_copies_what_is_shared) {
  Array<Any> untouched = {String("a text of some length")};
  Array<Any> root = {1, untouched, Map<String, Any>{{"k", 2}}, List<Any>{3}, Dict<String, Any>{{"d", 4}}};
  Any copy = root;  // a second reference: no change in place
  Any mapped = StructuralMap<post>(copy, [](int64_t v) -> Any { return Doubled(v); });
  Array<Any> result = mapped.cast<Array<Any>>();
  CHECK(!result.same_as(root));
  CHECK_EQ(result[0].cast<int>(), 2);
  CHECK(result[1].same_as(Any(untouched)));
  CHECK_EQ((result[2].cast<Map<String, Any>>()["k"].cast<int>()), 4);
  CHECK_EQ(result[3].cast<List<Any>>()[0].cast<int>(), 6);
  CHECK_EQ((result[4].cast<Dict<String, Any>>()["d"].cast<int>()), 8);
  CHECK_EQ(root[0].cast<int>(), 1);
  CHECK_EQ(root[3].cast<List<Any>>()[0].cast<int>(), 3);
  CHECK_EQ((root[4].cast<Dict<String, Any>>()["d"].cast<int>()), 4);
}

TEST(structural_mutate, map_without_a_change_gives_the_same) {
  Array<Any> root = {1, Array<Any>{2}, Map<String, Any>{{"k", 2}}};
  Any mapped = StructuralMap<post>(Any(root), [](int64_t) -> UnchangedOr<Any> { return Unchanged(); });
  CHECK(mapped.same_as(Any(root)));
  CHECK(StructuralMap<pre>(Any(nullptr), [](int64_t v) -> Any { return Doubled(v); }) == nullptr);
}

TEST(structural_mutate, map_in_place_when_it_owns) {
  Array<Any> root = {1, Array<Any>{2, 3}};
  const Object* outer = root.get();
  Any mapped = StructuralMap<post>(Any(std::move(root)), [](int64_t v) -> Any { return Doubled(v); });
  CHECK(mapped.as<ArrayObj>() == outer);
  CHECK_EQ(mapped.cast<Array<Any>>()[1].cast<Array<Any>>()[1].cast<int>(), 6);
  CHECK_EQ(mapped.cast<ObjectRef>().use_count(), 2);  // mapped, and the temporary
}

TEST(structural_mutate, map_orders) {
  // Pre-order: the mutation continues in the parts of the replacement. Post-order: the callback gets the new parts.
  Any root = Array<Any>{Array<Any>{1}};
  int calls = 0;
  Any before = StructuralMap<pre>(root, [&](const Array<Any>& a) -> UnchangedOr<Any> {
    calls++;
    if (a.size() == 1 && a[0].as<int64_t>()) return Any(Array<Any>{5, 6});
    return Unchanged();
  });
  CHECK(StructuralEqual::Equal(before, Array<Any>{Array<Any>{5, 6}}));
  CHECK_EQ(calls, 2);
  Any after = StructuralMap<post>(
      root, [](int64_t v) -> Any { return Doubled(v); },
      [](const Array<Any>& a) -> UnchangedOr<Any> {
        if (auto v = a[0].as<int64_t>()) return Any(*v);
        return Unchanged();
      });
  CHECK_EQ(after.cast<int>(), 2);  // the outer array, too, then held a number
}

TEST(structural_mutate, map_of_classes) {
  Bind root(Name(1), Array<Any>{7}, 8);
  Any mapped = StructuralMap<post>(Any(root), [](int64_t v) -> Any { return Doubled(v); });
  Bind result = mapped.cast<Bind>();
  CHECK(!result.same_as(root));
  CHECK_EQ(result->body.cast<Array<Any>>()[0].cast<int>(), 14);
  CHECK_EQ(result->note.cast<int>(), 8);  // ignored, so as it was
  CHECK_EQ(root->body.cast<Array<Any>>()[0].cast<int>(), 7);
}

TEST(structural_mutate, variables_follow_their_definition) {
  Name x(1), free(10);
  Bind root(x, Array<Any>{x, free, x});
  Bind result = StructuralMap<post>(Any(root), [](int64_t v) -> Any { return Doubled(v); }).cast<Bind>();
  Array<Any> body = result->body.cast<Array<Any>>();
  CHECK(!result->name.same_as(Any(x)));
  CHECK_EQ(result->name.cast<Name>()->type.cast<int>(), 2);
  CHECK(body[0].same_as(result->name) && body[2].same_as(result->name));  // one new variable, in all its places
  CHECK(body[1].same_as(Any(free)));                                      // not defined here: the use is not replaced
  CHECK_EQ(x->type.cast<int>(), 1);
}

TEST(structural_mutate, variables_replaced) {
  Name x(nullptr), y(nullptr);
  Bind root(Name(nullptr), Array<Any>{x, y, x});
  Bind result = StructuralMap<pre>(Any(root), [&](const Name& n) -> UnchangedOr<Any> {
                  if (n.same_as(x)) return Any(42);
                  return Unchanged();
                }).cast<Bind>();
  Array<Any> body = result->body.cast<Array<Any>>();
  CHECK_EQ(body[0].cast<int>(), 42);
  CHECK(body[1].same_as(Any(y)));
  CHECK_EQ(body[2].cast<int>(), 42);
  CHECK(result->name.same_as(root->name));
}

TEST(structural_mutate, callbacks_see_the_region) {
  int patterns = 0, uses = 0;
  Name x(nullptr);
  StructuralMap<pre>(Any(Bind(x, Array<Any>{x})), [&](const Name&, TVMFFIDefRegionKind kind) -> UnchangedOr<Any> {
    (kind == kTVMFFIDefRegionKindPattern ? patterns : uses)++;
    return Unchanged();
  });
  CHECK_EQ(patterns, 1);
  CHECK_EQ(uses, 1);
}

TEST(structural_mutate, mutate_owns_its_recursion) {
  // Doubles numbers, but not those in a Bind: its callback does not mutate the parts.
  Array<Any> root = {1, Bind(nullptr, Array<Any>{2}), Array<Any>{3}};
  Any result = StructuralMutate(
      Any(root), [](const Bind&, StructuralMutatorObj*) -> UnchangedOr<Any> { return Unchanged(); },
      [](int64_t v, StructuralMutatorObj*) -> UnchangedOr<Any> { return Doubled(v); });
  Array<Any> items = result.cast<Array<Any>>();
  CHECK_EQ(items[0].cast<int>(), 2);
  CHECK(items[1].same_as(root[1]));
  CHECK_EQ(items[2].cast<Array<Any>>()[0].cast<int>(), 6);
}

TEST(structural_mutate, mutate_knows_whether_it_owns) {
  std::optional<InplaceMode> inner_mode, shared_mode;
  auto look = [](std::optional<InplaceMode>* out) {
    return [out](const BindObj* bind, StructuralMutatorObj* mutator, InplaceMode mode) -> Expected<Any> {
      *out = mode;
      Expected<UnchangedOr<Any>> result = mutator->DefaultMutateExpected(AnyView(bind), mode);
      if (result.is_err()) return Unexpected(std::move(result).error());
      return std::move(result).value().ValueOrUnchanged(AnyView(bind));
    };
  };
  Any owned = Array<Any>{Bind(nullptr, 1)};
  StructuralMutate(std::move(owned), look(&inner_mode));
  CHECK(inner_mode == InplaceMode::kAllow);
  Bind shared(nullptr, 1);
  StructuralMutate(Any(Array<Any>{shared}), look(&shared_mode));
  CHECK(shared_mode == InplaceMode::kDisallow);
}

TEST(structural_mutate, hooks_of_a_class) {
  Any root = Array<Any>{ObjectRef(make_object<CounterObj>(1)), 5};
  Any mapped = StructuralMap<post>(root, [](int64_t v) -> Any { return Doubled(v); });
  CHECK_EQ(mapped.cast<Array<Any>>()[0].as<CounterObj>()->value, 2);
  CHECK_EQ(mapped.cast<Array<Any>>()[1].cast<int>(), 10);
  Any unmatched = StructuralMap<pre>(root, [](double v) -> Any { return v; });
  CHECK_EQ(unmatched.cast<Array<Any>>()[0].as<CounterObj>()->value, 2);
}

TEST(structural_mutate, errors_say_where) {
  Bind inner(nullptr, 13);
  Any root = Bind(nullptr, inner);
  auto refuse = [](int64_t v) -> Any {
    if (v == 13) TVM_FFI_THROW(ValueError) << "unlucky";
    return Any(v);
  };
  CHECK_RAISES("ValueError", "unlucky", StructuralMap<post>(root, refuse));
  Expected<Any> result = StructuralMapExpected<post>(root, refuse);
  CHECK(result.is_err());
  auto context = VisitErrorContext::TryGetFromError(result.error());
  CHECK(context.has_value());
  Array<refl::AccessPath> paths = VisitErrorContext::FindAccessPaths(root.cast<ObjectRef>(), context.value());
  CHECK_EQ(paths.size(), 1u);
  CHECK(paths[0]->PathEqual(refl::AccessPath::Root()->Attr("body")));
  CHECK(root.cast<Bind>()->body.same_as(Any(inner)));  // the original did not change
}

TEST(structural_mutate, unchanged_or) {
  UnchangedOr<String> none = Unchanged(), some = String("new");
  CHECK(none.IsUnchanged() && !some.IsUnchanged());
  CHECK_EQ(std::move(none).ValueOrUnchanged(String("old")), "old");
  CHECK_EQ(std::move(some).ValueOrUnchanged(String("old")), "new");
  Any marker = Unchanged();
  CHECK_EQ(marker.type_index(), static_cast<int32_t>(kTVMFFIUnchanged));
  CHECK_EQ(TypeIndexToTypeKey(marker.type_index()), "ffi.Unchanged");
  CHECK(marker.as<UnchangedOr<int>>().has_value());
}

TEST(structural_mutate, global_functions) {
  Function twice = Function::FromTyped([](int64_t v) { return v * 2; });
  Function length = Function::FromTyped([](String s) { return static_cast<int64_t>(s.size()); });
  using Links = Array<Tuple<int, Function>>;
  Links links = {Tuple<int, Function>(kTVMFFIInt, twice), Tuple<int, Function>(kTVMFFIStr, length)};
  Array<Any> root = {1, String("ab"), Map<String, Any>{{"key", Array<Any>{2}}}};
  Any mapped = Function::GetGlobalRequired("ffi.StructuralMap")(root, links, Links{}, 1);
  Array<Any> result = mapped.cast<Array<Any>>();
  CHECK_EQ(result[0].cast<int>(), 2);
  CHECK_EQ(result[1].cast<int>(), 2);
  CHECK_EQ((result[2].cast<Map<String, Any>>()["key"].cast<Array<Any>>()[0].cast<int>()), 4);
  CHECK_EQ(root[0].cast<int>(), 1);
  Function fail = Function::FromTyped([](int64_t v) {
    if (v > 0) TVM_FFI_THROW(KeyError) << "from a callback";
    return v;
  });
  CHECK_RAISES("KeyError", "from a callback",
               Function::GetGlobalRequired("ffi.StructuralMap")(root, Links{Tuple<int, Function>(kTVMFFIInt, fail)},
                                                                Links{}, 1));
}

TEST(structural_mutate, global_mutate) {
  // The callback gets the library's mutator and mutates the parts with it.
  Function go_on = Function::GetGlobalRequired("ffi.StructuralMutatorDefaultMutate");
  int arrays = 0;
  Function through = Function::FromPacked([&](PackedArgs args, Any* rv) {
    arrays++;
    *rv = go_on(args[1], args[0]);
  });
  Function twice = Function::FromPacked([](PackedArgs args, Any* rv) { *rv = args[0].cast<int64_t>() * 2; });
  using Link = Tuple<int, Function, bool>;
  Array<Link> links = {Link(kTVMFFIArray, through, false), Link(kTVMFFIInt, twice, false)};
  Array<Any> root = {1, Array<Any>{2}};
  Any result = Function::GetGlobalRequired("ffi.StructuralMutate")(root, links);
  CHECK(StructuralEqual::Equal(result, Array<Any>{2, Array<Any>{4}}));
  CHECK(StructuralEqual::Equal(root, Array<Any>{1, Array<Any>{2}}));
  CHECK_EQ(arrays, 2);
}
