// Prints results that must be the same with every implementation: a test compares the outputs.
#include "support.h"

namespace cross {
namespace {

void Print(const char* what, const char* in, Function f, const AnyView* args, int n, const Any& same) {
  try {
    Any result;
    f.CallPacked(args, n, &result);
    std::printf("%s(%s) -> %s%s\n", what, in, result.GetTypeKey().c_str(),
                n == 1 && result.same_as(same) ? ", the same" : "");
  } catch (const Error& e) {
    std::printf("%s(%s) -> %s: %s\n", what, in, e.kind().c_str(), e.message().c_str());
  }
}

void Converters() {
  TVMFFIByteArray name{"__ffi_convert__", 15};
  const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&name);
  std::vector<Any> inputs{Any(),
                          Any(1),
                          Any(true),
                          Any(2.5),
                          Any(String("abc")),
                          Any(String("a string beyond small")),
                          Any(Bytes("abc", 3)),
                          Any(Array<Any>{1, 2}),
                          Any(Array<Any>{1, "x"}),
                          Any(List<Any>{1, true}),
                          Any(Map<Any, Any>{{1, 2}}),
                          Any(Dict<Any, Any>{{1, 2}}),
                          Any(Shape({1, 2})),
                          Any(Error("ValueError", "x", "")),
                          Any(Function::GetGlobalRequired("ffi.Array")),
                          Any(ObjectRef(make_object<PlainKeyObj>()))};
  TVMFFIByteArray bytes{"bytes", 5};
  DLTensor tensor{};
  for (int32_t i = 0; i < column->size; i++) {
    int32_t type_index = i + column->begin_index;
    if (column->data[i].type_index != TypeIndex::kTVMFFIFunction || type_index >= TypeIndex::kTVMFFIDynObjectBegin + 16)
      continue;
    std::string key(TVMFFIGetTypeInfo(type_index)->type_key.data, TVMFFIGetTypeInfo(type_index)->type_key.size);
    Function f = AnyView::CopyFromTVMFFIAny(column->data[i]).cast<Function>();
    for (const Any& in : inputs) {
      AnyView view(in);
      Print(key.c_str(), in.GetTypeKey().c_str(), f, &view, 1, in);
    }
    AnyView borrowed[] = {AnyView("raw"), AnyView("raw and longer than small"), AnyView(&bytes), AnyView(&tensor)};
    for (const AnyView& view : borrowed) Print(key.c_str(), view.GetTypeKey().c_str(), f, &view, 1, Any());
    Print(key.c_str(), "", f, borrowed, 0, Any());
    Print(key.c_str(), "two", f, borrowed, 2, Any());
  }
}

// Every container function with arguments of every kind.
void Functions() {
  const char* names[] = {"ffi.Array",
                         "ffi.ArrayGetItem",
                         "ffi.ArraySize",
                         "ffi.ArrayContains",
                         "ffi.List",
                         "ffi.ListGetItem",
                         "ffi.ListSetItem",
                         "ffi.ListSize",
                         "ffi.ListContains",
                         "ffi.ListAppend",
                         "ffi.ListInsert",
                         "ffi.ListPop",
                         "ffi.ListErase",
                         "ffi.ListEraseRange",
                         "ffi.ListReplaceSlice",
                         "ffi.ListReverse",
                         "ffi.ListClear",
                         "ffi.ListReserve",
                         "ffi.Map",
                         "ffi.MapSize",
                         "ffi.MapGetItem",
                         "ffi.MapCount",
                         "ffi.MapGetItemOrMissing",
                         "ffi.MapForwardIterFunctor",
                         "ffi.Dict",
                         "ffi.DictSize",
                         "ffi.DictGetItem",
                         "ffi.DictCount",
                         "ffi.DictGetItemOrMissing",
                         "ffi.DictForwardIterFunctor",
                         "ffi.DictSetItem",
                         "ffi.DictErase",
                         "ffi.DictClear",
                         "ffi.ContainerFindFirstNonCPUDevice",
                         "ffi.Shape"};
  for (const char* name : names) {
    Function f = Function::GetGlobalRequired(name);
    std::printf("%s: %s\n", name, Call("ffi.GetGlobalFuncMetadata", name).cast<String>().c_str());
    for (int first = 0; first < 8; first++) {
      for (int n = 0; n <= 4; n++) {
        Any args[] = {Any(), Any(first % 3), Any(first - 2), Any(first % 4), Any(Array<Any>{1, 2})};
        switch (first) {
          case 1:
            args[0] = Array<Any>{1, 2, 3};
            break;
          case 2:
            args[0] = List<Any>{1, 2, 3};
            break;
          case 3:
            args[0] = Map<Any, Any>{{1, "one"}, {2, "two"}};
            break;
          case 4:
            args[0] = Dict<Any, Any>{{1, "one"}, {2, "two"}, {3, 3}, {4, 4}, {5, 5}};
            break;
          case 5:
            args[0] = 7;
            break;
          case 6:
            args[0] = List<Any>{3, 2, 1};
            args[3] = List<Any>{8, 9};
            break;
          case 7:
            args[0] = Shape({1, 2});
            break;
        }
        std::vector<AnyView> views(args, args + 5);
        char in[64];
        std::snprintf(in, sizeof(in), "%d, %d arguments", first, n);
        Print(name, in, f, views.data(), n, Any());
        if (auto list = args[0].as<List<Any>>()) {
          for (const Any& e : *list) std::printf(" %d", e.type_index() == 1 ? e.cast<int>() : -e.type_index());
          std::printf(" of %zu\n", list->capacity());
        }
        if (auto dict = args[0].as<Dict<Any, Any>>()) {
          for (const auto& kv : *dict)
            std::printf(" %d", kv.first.type_index() == 1 ? kv.first.cast<int>() : -kv.first.type_index());
          std::printf(" of %lx\n", CellOf(*dict)->slots);
        }
      }
    }
  }
}

}  // namespace

void Report() {
  Converters();
  Functions();
}

}  // namespace cross
