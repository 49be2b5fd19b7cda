// Prints deep copies, texts, recursive comparisons and hashes of a fixed set of values.
#include "values.h"

int main() {
  auto all = values();
  std::string odd = "tab\t quote\" back\\ nul";
  odd += '\0';
  odd += "\x1b[31mred\x1b[0m \x1b[2J del\x7f \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 bad\xff\xc3 \xe2\x82 \xed\xa0\x80";
  all.emplace_back("odd string", String(odd));
  all.emplace_back("odd bytes", Bytes(odd.data(), odd.size()));
  for (double v : {1e20, 123456.0, 1234567.0, 1e-5, 0.0001, 1.0 / 3, -2.5e-300, 1e308 * 10, -1e308 * 10}) {
    all.emplace_back("float " + std::to_string(v), v);
  }
  all.emplace_back("(1,)", Array<Any>({1}));
  all.emplace_back("error", Error("ValueError", "message", ""));
  all.emplace_back("missing", call("ffi.GetInvalidObject", {}));
  all.emplace_back("[missing]", Array<Any>({call("ffi.GetInvalidObject", {}), call("ffi.GetKwargsObject", {})}));
  for (int t : {1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}) {
    all.emplace_back("device " + std::to_string(t), DLDevice{static_cast<DLDeviceType>(t), 2});
  }
  List<Any> self;
  self.push_back(1);
  self.push_back(self);
  List<Any> other;
  other.push_back(1);
  other.push_back(other);
  all.emplace_back("cycle", self);
  all.emplace_back("other cycle", other);
  Dict<Any, Any> round;
  round.Set("self", Array<Any>({round, 2}));
  all.emplace_back("dict cycle", round);
  ObjectRef shared = leaf(9, 1, "shared by many", Array<Any>({1, 2}));
  all.emplace_back("shared", Array<Any>({shared, shared, pair(shared, shared)}));
  for (auto& [name, v] : all) {
    const Any& value = v;
    bool by_address = name == "function" || name == "error";  // hashed by address
    printf("repr %s: %s\n", name.c_str(), outcome([&] { return call("ffi.ReprPrint", {value}); }).c_str());
    if (!by_address)
      printf("hash %s: %s\n", name.c_str(), outcome([&] { return call("ffi.RecursiveHash", {value}); }).c_str());
    printf("copy %s: %s\n", name.c_str(),
           outcome([&] {
             Any copy = call("ffi.DeepCopy", {value});
             std::string same = copy.same_as(value) ? "itself" : "another";
             return Any(String(same + " " + std::string(call("ffi.ReprPrint", {copy}).cast<String>())));
           }).c_str());
    for (auto& [other_name, w] : all) {
      const Any& second = w;
      printf("%s ? %s:", name.c_str(), other_name.c_str());
      for (const char* op : {"Eq", "Lt", "Le", "Gt", "Ge"}) {
        printf(" %s",
               outcome([&] { return call((std::string("ffi.Recursive") + op).c_str(), {value, second}); }).c_str());
      }
      printf("\n");
    }
  }
  // The objects that a copy shares with the original.
  auto copied = call("ffi.DeepCopy", {Array<Any>({shared, shared, self})}).cast<Array<Any>>();
  printf("shared twice: %d\n", int(copied[0].same_as(copied[1])));
  auto list = copied[2].cast<List<Any>>();
  printf("cycle kept: %d %d\n", int(list[1].same_as(list)), int(list.same_as(self)));
  auto dict = call("ffi.DeepCopy", {round}).cast<Dict<Any, Any>>();
  printf("cycle through an Array kept: %d\n", int(dict["self"].cast<Array<Any>>()[0].same_as(dict)));
  List<Any> inner;
  Array<Any> outer({inner, 3});
  inner.push_back(outer);
  auto array = call("ffi.DeepCopy", {outer}).cast<Array<Any>>();
  printf("cycle through a List kept: %d\n", int(array[0].cast<List<Any>>()[0].same_as(array)));
  Dict<Any, Any> keyed;
  Array<Any> key({keyed});
  keyed.Set(key, key);
  array = call("ffi.DeepCopy", {key}).cast<Array<Any>>();
  printf("cycle through keys kept: %d\n", int(array[0].cast<Dict<Any, Any>>()[array].same_as(array)));
  self.clear();
  other.clear();
  round.clear();
  inner.clear();
  keyed.clear();
}
