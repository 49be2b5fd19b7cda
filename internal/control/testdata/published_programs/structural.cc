// Prints the results of the structural operations and of JSON graphs on a fixed set of values.
#include "values.h"

int main() {
  auto all = values();
  for (auto& [name, v] : all) {
    const Any& value = v;
    bool by_address = name.find("->y") != std::string::npos && name[0] == 'x' && name[1] == '-';
    if (!by_address) {
      printf("hash %s: %s\n", name.c_str(),
             outcome([&] { return call("ffi.StructuralHash", {value, false, false}); }).c_str());
      printf("hash %s, free: %s\n", name.c_str(),
             outcome([&] { return call("ffi.StructuralHash", {value, true, false}); }).c_str());
    }
    printf("graph %s: %s\n", name.c_str(),
           outcome([&] { return call("ffi.ToJSONGraphString", {value, nullptr}); }).c_str());
    printf("graph value %s: %s\n", name.c_str(),
           outcome([&] {
             return call("ffi.json.Stringify", {call("ffi.ToJSONGraph", {value, Map<Any, Any>({{"v", 1}})}), nullptr});
           }).c_str());
    printf("back %s: %s\n", name.c_str(),
           outcome([&] {
             return call("ffi.ToJSONGraphString",
                         {call("ffi.FromJSONGraph", {call("ffi.ToJSONGraph", {value, nullptr})}), nullptr});
           }).c_str());
    for (auto& [other_name, w] : all) {
      for (int free = 0; free < 2; free++) {
        const Any& other = w;
        std::string equal = outcome([&] { return call("ffi.StructuralEqual", {value, other, free != 0, false}); });
        if (equal == "false" && value.type_index() != other.type_index()) continue;
        printf("%s == %s, free %d: %s %s\n", name.c_str(), other_name.c_str(), free, equal.c_str(),
               outcome([&] {
                 Any m = call("ffi.GetFirstStructuralMismatch", {value, other, free != 0, false});
                 if (m == nullptr) return Any(String("equal"));
                 auto paths = m.cast<Array<Any>>();
                 return Any(String(std::string(call("ffi.ReprPrint", {paths[0]}).cast<String>()) + " | " +
                                   std::string(call("ffi.ReprPrint", {paths[1]}).cast<String>())));
               }).c_str());
      }
    }
  }
  Any key1 = call("ffi.StructuralKey", {Array<Any>({1, "a"})}),
      key2 = call("ffi.StructuralKey", {Array<Any>({1, "a"})});
  Map<Any, Any> by_key({{key1, 1}});
  printf("by structural key: %d %d\n", int(by_key.count(key2)), int(by_key.count(Array<Any>({1, "a"}))));
  printf("keys equal: %s\n", outcome([&] { return call("ffi.StructuralKeyEqual", {key1, key2}); }).c_str());
  printf("no key: %s\n", outcome([&] { return call("ffi.StructuralKeyEqual", {key1, 2}); }).c_str());
  printf("keys in a graph: %s\n",
         outcome([&] { return call("ffi.ToJSONGraphString", {Array<Any>({key1, key2}), nullptr}); }).c_str());
  List<Any> cycle;
  cycle.push_back(1);
  cycle.push_back(cycle);
  printf("cycle: %s\n", outcome([&] { return call("ffi.ToJSONGraphString", {cycle, nullptr}); }).c_str());
  Dict<Any, Any> round;
  round.Set("self", round);
  printf("cycle: %s\n", outcome([&] { return call("ffi.ToJSONGraphString", {round, nullptr}); }).c_str());
  cycle.clear();
  round.clear();
  for (
      const char* text : {
          "[]",
          "{}",
          R"({"root_index":true,"nodes":[]})",
          R"({"root_index":0})",
          R"({"root_index":0,"nodes":{}})",
          R"({"root_index":0,"nodes":[]})",
          R"({"root_index":-1,"nodes":[{"type":"None"}]})",
          R"({"root_index":0,"nodes":[{"type":"None"}]})",
          R"({"root_index":0,"nodes":[{}]})",
          R"({"root_index":0,"nodes":[3]})",
          R"({"root_index":0,"nodes":[{"type":"int"}]})",
          R"({"root_index":0,"nodes":[{"type":"int","data":true}]})",
          R"({"root_index":0,"nodes":[{"type":"float","data":3}]})",
          R"({"root_index":0,"nodes":[{"type":"bool","data":3}]})",
          R"({"root_index":0,"nodes":[{"type":"int","data":"a"}]})",
          R"({"root_index":0,"nodes":[{"type":"graphs.Nope","data":1}]})",
          R"({"root_index":0,"nodes":[{"type":"ffi.Map","data":[0]}]})",
          R"({"root_index":0,"nodes":[{"type":"ffi.Array","data":["x"]}]})",
          R"({"root_index":0,"nodes":[{"type":"ffi.Array","data":[7]}]})",
          R"({"root_index":0,"nodes":[{"type":"Device","data":[1]}]})",
          R"({"root_index":0,"nodes":[{"type":"Device","data":["a",1]}]})",
          R"({"root_index":0,"nodes":[{"type":"ffi.Bytes","data":"abc"}]})",
          R"({"root_index":0,"nodes":[{"type":"ffi.Bytes","data":"YWJj!!=="}]})",
          R"({"root_index":0,"nodes":[{"type":"ffi.Shape","data":[1,2]}]})",
          R"({"root_index":0,"nodes":[{"type":"DataType","data":"float16x4"}]})",
          R"({"root_index":0,"nodes":[{"type":"ffi.Function","data":{}}]})",
          R"({"root_index":0,"nodes":[{"type":"graphs.Leaf","data":{"number":3}}]})",
          R"({"root_index":0,"nodes":[{"type":"graphs.Leaf","data":{}}]})",
          R"({"root_index":0,"nodes":[{"type":"graphs.Leaf","data":{"number":1,"text":1,"real":2,"extra":0}},{"type":"ffi.String","data":"later"}]})",
          R"({"root_index":0,"nodes":[{"type":"graphs.Leaf","data":{"number":1,"text":1}},{"type":"int","data":4}]})",
          R"({"root_index":0,"nodes":[{"type":"graphs.Leaf","data":[]}]})",
          R"({"root_index":0,"nodes":[{"type":"graphs.Plain","data":{"value":1}}]})",
          R"({"root_index":1,"nodes":[{"type":"graphs.Var","data":{"name":2}},{"type":"ffi.Array","data":[0,0]},{"type":"ffi.String","data":"v"}]})",
          R"({"root_index":0,"nodes":[{"type":"ffi.IntEnum","data":1}]})",
          R"({"root_index":0,"nodes":[{"type":"ffi.StrEnum","data":"a"}]})",
      }) {
    printf("%s: %s\n", text, outcome([&] {
                               return call("ffi.ToJSONGraphString", {call("ffi.FromJSONGraphString", {text}), nullptr});
                             }).c_str());
  }
}
