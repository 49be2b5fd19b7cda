// extra/structural_{equal,hash,key,visit}.h, reflection/access_path.h, extra/visit_error_context.h.
// Requirement: A12
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <tvm/ffi/extra/structural_key.h>
#include <tvm/ffi/extra/structural_visit.h>
#include <tvm/ffi/extra/visit_error_context.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/access_path.h>
#include <tvm/ffi/reflection/registry.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check.h"

using namespace tvm::ffi;
namespace refl = tvm::ffi::reflection;

namespace {

class VarObj : public Object {
 public:
  String name;
  explicit VarObj(String name) : name(std::move(name)) {}
  explicit VarObj(UnsafeInit) {}
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindFreeVar;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Var", VarObj, Object);
};

class Var : public ObjectRef {
 public:
  explicit Var(String name) : ObjectRef(make_object<VarObj>(std::move(name))) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Var, ObjectRef, VarObj);
};

// A function with one parameter, which its body may use; the comment is ignored.
class LambdaObj : public Object {
 public:
  Var param;
  Array<Any> body;
  String comment;
  LambdaObj(Var param, Array<Any> body, String comment)
      : param(std::move(param)), body(std::move(body)), comment(std::move(comment)) {}
  explicit LambdaObj(UnsafeInit) : param(UnsafeInit{}) {}
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Lambda", LambdaObj, Object);
};

class Lambda : public ObjectRef {
 public:
  Lambda(Var param, Array<Any> body, String comment = "")
      : ObjectRef(make_object<LambdaObj>(std::move(param), std::move(body), std::move(comment))) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Lambda, ObjectRef, LambdaObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<VarObj>(refl::init(false)).def_ro("name", &VarObj::name, refl::AttachFieldFlag::SEqHashIgnore());
  refl::ObjectDef<LambdaObj>(refl::init(false))
      .def_ro("param", &LambdaObj::param, refl::AttachFieldFlag::SEqHashDefPattern())
      .def_ro("body", &LambdaObj::body)
      .def_ro("comment", &LambdaObj::comment, refl::AttachFieldFlag::SEqHashIgnore());
}

bool Equal(const Any& a, const Any& b, bool map_free_vars = false) {
  return StructuralEqual::Equal(a, b, map_free_vars);
}

uint64_t Hash(const Any& a, bool map_free_vars = false) { return StructuralHash::Hash(a, map_free_vars); }

// Returns whether two values are equal, and checks that their hashes say the same.
bool Same(const Any& a, const Any& b) { return Equal(a, b) && Hash(a) == Hash(b); }

}  // namespace

TEST(structural, values) {
  CHECK(Same(1, 1));
  CHECK(!Equal(1, 2));
  CHECK(!Equal(1, 1.0));
  CHECK(!Equal(1, true));
  CHECK(Same(String("text"), String("text")));
  CHECK(Same(String("a text on the heap"), String("a text on the heap")));
  CHECK(Same(nullptr, nullptr));
  CHECK(!Equal(nullptr, 0));
}

TEST(structural, containers) {
  CHECK(Same(Array<Any>{1, String("a")}, Array<Any>{1, String("a")}));
  CHECK(!Equal(Array<Any>{1}, Array<Any>{1, 2}));
  CHECK(Same(List<int>{1, 2}, List<int>{1, 2}));
  CHECK(!Equal(Array<int>{1}, List<int>{1}));
  CHECK(Same(Map<String, int>{{"a", 1}, {"b", 2}}, Map<String, int>{{"b", 2}, {"a", 1}}));
  CHECK(!Equal(Map<String, int>{{"a", 1}}, Map<String, int>{{"a", 2}}));
  CHECK(!Equal(Map<String, int>{{"a", 1}}, Map<String, int>{{"b", 1}}));
  CHECK(Same(Shape({1, 2}), Shape({1, 2})));
  CHECK(!Equal(Shape({1, 2}), Shape({2, 1})));
}

