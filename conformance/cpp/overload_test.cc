// reflection/overload.h: several signatures under one name.
// Requirement: A6
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/overload.h>

#include <string>

#include "check.h"

using namespace tvm::ffi;
namespace refl = tvm::ffi::reflection;

namespace {

class BoxObj : public Object {
 public:
  int64_t size;
  String name;
  explicit BoxObj(int64_t size) : size(size) {}
  BoxObj(int64_t size, String name) : size(size), name(std::move(name)) {}
  int64_t Grow(int64_t by) const { return size + by; }
  String Rename(const String& to) const { return name + to; }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Box", BoxObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::OverloadObjectDef<BoxObj>()
      .def(refl::init<int64_t>())
      .def(refl::init<int64_t, String>())
      .def_ro("size", &BoxObj::size)
      .def("change", &BoxObj::Grow)
      .def("change", &BoxObj::Rename)
      .def_static("twice", [](int64_t x) { return 2 * x; })
      .def_static("twice", [](String s) { return s + s; });
}

}  // namespace

TEST(overload, methods) {
  Function change = refl::GetMethod("conformance.Box", "change");
  ObjectPtr<BoxObj> box = make_object<BoxObj>(3, "box");
  CHECK_EQ(change(box, 4).cast<int>(), 7);
  CHECK_EQ(change(box, "es").cast<String>(), "boxes");
  CHECK_RAISES("TypeError", "No matching overload found when calling: `conformance.Box.change` with 2 arguments",
               change(box, Array<int>{}));
}

TEST(overload, static_methods) {
  Function twice = refl::GetMethod("conformance.Box", "twice");
  CHECK_EQ(twice(21).cast<int>(), 42);
  CHECK_EQ(twice("ab").cast<String>(), "abab");
}

TEST(overload, constructors) {
  Function init = refl::TypeAttrColumn("__ffi_init__")[BoxObj::RuntimeTypeIndex()].cast<Function>();
  CHECK_EQ(init(5).as<BoxObj>()->size, 5);
  CHECK_EQ(init(5, "name").as<BoxObj>()->name, "name");
  CHECK_RAISES("TypeError", "Overload #1", init("a", "b"));
}

TEST(overload, each_signature_is_listed) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(BoxObj::RuntimeTypeIndex());
  int changes = 0;
  for (int32_t i = 0; i < info->num_methods; i++) {
    if (std::string(info->methods[i].name.data, info->methods[i].name.size) == "change") changes++;
  }
  CHECK_EQ(changes, 2);
}
