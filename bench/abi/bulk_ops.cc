// Operations of the kind kBulk: calls of builtin functions that do much work.
#include "bench.h"
#include "classes.h"

namespace bench {
namespace {

using namespace tvm::ffi;

// A JSON document of about 10 MB with values of every kind.
const String& Document() {
  static const String document = [] {
    std::string text = "[";
    for (int i = 0; text.size() < 10000000; i++) {
      if (i != 0) text += ",";
      text += "{\"id\":" + std::to_string(i) + ",\"name\":\"entry number " + std::to_string(i * 7) +
              "\",\"weights\":[0.5,1.25," + std::to_string(i) +
              ".75],\"on\":true,\"next\":null,\"text\":\"a \\\"quoted\\\" word\\n\"}";
    }
    return String(text + "]");
  }();
  return document;
}

Any Parsed() { return Function::GetGlobalRequired("ffi.json.Parse")(Document()); }

Body ToJSONGraph(const Any& value) { return Calls("ffi.ToJSONGraph", value, nullptr); }

Body FromJSONGraph(const Any& value) {
  return Calls("ffi.FromJSONGraph", Function::GetGlobalRequired("ffi.ToJSONGraph")(value, nullptr));
}

Body MapOfMany() {
  Function set = Function::GetGlobalRequired("ffi.DictSetItem");
  return Each([set] {
    Dict<int64_t, int64_t> dict;
    for (int64_t i = 0; i < 100000; i++) set(dict, i * 7919, i);
    Keep(dict);
  });
}

Body ArrayOfMany() {
  List<Any> list;
  for (int64_t i = 0; i < 100000; i++) list.push_back(Pair(i, nullptr, nullptr));
  Function make = Function::GetGlobalRequired("ffi.Array");
  return Each([make, list] {
    Any result;
    std::vector<AnyView> args(list.begin(), list.end());
    make.CallPacked(args.data(), static_cast<int32_t>(args.size()), &result);
  });
}

// 65535 and 131071 objects. The peer runs out of stack on a chain that is a few thousand objects deep.
const int levels = 16;
const int many_levels = 17;
const int length = 2000;

const Define ops[] = {
    {Kind::kBulk, "ffi.json.Parse, 10 MB", [] { return Calls("ffi.json.Parse", Document()); }},
    {Kind::kBulk, "ffi.json.Stringify, 10 MB", [] { return Calls("ffi.json.Stringify", Parsed(), nullptr); }},
    {Kind::kBulk, "ffi.json.Stringify, indented", [] { return Calls("ffi.json.Stringify", Parsed(), 2); }},
    {Kind::kBulk, "ffi.ToJSONGraph, 131071 objects", [] { return ToJSONGraph(Tree(many_levels)); }},
    {Kind::kBulk, "ffi.ToJSONGraph, chain of 2000", [] { return ToJSONGraph(Chain(length)); }},
    {Kind::kBulk, "ffi.FromJSONGraph, 131071 objects", [] { return FromJSONGraph(Tree(many_levels)); }},
    {Kind::kBulk, "ffi.FromJSONGraph, chain of 400", [] { return FromJSONGraph(Chain(400)); }},
    {Kind::kBulk, "ffi.ToJSONGraphString, 131071 objects",
     [] { return Calls("ffi.ToJSONGraphString", Tree(many_levels), nullptr); }},
    {Kind::kBulk, "ffi.StructuralEqual, tree of 65535",
     [] { return Calls("ffi.StructuralEqual", Tree(levels), Tree(levels), false, false); }},
    {Kind::kBulk, "ffi.StructuralEqual, chain of 2000",
     [] { return Calls("ffi.StructuralEqual", Chain(length), Chain(length), false, false); }},
    {Kind::kBulk, "ffi.StructuralHash, tree of 65535",
     [] { return Calls("ffi.StructuralHash", Tree(levels), false, false); }},
    {Kind::kBulk, "ffi.StructuralHash, chain of 2000",
     [] { return Calls("ffi.StructuralHash", Chain(length), false, false); }},
    {Kind::kBulk, "ffi.RecursiveEq, tree of 65535",
     [] { return Calls("ffi.RecursiveEq", Tree(levels), Tree(levels)); }},
    {Kind::kBulk, "ffi.RecursiveHash, tree of 65535", [] { return Calls("ffi.RecursiveHash", Tree(levels)); }},
    {Kind::kBulk, "ffi.DeepCopy, tree of 65535", [] { return Calls("ffi.DeepCopy", Tree(levels)); }},
    {Kind::kBulk, "ffi.ReprPrint, tree of 65535", [] { return Calls("ffi.ReprPrint", Tree(levels)); }},
    {Kind::kBulk, "ffi.Array, 100000 objects", ArrayOfMany},
    {Kind::kBulk, "ffi.DictSetItem, 100000 new keys", MapOfMany},
};

}  // namespace
}  // namespace bench
