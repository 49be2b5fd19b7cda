// Metadata of global functions, fields and methods: type schemas and free-form values.
// Requirements: A5, A6
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/registry.h>

#include <string>

#include "check.h"

using namespace tvm::ffi;
namespace refl = tvm::ffi::reflection;

namespace {

class NoteObj : public Object {
 public:
  String text;
  Optional<Array<int>> lines;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Note", NoteObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<NoteObj>()
      .def_ro("text", &NoteObj::text, refl::Metadata{{"unit", "words"}, {"limit", 10}, {"safe", true}})
      .def_ro("lines", &NoteObj::lines)
      .def("length", [](const NoteObj* note) { return note->text.size(); }, refl::Metadata{{"cost", 1}});
  refl::GlobalDef().def(
      "conformance.typed", [](int, String, Array<double>) { return true; }, "a doc text", refl::Metadata{{"level", 3}});
}

std::string Text(const TVMFFIByteArray& bytes) { return std::string(bytes.data, bytes.size); }
std::string Of(const char* name) {
  return Function::GetGlobalRequired("ffi.GetGlobalFuncMetadata")(name).cast<std::string>();
}

}  // namespace

TEST(metadata, of_global_functions) {
  std::string metadata = Of("conformance.typed");
  CHECK(::conformance::Has(metadata, R"("type_schema":")"));
  CHECK(::conformance::Has(
      metadata, R"(\"return\":[{\"type\":\"bool\"}],\"params\":[{\"type\":\"int\"},{\"type\":\"ffi.String\"})"));
  CHECK(::conformance::Has(metadata, R"("level":3)"));
  CHECK_RAISES("RuntimeError", "Global Function is not found: conformance.absent", Of("conformance.absent"));
}

TEST(metadata, none_without_registration) {
  Function::SetGlobal("conformance.bare", Function::FromTyped([]() {}));
  CHECK_EQ(Of("conformance.bare"), std::string());
  Function::RemoveGlobal("conformance.bare");
}

TEST(metadata, of_runtime_functions) {
  CHECK_EQ(
      Of("ffi.ArraySize"),
      std::string(
          R"({"type_schema":"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":[{\"type\":\"int\"}],\"params\":[{\"type\":\"ffi.Array\"}]}}"})"));
  CHECK_EQ(Of("ffi.Array"), std::string(R"({"type_schema":"{\"type\":\"ffi.Function\"}"})"));
}

TEST(metadata, of_fields) {
  std::string text = Text(refl::GetFieldInfo("conformance.Note", "text")->metadata);
  CHECK(::conformance::Has(text, R"("unit":"words")"));
  CHECK(::conformance::Has(text, R"("limit":10)"));
  CHECK(::conformance::Has(text, R"("safe":true)"));
  std::string lines = Text(refl::GetFieldInfo("conformance.Note", "lines")->metadata);
  CHECK(::conformance::Has(lines, R"({\"type\":\"Optional\",\"args\":[{\"type\":\"ffi.Array\")"));
}

TEST(metadata, of_methods) {
  std::string text = Text(refl::GetMethodInfo("conformance.Note", "length")->metadata);
  CHECK(::conformance::Has(text, R"("cost":1)"));
  CHECK(::conformance::Has(text, R"(\"type\":\"ffi.Function\")"));
}

TEST(metadata, of_types) {
  CHECK_EQ(TVMFFIGetTypeInfo(NoteObj::RuntimeTypeIndex())->metadata->structural_eq_hash_kind,
           static_cast<int32_t>(kTVMFFISEqHashKindUnsupported));
  Array<String> keys = Function::GetGlobalRequired("ffi.GetRegisteredTypeKeys")().cast<Array<String>>();
  bool found = false;
  for (const String& key : keys) found = found || key == "conformance.Note";
  CHECK(found);
  CHECK_EQ(keys[0], "None");
}
