// reflection/{registry,accessor,creator}.h: classes with reflection data, and the use of these data.
// Requirement: A5
#include <tvm/ffi/any.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>
#include <tvm/ffi/reflection/registry.h>

#include <string>
#include <vector>

#include "check.h"

using namespace tvm::ffi;
namespace refl = tvm::ffi::reflection;

namespace {

class PointObj : public Object {
 public:
  int64_t x = 0;
  double weight = 1;
  String label;
  Array<Any> tags;
  bool frozen = false;

  int64_t Scaled(int64_t by) const { return x * by; }
  static int64_t Zero() { return 0; }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Point", PointObj, Object);
};

class Point3Obj : public PointObj {
 public:
  int64_t z = -1;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Point3", Point3Obj, PointObj);
};

class Point : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Point, ObjectRef, PointObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<PointObj>()
      .def_rw("x", &PointObj::x, "the coordinate")
      .def_rw("weight", &PointObj::weight, refl::DefaultValue(2.5))
      .def_rw("label", &PointObj::label, refl::DefaultValue(String("unnamed")))
      .def_rw("tags", &PointObj::tags, refl::DefaultFactory(Function::FromTyped([]() { return Array<Any>(); })))
      .def_ro("frozen", &PointObj::frozen, refl::DefaultValue(false))
      .def("scaled", &PointObj::Scaled, "the coordinate times a number")
      .def_static("zero", &PointObj::Zero);
  refl::ObjectDef<Point3Obj>().def_rw("z", &Point3Obj::z, refl::DefaultValue(-1));
  refl::GlobalDef()
      .def(
          "conformance.point_x", [](Point p) { return p->x; }, "reads x")
      .def_packed("conformance.count", [](PackedArgs args, Any* rv) { *rv = args.size(); })
      .def_method("conformance.point_scaled", &PointObj::Scaled);
  refl::TypeAttrDef<PointObj>().def("conformance.attr", 17);
}

}  // namespace

TEST(reflection, fields) {
  const TVMFFIFieldInfo* x = refl::GetFieldInfo("conformance.Point", "x");
  CHECK_EQ(std::string(x->doc.data, x->doc.size), std::string("the coordinate"));
  CHECK((x->flags & kTVMFFIFieldFlagBitMaskWritable) != 0);
  CHECK_EQ(x->offset, 24);
  CHECK_EQ(x->size, 8);
  CHECK_EQ(x->field_static_type_index, static_cast<int32_t>(TypeIndex::kTVMFFIInt));
  const TVMFFIFieldInfo* frozen = refl::GetFieldInfo("conformance.Point", "frozen");
  CHECK((frozen->flags & kTVMFFIFieldFlagBitMaskWritable) == 0);
  CHECK_RAISES("RuntimeError", "Cannot find field", refl::GetFieldInfo("conformance.Point", "nothing"));
}

TEST(reflection, getters_and_setters) {
  ObjectPtr<PointObj> p = make_object<PointObj>();
  refl::FieldGetter get_label("conformance.Point", "label");
  refl::FieldSetter set_label("conformance.Point", "label");
  set_label(p.get(), "a label of more than seven bytes");
  CHECK_EQ(get_label(p.get()).cast<String>(), "a label of more than seven bytes");
  refl::FieldSetter set_x("conformance.Point", "x");
  set_x(p.get(), 12);
  CHECK_EQ(p->x, 12);
  CHECK_RAISES("TypeError", "", set_x(p.get(), "no number"));
  CHECK_EQ(p->x, 12);
}

