// extra/serialization.h, extra/dataclass.h, extra/base64.h: JSON graphs, deep copies, text, order.
// Requirements: A11, A13
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/extra/base64.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <cmath>
#include <string>
#include <utility>

#include "check.h"

using namespace tvm::ffi;
namespace refl = tvm::ffi::reflection;

namespace {

class PartObj : public Object {
 public:
  int64_t id = 0;
  String name;
  Array<Any> parts;
  Any extra;
  PartObj() = default;
  PartObj(int64_t id, String name) : id(id), name(std::move(name)) {}
  static constexpr bool _type_mutable = true;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Part", PartObj, Object);
};

class Part : public ObjectRef {
 public:
  Part(int64_t id, String name) : ObjectRef(make_object<PartObj>(id, std::move(name))) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Part, ObjectRef, PartObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<PartObj>()
      .def_rw("id", &PartObj::id)
      .def_rw("name", &PartObj::name, refl::DefaultValue(String("none")))
      .def_rw("parts", &PartObj::parts, refl::DefaultFactory(Function::FromTyped([]() { return Array<Any>(); })))
      .def_rw("extra", &PartObj::extra, refl::DefaultValue(nullptr), refl::repr(false));
}

Any There(const Any& value) { return FromJSONGraph(json::Parse(json::Stringify(ToJSONGraph(value)))); }

bool Survives(const Any& value) { return StructuralEqual::Equal(value, There(value)); }

}  // namespace

TEST(graph, values) {
  CHECK(Survives(1));
  CHECK(Survives(true));
  CHECK(Survives(2.5));
  CHECK(Survives(nullptr));
  CHECK(Survives(String("short")));
  CHECK(Survives(String("a string of some length")));
  CHECK(Survives(Bytes(std::string("\x00\xff\x80 bytes", 9))));
  CHECK(Survives(DLDataType{kDLFloat, 16, 4}));
  CHECK(Survives(DLDevice{kDLCUDA, 3}));
  CHECK(Survives(Shape({1, 2, 3})));
}

TEST(graph, containers) {
  CHECK(Survives(Array<Any>{1, Array<Any>{String("x")}, nullptr}));
  CHECK(Survives(List<Any>{1, 2.5}));
  CHECK(Survives(Map<Any, Any>{{String("a"), 1}, {2, String("b")}}));
  CHECK(Survives(Dict<Any, Any>{{String("a"), Array<int>{1}}}));
}

TEST(graph, objects) {
  Part whole(1, "whole");
  whole->parts = {Part(2, "part"), 3, String("text")};
  Any back = There(whole);
  CHECK_EQ(back.cast<Part>()->name, "whole");
  CHECK_EQ(back.cast<Part>()->parts[0].cast<Part>()->id, 2);
  CHECK(StructuralEqual::Equal(whole, back));
}

TEST(graph, sharing) {
  Part shared(7, "shared");
  Array<Any> back = There(Array<Any>{shared, shared}).cast<Array<Any>>();
  CHECK(back[0].cast<ObjectRef>().same_as(back[1].cast<ObjectRef>()));
}

TEST(graph, metadata) {
  json::Object graph = ToJSONGraph(Array<int>{1}, Map<String, Any>{{"version", String("1")}}).cast<json::Object>();
  CHECK_EQ(graph[String("metadata")].cast<json::Object>()[String("version")].cast<String>(), "1");
  CHECK(graph.count(String("nodes")) == 1 && graph.count(String("root_index")) == 1);
}

TEST(graph, strings_of_global_functions) {
  Function to = Function::GetGlobalRequired("ffi.ToJSONGraphString");
  Function from = Function::GetGlobalRequired("ffi.FromJSONGraphString");
  CHECK_EQ(from(to(Array<int>{4, 5}, nullptr)).cast<Array<int>>()[1], 5);
}

TEST(graph, malformed) {
  for (const char* text :
       {"3", "{}", R"({"root_index": 0})", R"({"root_index": 5, "nodes": []})",
        R"({"root_index": 0, "nodes": [{"type": "conformance.NoSuchType"}]})",
        R"({"root_index": 0, "nodes": [{"type": "ffi.Array", "data": [9]}]})", R"({"root_index": "x", "nodes": 3})"}) {
    bool refused = false;
    try {
      FromJSONGraph(json::Parse(text));
    } catch (const Error&) {
      refused = true;
    }
    CHECK(refused);
  }
}