TEST(structural, bound_variables) {
  Var x("x"), y("y"), z("z");
  CHECK(Same(Lambda(x, {x, 1}), Lambda(y, {y, 1})));
  CHECK(!Equal(Lambda(x, {x, 1}), Lambda(y, {z, 1})));
  CHECK(!Equal(Lambda(x, {y}), Lambda(x, {x})));
  CHECK(Same(Lambda(x, {}, "one"), Lambda(y, {}, "another")));  // comments are ignored
}

TEST(structural, free_variables) {
  Var x("x"), y("y");
  CHECK(Same(x, x));
  CHECK(!Equal(x, y));
  CHECK(Equal(x, y, true));
  CHECK_EQ(Hash(x, true), Hash(y, true));
  CHECK(!Equal(Array<Var>{x, x}, Array<Var>{x, y}, true));
  CHECK(Equal(Array<Var>{x, y}, Array<Var>{y, x}, true));
}

TEST(structural, first_mismatch) {
  auto mismatch = StructuralEqual::GetFirstMismatch(Array<Any>{1, Array<int>{2, 3}}, Array<Any>{1, Array<int>{2, 4}});
  CHECK(mismatch.has_value());
  refl::AccessPath want = refl::AccessPath::Root()->ArrayItem(1)->ArrayItem(1);
  CHECK(mismatch.value().get<0>()->PathEqual(want));
  CHECK(mismatch.value().get<1>()->PathEqual(want));
  CHECK(!StructuralEqual::GetFirstMismatch(1, 1).has_value());
  auto shorter = StructuralEqual::GetFirstMismatch(Array<int>{1}, Array<int>{1, 2});
  CHECK(shorter.value().get<0>()->PathEqual(refl::AccessPath::Root()->ArrayItemMissing(1)));
  auto field = StructuralEqual::GetFirstMismatch(Lambda(Var("x"), {1}), Lambda(Var("y"), {2}));
  CHECK(field.value().get<0>()->PathEqual(refl::AccessPath::Root()->Attr("body")->ArrayItem(0)));
}

TEST(structural, keys) {
  std::unordered_map<StructuralKey, int> table;
  table[StructuralKey(Array<int>{1, 2})] = 12;
  table[StructuralKey(Array<int>{1, 3})] = 13;
  CHECK_EQ(table[StructuralKey(Array<int>{1, 2})], 12);
  CHECK_EQ(table.size(), 2u);
  Map<StructuralKey, int> map = {{StructuralKey(String("k")), 1}};
  CHECK_EQ(map[StructuralKey(String("k"))], 1);
  CHECK_EQ(map.count(StructuralKey(String("j"))), 0u);
  CHECK_EQ(Function::GetGlobalRequired("ffi.MapGetItem")(map, StructuralKey(String("k"))).cast<int>(), 1);
  Any made = Function::GetGlobalRequired("ffi.StructuralKey")(Array<int>{1});
  CHECK(made.cast<StructuralKey>() == StructuralKey(Array<int>{1}));
}

TEST(structural, access_paths) {
  refl::AccessPath path = refl::AccessPath::Root()->Attr("a")->ArrayItem(2)->MapItem(String("k"));
  CHECK_EQ(path->depth, 3);
  CHECK_EQ(path->ToSteps().size(), 3u);
  CHECK(path->GetParent().value()->IsPrefixOf(path));
  CHECK(!path->IsPrefixOf(refl::AccessPath::Root()));
  CHECK(refl::AccessPath::FromSteps(path->ToSteps())->PathEqual(path));
}

TEST(structural, walk) {
  std::vector<int> seen;
  Any root = Array<Any>{1, Map<String, Any>{{"k", 2}}, List<Any>{3, Lambda(Var("x"), {4})}};
  auto result = StructuralWalk<WalkOrder::kPreOrder>(root, [&](int v) {
    seen.push_back(v);
    return WalkResult::Advance();
  });
  CHECK(!result.has_value());
  CHECK(seen == std::vector<int>({1, 2, 3, 4}));
}

