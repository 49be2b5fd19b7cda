// Prints the results of structural mutations, by the global functions and by the headers' own engines.
#include <tvm/ffi/extra/structural_mutate.h>

#include "values.h"

static std::string text(const Any& v) { return std::string(call("ffi.ReprPrint", {v}).cast<String>()); }

static Any unchanged() { return Any(Unchanged()); }

template <typename F>
static std::string failure(F f) {
  try {
    return text(f());
  } catch (const Error& e) {
    auto context = VisitErrorContext::TryGetFromError(e);
    std::string out = e.kind() + ": " + e.message();
    return context ? out + " passing " + std::to_string(context.value()->reverse_visit_pattern.size()) : out;
  }
}

int main() {
  auto all = values();
  ObjectRef x = Ref<VarObj>::Make(String("x")), y = Ref<VarObj>::Make(String("y"));
  all.emplace_back("uses of x", Array<Any>({Ref<FuncObj>::Make(Array<Any>({x}), Array<Any>({x, y, 1}), nullptr), x}));
  Array<Any> none;
  int32_t any = TypeIndex::kTVMFFIAny, integer = TypeIndex::kTVMFFIInt;
  int32_t var = VarObj::RuntimeTypeIndex();
  Function add = Function::FromTyped([](int64_t v) { return v + 100; });
  Function same = Function::FromTyped([](AnyView) { return unchanged(); });
  Function rename = Function::FromTyped(
      [](AnyView v) -> Any { return Ref<VarObj>::Make(String(std::string(v.cast<const VarObj*>()->name) + "'")); });
  Function tell = Function::FromTyped([](AnyView v, int region) -> Any { return Array<Any>({Any(v), region}); });
  Function fail = Function::FromTyped([](AnyView v) -> Any { TVM_FFI_THROW(ValueError) << "no"; });
  for (auto& [name, v] : all) {
    const Any& root = v;
    bool addressed = name == "function" || name == "plain" || name == "path";
    if (addressed) continue;
    for (int order = 0; order < 2; order++) {
      std::string label = name + ", order " + std::to_string(order);
      auto map = [&](Any callbacks, Any with_region) {
        return call("ffi.StructuralMap", {root, callbacks, with_region, order});
      };
      printf("%s: %s\n", label.c_str(),
             failure([&] { return map(Array<Any>({Array<Any>({integer, add})}), none); }).c_str());
      Any result;
      outcome([&] {
        result = map(Array<Any>({Array<Any>({any, same})}), none);
        return result;
      });
      printf("  unchanged: %d\n", int(result.same_as(root)));
      printf("  variables: %s\n", failure([&] { return map(Array<Any>({Array<Any>({var, rename})}), none); }).c_str());
      printf("  failed: %s\n", failure([&] { return map(Array<Any>({Array<Any>({integer, fail})}), none); }).c_str());
      if (order == 1)
        printf("  regions: %s\n", failure([&] { return map(none, Array<Any>({Array<Any>({var, tell})})); }).c_str());
    }
    printf("  still: %s\n", text(root).c_str());
    Function freely = Function::FromTyped([&](AnyView value, StructuralMutator mutator) -> Any {
      if (auto i = value.as<int64_t>()) return *i * 2;
      Any made = call("ffi.StructuralMutatorDefaultMutate", {mutator, Any(value)});
      if (made.type_index() == TypeIndex::kTVMFFIArray) {
        auto items = made.cast<Array<Any>>();
        items.push_back(call("ffi.StructuralMutatorDefRegionKind", {mutator}));
        return items;
      }
      return made;
    });
    printf("  freely: %s\n", failure([&] {
                               return call("ffi.StructuralMutate",
                                           {root, Array<Any>({Array<Any>({any, freely, false})})});
                             }).c_str());
    printf(
        "  by the headers: %s\n",
        failure([&] { return StructuralMap<WalkOrder::kPostOrder>(root, [](int64_t i) { return i + 1; }); }).c_str());
  }
  // A value with a single owner is changed in place.
  for (int order = 0; order < 2; order++) {
    Any array = Array<Any>({1, List<Any>({2}), Map<Any, Any>({{"k", 3}}), Dict<Any, Any>({{"k", Array<Any>({4})}})});
    const Object* before = array.as<Object>();
    const Object* inner = array.cast<Array<Any>>()[1].as<Object>();
    Function f = Function::GetGlobalRequired("ffi.StructuralMap");
    auto args = std::make_tuple(Array<Any>({Array<Any>({integer, add})}));
    ObjectRef root = array.cast<ObjectRef>();
    array = nullptr;
    Any made = f(RValueRef<ObjectRef>(std::move(root)), std::get<0>(args), none, order);
    printf("in place: %d %d %s\n", int(made.as<Object>() == before),
           int(made.cast<Array<Any>>()[1].as<Object>() == inner), text(made).c_str());
  }
  Function remap = Function::FromTyped([&](AnyView value, StructuralMutator mutator) -> Any {
    Any known = call("ffi.StructuralMutatorVarRemapGet", {mutator, Any(value)});
    if (known != nullptr) return known;
    Any fresh = Ref<VarObj>::Make(String("fresh"));
    call("ffi.StructuralMutatorVarRemapSet", {mutator, Any(value), fresh});
    return fresh;
  });
  Any renamed = call("ffi.StructuralMutate", {Array<Any>({x, y, x}), Array<Any>({Array<Any>({var, remap, false})})});
  auto items = renamed.cast<Array<Any>>();
  printf("renamed: %s %d %d\n", text(renamed).c_str(), int(items[0].same_as(items[2])),
         int(items[0].same_as(items[1])));
  Function mode = Function::FromTyped([&](AnyView, StructuralMutator, int mode) -> Any { return mode; });
  printf("mode: %s\n", outcome([&] {
                         return call("ffi.StructuralMutate", {Array<Any>({1, Array<Any>({2})}),
                                                              Array<Any>({Array<Any>({integer, mode, true})})});
                       }).c_str());
  printf("%s\n",
         outcome([&] { return call("ffi.StructuralMutate", {1, Array<Any>({Array<Any>({1, mode})})}); }).c_str());
  printf("%s\n",
         outcome([&] { return call("ffi.StructuralMutate", {1, Array<Any>({Array<Any>({1, mode, "a"})})}); }).c_str());
}