TEST(reflection, methods) {
  ObjectPtr<PointObj> p = make_object<PointObj>();
  p->x = 6;
  CHECK_EQ(refl::GetMethod("conformance.Point", "scaled")(p, 7).cast<int>(), 42);
  CHECK_EQ(refl::GetMethod("conformance.Point", "zero")().cast<int>(), 0);
  const TVMFFIMethodInfo* zero = refl::GetMethodInfo("conformance.Point", "zero");
  CHECK((zero->flags & kTVMFFIFieldFlagBitMaskIsStaticMethod) != 0);
  const TVMFFIMethodInfo* scaled = refl::GetMethodInfo("conformance.Point", "scaled");
  CHECK_EQ(std::string(scaled->doc.data, scaled->doc.size), std::string("the coordinate times a number"));
  CHECK_RAISES("RuntimeError", "Cannot find method", refl::GetMethod("conformance.Point", "nothing"));
  CHECK_RAISES("TypeError", "conformance.Point.scaled", refl::GetMethod("conformance.Point", "scaled")(p));
}

TEST(reflection, inheritance) {
  std::vector<std::string> names;
  refl::ForEachFieldInfo(TVMFFIGetTypeInfo(Point3Obj::RuntimeTypeIndex()),
                         [&](const TVMFFIFieldInfo* field) { names.emplace_back(field->name.data, field->name.size); });
  CHECK_EQ(names.size(), 6u);
  CHECK_EQ(names.front(), std::string("x"));
  CHECK_EQ(names.back(), std::string("z"));
  CHECK_EQ(TVMFFIGetTypeInfo(Point3Obj::RuntimeTypeIndex())->num_fields, 1);
}

TEST(reflection, type_metadata) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(PointObj::RuntimeTypeIndex());
  CHECK(info->metadata != nullptr);
  CHECK_EQ(info->metadata->total_size, static_cast<int32_t>(sizeof(PointObj)));
  CHECK(info->metadata->creator != nullptr);
  TVMFFIObjectHandle handle = nullptr;
  CHECK_EQ(info->metadata->creator(&handle), 0);
  auto made = detail::ObjectUnsafe::ObjectPtrFromOwned<PointObj>(static_cast<TVMFFIObject*>(handle));
  CHECK_EQ(made->weight, 1.0);
  CHECK_EQ(TVMFFITypeRegisterMetadata(PointObj::RuntimeTypeIndex(), info->metadata), -1);
  CHECK(::conformance::Has(detail::MoveFromSafeCallRaised().message(), "Overriding conformance.Point"));
}

TEST(reflection, creator) {
  refl::ObjectCreator create("conformance.Point");
  Any made = create(Map<String, Any>{{"x", 5}});
  const PointObj* p = made.as<PointObj>();
  CHECK_EQ(p->x, 5);
  CHECK_EQ(p->weight, 2.5);
  CHECK_EQ(p->label, "unnamed");
  CHECK_EQ(p->tags.size(), 0u);
  CHECK_RAISES("TypeError", "x", create(Map<String, Any>{}));
  CHECK_RAISES("TypeError", "nothing", create(Map<String, Any>{{"x", 1}, {"nothing", 2}}));
}

TEST(reflection, auto_constructor) {
  refl::TypeAttrColumn column("__ffi_init__");
  Function init = column[PointObj::RuntimeTypeIndex()].cast<Function>();
  Any made = init(9);
  CHECK_EQ(made.as<PointObj>()->x, 9);
  CHECK_EQ(made.as<PointObj>()->weight, 2.5);
  CHECK_EQ(init(1, 0.5, "given").as<PointObj>()->label, "given");
  CHECK_RAISES("TypeError", "conformance.Point.__ffi_init__() missing required argument: 'x'", init());
  Any kwargs = Function::GetGlobalRequired("ffi.GetKwargsObject")();
  CHECK_EQ(init(kwargs, "label", "named", "x", 3).as<PointObj>()->label, "named");
  CHECK_RAISES("TypeError", "got an unexpected keyword argument 'y'", init(kwargs, "x", 1, "y", 2));
  CHECK_RAISES("TypeError", "got multiple values for argument 'x'", init(1, kwargs, "x", 1));
}