TEST(structural, walk_stops_and_skips) {
  Any root = Array<Any>{1, Array<int>{2, 3}, 4};
  int count = 0;
  auto stopped = StructuralWalk<WalkOrder::kPreOrder>(root, [&](int v) {
    count++;
    return v == 2 ? WalkResult::Interrupt(VisitInterrupt(String("found"))) : WalkResult::Advance();
  });
  CHECK(stopped.has_value() && stopped.value()->value.cast<String>() == "found");
  CHECK_EQ(count, 2);
  std::vector<int> seen;
  bool root_done = false;
  StructuralWalk<WalkOrder::kPreOrder>(
      root,
      [&](int v) {
        seen.push_back(v);
        return WalkResult::Advance();
      },
      [&](const ArrayObj*) {
        if (root_done) return WalkResult::Skip();
        root_done = true;
        return WalkResult::Advance();
      });
  CHECK_EQ(seen.size(), 2u);
}

TEST(structural, walk_by_global_function) {
  std::vector<String> seen;
  Function callback = Function::FromTyped([&](String s) { seen.push_back(s); });
  Array<Tuple<int, Function>> callbacks = {Tuple<int, Function>(TypeIndex::kTVMFFIStr, callback)};
  Any result = Function::GetGlobalRequired("ffi.StructuralWalk")(Array<Any>{String("a"), String("a longer text"), 3},
                                                                 callbacks, Array<Tuple<int, Function>>{}, 0);
  CHECK(result == nullptr);
  CHECK_EQ(seen.size(), 2u);
}

namespace {
// A recursive check as a compiler pass would write it. Its error records the path to the place of the failure.
void RefuseTwo(const Lambda& lambda) {
  TVM_FFI_VISIT_BEGIN();
  for (const Any& item : lambda->body) {
    if (auto number = item.as<int>()) TVM_FFI_CHECK(*number != 2, ValueError) << "no two";
    if (auto nested = item.as<Lambda>()) RefuseTwo(*nested);
  }
  TVM_FFI_VISIT_END(lambda);
}
}  // namespace

TEST(structural, error_context) {
  Lambda inner(Var("x"), {1, 2});
  Lambda root(Var("y"), {0, inner});
  std::optional<Error> error;
  try {
    RefuseTwo(root);
  } catch (const Error& e) {
    error = e;
  }
  CHECK(::conformance::Has(error.value().message(), "no two"));
  auto context = VisitErrorContext::TryGetFromError(*error);
  CHECK_EQ(context.value()->reverse_visit_pattern.size(), 2u);
  Array<refl::AccessPath> paths = VisitErrorContext::FindAccessPaths(root, context.value());
  CHECK_EQ(paths.size(), 1u);
  CHECK(paths[0]->PathEqual(refl::AccessPath::Root()->Attr("body")->ArrayItem(1)));
  // The context names an object that the root does not lead to. With prefixes, the paths through the other objects are
  // found, down to the deepest objects.
  context.value()->reverse_visit_pattern.insert(context.value()->reverse_visit_pattern.begin(), Var("elsewhere"));
  CHECK_EQ(VisitErrorContext::FindAccessPaths(root, context.value()).size(), 0u);
  CHECK_EQ(VisitErrorContext::FindAccessPaths(root, context.value(), true).size(), 2u);  // both parameters
}

TEST(structural, walk_error_context) {
  Lambda root(Var("y"), {0, 2});
  auto result = StructuralWalkExpected<WalkOrder::kPreOrder>(root, [&](int v) -> WalkResult {
    if (v == 2) TVM_FFI_THROW(ValueError) << "no two";
    return WalkResult::Advance();
  });
  CHECK(result.is_err());
  auto context = VisitErrorContext::TryGetFromError(result.error());
  // The objects on the path, the innermost first.
  CHECK_EQ(context.value()->reverse_visit_pattern.size(), 2u);
  CHECK(context.value()->reverse_visit_pattern[0].same_as(root->body));
  CHECK(context.value()->reverse_visit_pattern[1].same_as(root));
}

TEST(structural, no_support) {
  Any opaque = make_object<Object>();
  CHECK_RAISES("TypeError", "not supported for this type", Equal(opaque, make_object<Object>()));
  CHECK_RAISES("TypeError", "not supported for this type", Hash(opaque));
}
