// Prints the callbacks of structural visits and walks, by the global functions and by the headers' own engines, and the
// paths at which errors in callbacks are found.
#include <tvm/ffi/extra/structural_visit.h>

#include "values.h"

namespace graphs {

struct NativeObj : public Object {  // visits its second field before its first, with a hook in C++
  Any first, second;
  NativeObj(Any first, Any second) : first(std::move(first)), second(std::move(second)) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("graphs.Native", NativeObj, Object);
};

static Expected<Optional<VisitInterrupt>> VisitNative(StructuralVisitorObj* visitor, AnyView value) noexcept {
  const auto* self = value.cast<const NativeObj*>();
  auto second = visitor->VisitExpected(self->second);
  if (second.is_err() || second.value().has_value()) return second;
  return visitor->VisitExpected(self->first);
}

struct CalledObj : public Object {  // visits one field, with a Function
  Any shown, hidden;
  CalledObj(Any shown, Any hidden) : shown(std::move(shown)), hidden(std::move(hidden)) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("graphs.Called", CalledObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<NativeObj>(refl::init(false)).def_ro("first", &NativeObj::first).def_ro("second", &NativeObj::second);
  refl::ObjectDef<CalledObj>(refl::init(false)).def_ro("shown", &CalledObj::shown).def_ro("hidden", &CalledObj::hidden);
  refl::TypeAttrDef<NativeObj>().native_fn_attr<&VisitNative>(type_attr::kStructuralVisit);
  refl::TypeAttrDef<CalledObj>().def("__s_visit__",
                                     [](StructuralVisitor visitor, AnyView value) -> Optional<VisitInterrupt> {
                                       return visitor->Visit(value.cast<const CalledObj*>()->shown);
                                     });
}

}  // namespace graphs

static std::string text(const Any& v) { return std::string(call("ffi.ReprPrint", {v}).cast<String>()); }

// Formats an error with the objects on its way to the root, and the paths to them.
template <typename F>
static std::string failure(const Any& root, F f) {
  try {
    return text(f());
  } catch (const Error& e) {
    std::string out = e.kind() + ": " + e.message();
    auto context = VisitErrorContext::TryGetFromError(e);
    if (!context) return out + " without context";
    out += " passing " + std::to_string(context.value()->reverse_visit_pattern.size());
    for (bool prefix : {false, true}) {
      if (auto obj = root.as<ObjectRef>())
        out += " at " + text(call("ffi.VisitErrorContext.FindAccessPaths", {*obj, context.value(), prefix}));
    }
    return out;
  }
}

int main() {
  auto all = values();
  ObjectRef x = Ref<VarObj>::Make(String("x"));
  all.emplace_back("native", Ref<NativeObj>::Make(Any(1), Any(Array<Any>({2, "b"}))));
  all.emplace_back("called", Ref<CalledObj>::Make(Any(Array<Any>({1, 2})), Any(3)));
  all.emplace_back("nested",
                   Array<Any>({Ref<FuncObj>::Make(Array<Any>({x, Array<Any>({x})}), Array<Any>({x}), nullptr),
                               Ref<NativeObj>::Make(Any(Ref<CalledObj>::Make(Any(5), Any(6))), Any(nullptr))}));
  Array<Any> none;
  int32_t any = TypeIndex::kTVMFFIAny;
  for (auto& [name, v] : all) {
    const Any& root = v;
    for (int order = 0; order < 2; order++) {
      std::string seen;
      Function see = Function::FromTyped([&](AnyView value) { seen += " " + text(Any(value)); });
      Function see_region = Function::FromTyped(
          [&](AnyView value, int region) { seen += " " + text(Any(value)) + "/" + std::to_string(region); });
      Function skip = Function::FromTyped([&](AnyView) { return 1; });
      printf("walk %s, order %d: %s", name.c_str(), order,
             outcome([&] {
               return call("ffi.StructuralWalk", {root, Array<Any>({Array<Any>({any, see})}), none, order});
             }).c_str());
      printf("%s\n", seen.c_str());
      seen.clear();
      outcome(
          [&] { return call("ffi.StructuralWalk", {root, none, Array<Any>({Array<Any>({any, see_region})}), order}); });
      printf("  regions:%s\n", seen.c_str());
      seen.clear();
      Any skip_arrays = Array<Any>({Array<Any>({int(TypeIndex::kTVMFFIArray), skip}),
                                    Array<Any>({int(TypeIndex::kTVMFFIStr), see}), Array<Any>({any, see})});
      outcome([&] { return call("ffi.StructuralWalk", {root, skip_arrays, none, order}); });
      printf("  skipping Arrays:%s\n", seen.c_str());
      seen.clear();
      auto engine = [&](AnyView value) {
        seen += " " + text(Any(value));
        return WalkResult::Advance();
      };
      if (order == 0) {
        StructuralWalk<WalkOrder::kPreOrder>(root, engine);
      } else {
        StructuralWalk<WalkOrder::kPostOrder>(root, engine);
      }
      printf("  by the headers:%s\n", seen.c_str());
      int countdown = 3;
      Function stop = Function::FromTyped([&](AnyView value) -> Any {
        if (--countdown == 0) return VisitInterrupt(Any(value));
        return nullptr;
      });
      printf("  stopped: %s\n", outcome([&] {
                                  return call("ffi.StructuralWalk",
                                              {root, Array<Any>({Array<Any>({any, stop})}), none, order});
                                }).c_str());
      countdown = 3;
      Function fail = Function::FromTyped([&](AnyView value) -> Any {
        if (--countdown == 0) TVM_FFI_THROW(ValueError) << "the third";
        return nullptr;
      });
      printf("  failed: %s\n", failure(root, [&] {
                                 return call("ffi.StructuralWalk",
                                             {root, Array<Any>({Array<Any>({any, fail})}), none, order});
                               }).c_str());
      Function odd = Function::FromTyped([&](AnyView) { return "odd"; });
      printf("  odd: %s\n", failure(root, [&] {
                              return call("ffi.StructuralWalk",
                                          {root, Array<Any>({Array<Any>({any, odd})}), none, order});
                            }).c_str());
    }
    std::string seen;
    Function free = Function::FromTyped([&](AnyView value, StructuralVisitor visitor) -> Any {
      seen += " " + text(Any(value)) + "/" +
              std::to_string(call("ffi.StructuralVisitorDefRegionKind", {visitor}).cast<int>());
      if (value.type_index() == TypeIndex::kTVMFFIInt) return nullptr;
      return call("ffi.StructuralVisitorDefaultVisit", {visitor, Any(value)});
    });
    printf("visit %s: %s", name.c_str(),
           outcome([&] { return call("ffi.StructuralVisit", {root, Array<Any>({Array<Any>({any, free})})}); }).c_str());
    printf("%s\n", seen.c_str());
    seen.clear();
    Function in_region = Function::FromTyped([&](AnyView value, StructuralVisitor visitor) -> Any {
      seen += " " + std::to_string(call("ffi.StructuralVisitorDefRegionKind", {visitor}).cast<int>());
      Function inner =
          Function::FromTyped([&] { return call("ffi.StructuralVisitorDefaultVisit", {visitor, Any(value)}); });
      return call("ffi.StructuralVisitorWithDefRegionKind", {visitor, 2, inner});
    });
    outcome([&] { return call("ffi.StructuralVisit", {root, Array<Any>({Array<Any>({any, in_region})})}); });
    printf("  in simple regions:%s\n", seen.c_str());
  }
  printf("%s\n", outcome([&] { return call("ffi.StructuralWalk", {1, Array<Any>({3}), none, 0}); }).c_str());
  printf("%s\n",
         outcome([&] { return call("ffi.StructuralWalk", {1, Array<Any>({Array<Any>({1})}), none, 0}); }).c_str());
  printf("%s\n",
         outcome([&] { return call("ffi.StructuralWalk", {1, Array<Any>({Array<Any>({"a", 2})}), none, 0}); }).c_str());
  printf("%s\n",
         outcome([&] { return call("ffi.StructuralWalk", {1, Array<Any>({Array<Any>({1, 2})}), none, 0}); }).c_str());
  printf("%s\n", text(call("ffi.VisitInterrupt", {Any(Array<Any>({1}))})).c_str());
}