TEST(reflection, packed_constructor) {
  Function make = Function::GetGlobalRequired("ffi.MakeObjectFromPackedArgs");
  Any made = make("conformance.Point3", "x", 1, "z", 2);
  CHECK_EQ(made.as<Point3Obj>()->z, 2);
  CHECK_RAISES("TypeError", "Required field `x` not set in type `conformance.Point3`", make("conformance.Point3"));
}

TEST(reflection, type_attributes) {
  refl::TypeAttrColumn column("conformance.attr");
  CHECK_EQ(column[PointObj::RuntimeTypeIndex()].cast<int>(), 17);
  CHECK(column[Point3Obj::RuntimeTypeIndex()] == nullptr);
  CHECK_RAISES("RuntimeError", "Cannot find type attribute conformance.no_attr",
               refl::TypeAttrColumn("conformance.no_attr"));
  TVMFFIByteArray name{"conformance.attr", 16};
  TVMFFIAny again = AnyView(18).CopyToTVMFFIAny();
  CHECK_EQ(TVMFFITypeRegisterAttr(PointObj::RuntimeTypeIndex(), &name, &again), -1);
  CHECK(::conformance::Has(detail::MoveFromSafeCallRaised().message(),
                           "TypeAttr `conformance.attr` is already registered for type index"));
}

TEST(reflection, core_attribute_columns_exist) {
  for (const char* name :
       {"__any_hash__", "__any_equal__", "__ffi_shallow_copy__", "__ffi_repr__", "__ffi_hash__", "__ffi_eq__",
        "__ffi_compare__", "__ffi_new__", "__ffi_init__", "__ffi_convert__", "__s_equal__", "__s_hash__", "__s_visit__",
        "__data_to_json__", "__data_from_json__", "__ffi_enum__"}) {
    TVMFFIByteArray view{name, std::char_traits<char>::length(name)};
    CHECK(TVMFFIGetTypeAttrColumn(&view) != nullptr);
  }
}

TEST(reflection, shallow_copy) {
  refl::TypeAttrColumn column("__ffi_shallow_copy__");
  ObjectPtr<PointObj> p = make_object<PointObj>();
  p->x = 4;
  p->tags = {1};
  Any copy = column[PointObj::RuntimeTypeIndex()].cast<Function>()(p);
  CHECK(copy.as<PointObj>() != p.get());
  CHECK_EQ(copy.as<PointObj>()->x, 4);
  CHECK(copy.as<PointObj>()->tags.same_as(p->tags));
}

TEST(reflection, global_functions) {
  ObjectPtr<PointObj> p = make_object<PointObj>();
  p->x = 3;
  CHECK_EQ(Function::GetGlobalRequired("conformance.point_x")(Point(p)).cast<int>(), 3);
  CHECK_EQ(Function::GetGlobalRequired("conformance.point_scaled")(p, 5).cast<int>(), 15);
  CHECK_EQ(Function::GetGlobalRequired("conformance.count")(1, 2, 3).cast<int>(), 3);
  CHECK_RAISES("TypeError", "conformance.point_x(0: conformance.Point) -> int",
               Function::GetGlobalRequired("conformance.point_x")("text"));
}

TEST(reflection, duplicate_field) {
  TVMFFIFieldInfo field = *refl::GetFieldInfo("conformance.Point", "x");
  CHECK_EQ(TVMFFITypeRegisterField(PointObj::RuntimeTypeIndex(), &field), -1);
  Error e = detail::MoveFromSafeCallRaised();
  CHECK_EQ(e.kind(), std::string("InternalError"));
  CHECK(::conformance::Has(e.message(), "Duplicate field name \"x\" in type \"conformance.Point\""));
}

TEST(reflection, unknown_type_index) {
  TVMFFIFieldInfo field = *refl::GetFieldInfo("conformance.Point", "x");
  CHECK_EQ(TVMFFITypeRegisterField(999999, &field), -1);
  CHECK(::conformance::Has(detail::MoveFromSafeCallRaised().message(), "Cannot find type info for type_index=999999"));
}
