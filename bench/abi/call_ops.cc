// Operations of the kind kCall: short calls of builtin functions, as Python and other languages make for each element.
#include "bench.h"
#include "classes.h"

namespace bench {
namespace {

using namespace tvm::ffi;

Array<Any> SomeArray() { return {1, "two", 3.0, "a string that is rather long"}; }
List<Any> SomeList() { return {1, "two", 3.0, "a string that is rather long"}; }
Map<String, Any> SomeMap() { return {{"one", 1}, {"two", 2}, {"three", 3}}; }
Dict<String, Any> SomeDict() { return {{"one", 1}, {"two", 2}, {"three", 3}}; }

Body ListAppendAndPop() {
  List<Any> list = SomeList();
  list.reserve(16);
  return Each([append = Call("ffi.ListAppend", list, 17), pop = Call("ffi.ListPop", list, 4)]() mutable {
    append();
    pop();
  });
}

Body ListInsertAndErase() {
  List<Any> list = SomeList();
  list.reserve(16);
  return Each([insert = Call("ffi.ListInsert", list, 1, 17), erase = Call("ffi.ListErase", list, 1)]() mutable {
    insert();
    erase();
  });
}

Body DictSetAndErase() {
  Dict<String, Any> dict = SomeDict();
  return Each([set = Call("ffi.DictSetItem", dict, "four", 4), erase = Call("ffi.DictErase", dict, "four")]() mutable {
    set();
    erase();
  });
}

// One step of a loop over a map: key, value, next.
Body IteratorStep() {
  Map<int64_t, int64_t> map;
  for (int64_t i = 0; i < 1000; i++) map.Set(i, i);
  Function make = Function::GetGlobalRequired("ffi.MapForwardIterFunctor");
  Function iterator = make(map).cast<Function>();
  return Each([make, map, iterator, i = 0]() mutable {
    Keep(iterator(0));
    Keep(iterator(1));
    iterator(2);
    if (++i == 999) {
      iterator = make(map).cast<Function>();
      i = 0;
    }
  });
}

const char* const long_text = "a string that is rather long";

const Define ops[] = {
    {Kind::kCall, "ffi.Array, 4 values", [] { return Calls("ffi.Array", 1, 2, "three", 4.0); }},
    {Kind::kCall, "ffi.ArrayGetItem", [] { return Calls("ffi.ArrayGetItem", SomeArray(), 1); }},
    {Kind::kCall, "ffi.ArraySize", [] { return Calls("ffi.ArraySize", SomeArray()); }},
    {Kind::kCall, "ffi.ArrayContains", [] { return Calls("ffi.ArrayContains", SomeArray(), long_text); }},
    {Kind::kCall, "ffi.List, 4 values", [] { return Calls("ffi.List", 1, 2, "three", 4.0); }},
    {Kind::kCall, "ffi.ListGetItem", [] { return Calls("ffi.ListGetItem", SomeList(), 1); }},
    {Kind::kCall, "ffi.ListSetItem", [] { return Calls("ffi.ListSetItem", SomeList(), 1, 5); }},
    {Kind::kCall, "ffi.ListContains", [] { return Calls("ffi.ListContains", SomeList(), long_text); }},
    {Kind::kCall, "ffi.ListAppend, ffi.ListPop", ListAppendAndPop},
    {Kind::kCall, "ffi.ListInsert, ffi.ListErase", ListInsertAndErase},
    {Kind::kCall, "ffi.ListReverse", [] { return Calls("ffi.ListReverse", SomeList()); }},
    {Kind::kCall, "ffi.Map, 3 pairs", [] { return Calls("ffi.Map", "a", 1, "b", 2, "c", 3); }},
    {Kind::kCall, "ffi.Map, 8 pairs",
     [] { return Calls("ffi.Map", "a", 1, "b", 2, "c", 3, "d", 4, "e", 5, "f", 6, "g", 7, "h", 8); }},
    {Kind::kCall, "ffi.MapGetItem", [] { return Calls("ffi.MapGetItem", SomeMap(), "two"); }},
    {Kind::kCall, "ffi.MapGetItemOrMissing, missing", [] { return Calls("ffi.MapGetItemOrMissing", SomeMap(), "no"); }},
    {Kind::kCall, "ffi.MapCount", [] { return Calls("ffi.MapCount", SomeMap(), "two"); }},
    {Kind::kCall, "ffi.MapSize", [] { return Calls("ffi.MapSize", SomeMap()); }},
    {Kind::kCall, "ffi.MapForwardIterFunctor", [] { return Calls("ffi.MapForwardIterFunctor", SomeMap()); }},
    {Kind::kCall, "map iterator: key, value, next", IteratorStep},
    {Kind::kCall, "ffi.Dict, 8 pairs",
     [] { return Calls("ffi.Dict", "a", 1, "b", 2, "c", 3, "d", 4, "e", 5, "f", 6, "g", 7, "h", 8); }},
    {Kind::kCall, "ffi.DictSetItem, present", [] { return Calls("ffi.DictSetItem", SomeDict(), "two", 5); }},
    {Kind::kCall, "ffi.DictSetItem, ffi.DictErase", DictSetAndErase},
    {Kind::kCall, "ffi.DictGetItem", [] { return Calls("ffi.DictGetItem", SomeDict(), "two"); }},
    {Kind::kCall, "ffi.Shape, 4 dimensions", [] { return Calls("ffi.Shape", 1, 2, 3, 4); }},
    {Kind::kCall, "ffi.String", [] { return Calls("ffi.String", long_text); }},
    {Kind::kCall, "ffi.Bytes", [] { return Calls("ffi.Bytes", tvm::ffi::Bytes("bytes that are rather long")); }},
    {Kind::kCall, "ffi.GetInvalidObject", [] { return Calls("ffi.GetInvalidObject"); }},
    {Kind::kCall, "ffi.MakeObjectFromPackedArgs, 3 fields",
     [] {
       return Calls("ffi.MakeObjectFromPackedArgs", PairObj::RuntimeTypeIndex(), "number", 1, "left", 2, "right", 3);
     }},
    {Kind::kCall, "__ffi_init__ of a C++ class, 3 fields",
     [] {
       Function init = reflection::TypeAttrColumn("__ffi_init__")[PairObj::RuntimeTypeIndex()].cast<Function>();
       return Each([init] { Keep(init(1, 2, 3)); });
     }},
    {Kind::kCall, "ffi.GetGlobalFuncMetadata", [] { return Calls("ffi.GetGlobalFuncMetadata", "ffi.ListInsert"); }},
    {Kind::kCall, "ffi.FunctionListGlobalNamesFunctor", [] { return Calls("ffi.FunctionListGlobalNamesFunctor"); }},
    {Kind::kCall, "ffi.ContainerFindFirstNonCPUDevice",
     [] { return Calls("ffi.ContainerFindFirstNonCPUDevice", SomeArray()); }},
    {Kind::kCall, "ffi.StructuralEqual, 2 objects",
     [] { return Calls("ffi.StructuralEqual", Pair(1, 2, 3), Pair(1, 2, 3), false, false); }},
    {Kind::kCall, "ffi.StructuralHash, an object",
     [] { return Calls("ffi.StructuralHash", Pair(1, 2, 3), false, false); }},
    {Kind::kCall, "ffi.StructuralEqual, 2 maps",
     [] { return Calls("ffi.StructuralEqual", SomeMap(), SomeMap(), false, false); }},
    {Kind::kCall, "ffi.StructuralHash, a map", [] { return Calls("ffi.StructuralHash", SomeMap(), false, false); }},
    {Kind::kCall, "ffi.StructuralKey", [] { return Calls("ffi.StructuralKey", Pair(1, 2, 3)); }},
    {Kind::kCall, "ffi.RecursiveEq, 2 arrays", [] { return Calls("ffi.RecursiveEq", SomeArray(), SomeArray()); }},
    {Kind::kCall, "ffi.RecursiveHash, an array", [] { return Calls("ffi.RecursiveHash", SomeArray()); }},
    {Kind::kCall, "ffi.RecursiveEq, 2 maps", [] { return Calls("ffi.RecursiveEq", SomeMap(), SomeMap()); }},
    {Kind::kCall, "ffi.RecursiveHash, a map", [] { return Calls("ffi.RecursiveHash", SomeMap()); }},
    {Kind::kCall, "ffi.RecursiveLt, 2 ints", [] { return Calls("ffi.RecursiveLt", 1, 2); }},
    {Kind::kCall, "ffi.DeepCopy, an array", [] { return Calls("ffi.DeepCopy", SomeArray()); }},
    {Kind::kCall, "ffi.DeepCopy, a map", [] { return Calls("ffi.DeepCopy", SomeMap()); }},
    {Kind::kCall, "ffi.ReprPrint, an array", [] { return Calls("ffi.ReprPrint", SomeArray()); }},
    {Kind::kCall, "ffi.json.Parse, 40 bytes",
     [] { return Calls("ffi.json.Parse", "{\"a\": [1, 2, 3], \"b\": \"text\"}"); }},
    {Kind::kCall, "ffi.json.Stringify, an array", [] { return Calls("ffi.json.Stringify", SomeArray(), nullptr); }},
    {Kind::kCall, "ffi.ToJSONGraph, an object", [] { return Calls("ffi.ToJSONGraph", Pair(1, 2, 3), nullptr); }},
};

}  // namespace
}  // namespace bench
