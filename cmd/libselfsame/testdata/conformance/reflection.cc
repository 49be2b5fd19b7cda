// Reflection, type attributes, constructors.
// Requirements: A5, E1
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/registry.h>

#include "checks.h"
#include "classes.h"

namespace refl = tvm::ffi::reflection;

int live = 0;

namespace {

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<ShapeNode>(refl::init(false))
      .def_rw("name", &ShapeNode::name, "what it is called")
      .def_ro("sides", &ShapeNode::sides, refl::default_value(4));
  refl::ObjectDef<SquareNode>("a square")
      .def(refl::init<double, String>())
      .def_rw("edge", &SquareNode::edge)
      .def_rw("next", &SquareNode::next)
      .def("area", &SquareNode::Area, "its area, scaled")
      .def_static("unit", []() { return ObjectRef(make_object<SquareNode>(1.0, "unit")); });
  refl::ObjectDef<TileNode>(refl::init(false));
  refl::ObjectDef<PointNode>()
      .def_rw("x", &PointNode::x)
      .def_rw("label", &PointNode::label, refl::default_value("origin of the plane"))
      .def_rw("y", &PointNode::y, refl::kw_only(true))
      .def_rw("hidden", &PointNode::hidden, refl::init(false), refl::default_value(7));
  refl::GlobalDef()
      .def(
          "conformance.add", [](int64_t a, int64_t b) { return a + b; }, "adds")
      .def("conformance.echo", [](Any value) { return value; })
      .def("conformance.fail", [](const String& text) -> int { TVM_FFI_THROW(KeyError) << "failed: " << text; })
      .def_packed("conformance.count", [](PackedArgs args, Any* rv) { *rv = args.size(); });
}

const TVMFFIMethodInfo* FindMethod(int32_t type_index, const char* name) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  for (int32_t i = 0; i < info->num_methods; i++) {
    const TVMFFIMethodInfo* method = &info->methods[i];
    if (std::string(method->name.data, method->name.size) == name) return method;
  }
  return nullptr;
}

Function Method(int32_t type_index, const char* name) {
  const TVMFFIMethodInfo* method = FindMethod(type_index, name);
  return AnyView::CopyFromTVMFFIAny(method->method).cast<Function>();
}

const TVMFFIFieldInfo* Field(const char* type_key, const char* name) { return refl::GetFieldInfo(type_key, name); }

}  // namespace

void Reflection() {
  int32_t square = SquareNode::RuntimeTypeIndex();
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(square);
  CHECK(info->metadata != nullptr && info->metadata->creator != nullptr);
  CHECK(std::string(info->metadata->doc.data, info->metadata->doc.size) == "a square");
  CHECK(info->metadata->total_size == static_cast<int32_t>(sizeof(SquareNode)));
  CHECK(info->num_fields == 2);

  Function init = Method(square, "__ffi_init__");
  ObjectRef s = init(3.0, "a rather long label").cast<ObjectRef>();
  CHECK(s->IsInstance<SquareNode>() && s.use_count() == 1);
  CHECK(Method(square, "area")(s, 2.0).cast<double>() == 18.0);
  CHECK((FindMethod(square, "area")->flags & kTVMFFIFieldFlagBitMaskIsStaticMethod) == 0);
  CHECK((FindMethod(square, "unit")->flags & kTVMFFIFieldFlagBitMaskIsStaticMethod) != 0);
  CHECK(Method(square, "unit")().cast<ObjectRef>().as<SquareNode>()->name == "unit");
  CHECK_THROWS(Method(square, "area")(s), "TypeError", "Expected 2 but got 1 arguments");
  CHECK_THROWS(Method(square, "area")(1, 2), "TypeError", "Mismatched type on argument #0");

  const TVMFFIFieldInfo* name = Field("conformance.Shape", "name");
  CHECK(std::string(name->doc.data, name->doc.size) == "what it is called");
  CHECK((name->flags & kTVMFFIFieldFlagBitMaskWritable) != 0);
  CHECK((Field("conformance.Shape", "sides")->flags & kTVMFFIFieldFlagBitMaskWritable) == 0);
  refl::FieldGetter get("conformance.Shape", "name");
  CHECK(get(s).cast<String>() == "a rather long label");
  refl::FieldSetter set("conformance.Square", "next");
  set(s, s);
  CHECK(refl::FieldGetter("conformance.Square", "next")(s).cast<ObjectRef>().same_as(s));
  set(s, nullptr);
  CHECK_THROWS(refl::FieldSetter("conformance.Square", "edge")(s, "no number"), "TypeError", "");
  CHECK(s.use_count() == 1);

  // A second registration is refused and changes nothing.
  TVMFFIFieldInfo again = *Field("conformance.Square", "edge");
  CHECK(TVMFFITypeRegisterField(square, &again) != 0);
  CHECK_THROWS(throw tvm::ffi::details::MoveFromSafeCallRaised(), "InternalError",
               "Duplicate field name \"edge\" in type \"conformance.Square\"");
  CHECK(TVMFFITypeRegisterMetadata(square, info->metadata) != 0);
  CHECK_THROWS(throw tvm::ffi::details::MoveFromSafeCallRaised(), "RuntimeError",
               "Overriding conformance.Square, possible causes:");
  CHECK(TVMFFITypeRegisterField(1 << 20, &again) != 0);
  CHECK_THROWS(throw tvm::ffi::details::MoveFromSafeCallRaised(), "InternalError",
               "Cannot find type info for type_index=1048576");
  CHECK(info->num_fields == 2);
}