TEST(dataclass, deep_copy) {
  Part whole(1, "whole");
  Part shared(2, "shared");
  whole->parts = {shared, shared, List<int>{1}};
  Part copy = DeepCopy(whole).cast<Part>();
  CHECK(!copy.same_as(whole));
  CHECK(!copy->parts[0].cast<Part>().same_as(shared));
  CHECK(copy->parts[0].cast<Part>().same_as(copy->parts[1].cast<Part>()));
  copy->parts[2].cast<List<int>>().push_back(2);
  CHECK_EQ(whole->parts[2].cast<List<int>>().size(), 1u);
}

TEST(dataclass, deep_copy_of_cycles) {
  List<Any> cycle;
  cycle.push_back(cycle);
  List<Any> copy = DeepCopy(cycle).cast<List<Any>>();
  CHECK(!copy.same_as(cycle));
  CHECK(copy[0].cast<List<Any>>().same_as(copy));
  cycle.clear();
  copy.clear();
}

TEST(dataclass, repr) {
  CHECK_EQ(ReprPrint(Array<Any>{1, 2.5, true, nullptr, String("x\n")}), R"((1, 2.5, True, None, "x\n"))");
  CHECK_EQ(ReprPrint(Array<Any>{1}), "(1,)");
  CHECK_EQ(ReprPrint(List<Any>{1, 2}), "[1, 2]");
  CHECK_EQ(ReprPrint(Map<String, int>{{"k", 1}}), R"({"k": 1})");
  CHECK_EQ(ReprPrint(Shape({1, 2})), "Shape(1, 2)");
  CHECK_EQ(ReprPrint(DLDataType{kDLFloat, 32, 1}), "float32");
  CHECK_EQ(ReprPrint(DLDevice{kDLCUDA, 1}), "cuda:1");
  CHECK_EQ(ReprPrint(Part(3, "p")), R"(conformance.Part(id=3, name="p", parts=()))");
}

TEST(dataclass, repr_of_cycles) {
  List<Any> cycle;
  cycle.push_back(1);
  cycle.push_back(cycle);
  CHECK_EQ(ReprPrint(cycle), "[1, ...]");
  cycle.clear();
}

TEST(dataclass, order) {
  CHECK(RecursiveEq(Array<Any>{1, String("a")}, Array<Any>{1, String("a")}));
  CHECK(RecursiveLt(Array<int>{1, 2}, Array<int>{1, 3}));
  CHECK(RecursiveLt(Array<int>{1}, Array<int>{1, 0}));
  CHECK(RecursiveLe(String("a"), String("a")));
  CHECK(RecursiveGt(String("b"), String("a string on the heap")));
  CHECK(RecursiveGe(2.5, 2.5));
  CHECK(RecursiveEq(Part(1, "x"), Part(1, "x")));
  CHECK(!RecursiveEq(Part(1, "x"), Part(2, "x")));
  CHECK(RecursiveLt(nullptr, 0));
  CHECK_RAISES("TypeError", "Cannot compare values of different types", RecursiveLt(1, String("x")));
  CHECK(RecursiveEq(std::nan(""), std::nan("")));
  CHECK_RAISES("TypeError", "Cannot order NaN values", RecursiveLt(std::nan(""), 1.0));
}

TEST(dataclass, hash) {
  CHECK_EQ(RecursiveHash(Array<Any>{1, String("a")}), RecursiveHash(Array<Any>{1, String("a")}));
  CHECK(RecursiveHash(Array<Any>{1}) != RecursiveHash(Array<Any>{2}));
  CHECK_EQ(RecursiveHash(Part(1, "x")), RecursiveHash(Part(1, "x")));
  CHECK_EQ(RecursiveHash(0.0), RecursiveHash(-0.0));
  CHECK_EQ(RecursiveHash(Map<String, int>{{"a", 1}, {"b", 2}}), RecursiveHash(Map<String, int>{{"b", 2}, {"a", 1}}));
}

TEST(base64, both_ways) {
  CHECK_EQ(Base64Encode(Bytes(std::string("light work"))), "bGlnaHQgd29yaw==");
  CHECK_EQ(std::string(Base64Decode(String("bGlnaHQgd29yaw=="))), std::string("light work"));
}
