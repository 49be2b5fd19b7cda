// extra/json.h: parsing and printing JSON.
// Requirement: A11
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/function.h>

#include <cmath>
#include <string>

#include "check.h"

using namespace tvm::ffi;

TEST(json, scalars) {
  CHECK(json::Parse("null") == nullptr);
  CHECK_EQ(json::Parse("true").cast<bool>(), true);
  CHECK_EQ(json::Parse(" -12 ").as<int64_t>().value(), -12);
  CHECK_EQ(json::Parse("1e2").as<double>().value(), 100.0);
  CHECK_EQ(json::Parse("\"text\"").cast<String>(), "text");
  CHECK_EQ(json::Parse("9223372036854775807").as<int64_t>().value(), INT64_MAX);
}

TEST(json, escapes) {
  CHECK_EQ(json::Parse(R"("a\n\t\"\\\/b")").cast<String>(), "a\n\t\"\\/b");
  CHECK_EQ(json::Parse(R"("\u00e9\ud83d\ude00")").cast<String>(), "\u00e9\U0001f600");
  CHECK_EQ(json::Stringify(String("line\nend\x01")), R"("line\nend\u0001")");
}

TEST(json, containers) {
  json::Array a = json::Parse("[1, [2.5, {}], \"three\"]").cast<json::Array>();
  CHECK_EQ(a.size(), 3u);
  CHECK_EQ(a[1].cast<json::Array>()[0].cast<double>(), 2.5);
  json::Object o = json::Parse(R"({"a": 1, "b": {"c": []}})").cast<json::Object>();
  CHECK_EQ(o["a"].cast<int>(), 1);
  CHECK_EQ(o["b"].cast<json::Object>()["c"].cast<json::Array>().size(), 0u);
}

TEST(json, printing) {
  CHECK_EQ(json::Stringify(json::Array{1, true, nullptr, String("x"), 0.5}), R"([1,true,null,"x",0.5])");
  CHECK_EQ(json::Stringify(json::Object{{String("k"), json::Array{}}}), R"({"k":[]})");
  CHECK_EQ(json::Stringify(json::Array{1, 2}, 2), "[\n  1,\n  2\n]");
  CHECK_EQ(json::Stringify(json::Object{{String("a"), 1}}, 4), "{\n    \"a\": 1\n}");
}

TEST(json, round_trip) {
  for (const char* text : {"[]", "{}", R"({"a":[1,2.5,"x"],"b":{"c":null}})", "[[[[1]]]]", "\"\""}) {
    CHECK_EQ(json::Stringify(json::Parse(text)), text);
  }
}

TEST(json, errors_thrown) {
  CHECK_RAISES("ValueError", "", json::Parse("[1,"));
  CHECK_RAISES("ValueError", "", json::Parse("{\"a\" 1}"));
  CHECK_RAISES("ValueError", "", json::Parse(""));
  CHECK_RAISES("ValueError", "", json::Parse("[1] 2"));
  CHECK_RAISES("ValueError", "", json::Parse("tru"));
}

TEST(json, errors_given) {
  String message = "before";
  CHECK(json::Parse("[1,", &message) == nullptr);
  CHECK(!message.empty());
  String thrown;
  try {
    json::Parse("[1,");
  } catch (const Error& e) {
    thrown = e.message();
  }
  CHECK_EQ(message, thrown);
  CHECK_EQ(json::Parse("[1]", &message).cast<json::Array>().size(), 1u);
  CHECK_EQ(message, "");
}

TEST(json, as_global_functions) {
  Function parse = Function::GetGlobalRequired("ffi.json.Parse");
  Function print = Function::GetGlobalRequired("ffi.json.Stringify");
  CHECK_EQ(print(parse("[1, 2]"), nullptr).cast<String>(), "[1,2]");
  CHECK_RAISES("TypeError", "ffi.json.Parse(0: str)", parse(1));
}

TEST(json, deep_nesting) {
  std::string deep(200, '[');
  deep += std::string(200, ']');
  CHECK_EQ(std::string(json::Stringify(json::Parse(deep))), deep);
}