void Attributes() {
  TVMFFIByteArray name = {"__conformance_attr__", 20};
  CHECK(TVMFFIGetTypeAttrColumn(&name) == nullptr);
  TVMFFIAny none = AnyView(nullptr).CopyToTVMFFIAny();
  CHECK(TVMFFITypeRegisterAttr(kTVMFFINone, &name, &none) == 0);
  const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&name);
  CHECK(column != nullptr && column->size == 0 && column->begin_index == 0);
  Any value = String("a value of some length");
  TVMFFIAny view = AnyView(value).CopyToTVMFFIAny();
  CHECK(TVMFFITypeRegisterAttr(200, &name, &view) == 0);
  CHECK(TVMFFITypeRegisterAttr(3, &name, &view) == 0);
  CHECK(TVMFFIGetTypeAttrColumn(&name) == column && column->size == 201);
  CHECK(column->data[200].v_obj == view.v_obj && column->data[3].v_obj == view.v_obj);
  CHECK(column->data[199].type_index == kTVMFFINone && column->data[199].v_int64 == 0);
  CHECK(TVMFFITypeRegisterAttr(200, &name, &view) != 0);
  CHECK_THROWS(throw tvm::ffi::details::MoveFromSafeCallRaised(), "RuntimeError",
               "TypeAttr `__conformance_attr__` is already registered for type index 200");
  for (const char* core :
       {"__any_hash__", "__any_equal__", "__ffi_new__", "__ffi_init__", "__ffi_convert__", "__ffi_enum__",
        "__ffi_repr__", "__s_visit__", "__s_equal__", "__s_hash__", "__data_to_json__"}) {
    refl::TypeAttrColumn exists(core);
  }
  refl::TypeAttrColumn ffi_new("__ffi_new__");
  CHECK(ffi_new[PointNode::RuntimeTypeIndex()].cast<Function>()().cast<ObjectRef>()->IsInstance<PointNode>());
}

// The constructor that the runtime makes from a class's fields.
void AutoInit() {
  Function init = refl::TypeAttrColumn("__ffi_init__")[PointNode::RuntimeTypeIndex()].cast<Function>();
  ObjectRef kwargs = Global("ffi.GetKwargsObject")().cast<ObjectRef>();
  CHECK(Global("ffi.GetKwargsObject")().cast<ObjectRef>().same_as(kwargs));
  CHECK(!Global("ffi.GetInvalidObject")().cast<ObjectRef>().same_as(kwargs));
  ObjectRef p = init(1, "a label of some length", kwargs, "y", 2).cast<ObjectRef>();
  const PointNode* point = p.as<PointNode>();
  CHECK(point->x == 1 && point->y == 2 && point->label == "a label of some length" && point->hidden == 7);
  p = init(kwargs, "y", 5, "x", 4).cast<ObjectRef>();
  point = p.as<PointNode>();
  CHECK(point->x == 4 && point->y == 5 && point->label == "origin of the plane");
  CHECK_THROWS(init(1), "TypeError", "conformance.Point.__ffi_init__() missing required keyword-only argument: 'y'");
  CHECK_THROWS(init(kwargs, "y", 1), "TypeError", "conformance.Point.__ffi_init__() missing required argument: 'x'");
  CHECK_THROWS(init(1, "l", 3), "TypeError",
               "conformance.Point.__ffi_init__() takes at most 2 positional argument(s), but 3 were given");
  CHECK_THROWS(init(1, kwargs, "x", 1, "y", 2), "TypeError", "got multiple values for argument 'x'");
  CHECK_THROWS(init(1, kwargs, "z", 1), "TypeError", "got an unexpected keyword argument 'z'");
  CHECK_THROWS(init(1, kwargs, "hidden", 1), "TypeError", "got an unexpected keyword argument 'hidden'");
  CHECK_THROWS(init(1, kwargs, "y"), "TypeError", "KWARGS requires an even number of key-value arguments");
  try {
    init("no number", kwargs, "y", 1);
    CHECK(false);
  } catch (const Error& e) {
    CHECK(e.kind() == "TypeError");
    CHECK(e.message().rfind("conformance.Point.__ffi_init__() field 'x'", 0) == 0);
    CHECK(e.cause_chain().has_value() && e.cause_chain()->kind() == "TypeError");
  }
  Function make = Global("ffi.MakeObjectFromPackedArgs");
  p = make("conformance.Point", "x", 8, "y", 9).cast<ObjectRef>();
  CHECK(p.as<PointNode>()->x == 8 && p.as<PointNode>()->y == 9 && p.as<PointNode>()->hidden == 7);
  p = make(PointNode::RuntimeTypeIndex(), "x", 8, "y", 9).cast<ObjectRef>();
  CHECK(p.as<PointNode>()->x == 8);
  CHECK_THROWS(make("conformance.Point", "x", 8), "TypeError",
               "Required field `y` not set in type `conformance.Point`");
  CHECK_THROWS(make("conformance.Point", "x", 8, "y", 9, "q", 1), "TypeError",
               "Type `conformance.Point` does not have field `q`");
  CHECK_THROWS(make("conformance.Nothing"), "InternalError", "Cannot find type `conformance.Nothing`");
  CHECK_THROWS(make("conformance.Point", "x"), "InternalError", "Check failed");
}
