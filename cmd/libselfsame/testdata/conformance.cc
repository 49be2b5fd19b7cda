// Row E1 for the rows of the object system: a C++ program made of nothing but the published headers, run on this
// project's library and on the stock one. Whatever it finds must be so on both.
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tvm::ffi;
namespace refl = tvm::ffi::reflection;

int failures = 0;

#define CHECK(condition)                                                \
  do {                                                                  \
    if (!(condition)) {                                                 \
      std::printf("line %d: %s does not hold\n", __LINE__, #condition); \
      failures++;                                                       \
    }                                                                   \
  } while (0)

// The statement must throw an Error of this kind whose message contains the text.
#define CHECK_THROWS(statement, error_kind, text)                                                 \
  do {                                                                                            \
    try {                                                                                         \
      statement;                                                                                  \
      std::printf("line %d: nothing was thrown\n", __LINE__);                                     \
      failures++;                                                                                 \
    } catch (const Error& e) {                                                                    \
      if (e.kind() != (error_kind) || e.message().find(text) == std::string::npos) {              \
        std::printf("line %d: thrown %s: %s\n", __LINE__, e.kind().c_str(), e.message().c_str()); \
        failures++;                                                                               \
      }                                                                                           \
    }                                                                                             \
  } while (0)

Function Global(const char* name) { return Function::GetGlobalRequired(name); }

// ---- classes ----------------------------------------------------------------------------------------------------

int live = 0;

class ShapeNode : public Object {
 public:
  String name;
  int64_t sides = 0;
  ShapeNode() { live++; }
  ~ShapeNode() { live--; }
  static constexpr bool _type_mutable = true;
  static constexpr uint32_t _type_child_slots = 3;
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Shape", ShapeNode, Object);
};

class SquareNode : public ShapeNode {
 public:
  double edge = 1;
  ObjectRef next;
  SquareNode() = default;
  SquareNode(double edge, String label) : edge(edge) { name = label; }
  double Area(double scale) const { return edge * edge * scale; }
  static constexpr uint32_t _type_child_slots = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Square", SquareNode, ShapeNode);
};

class TileNode : public SquareNode {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Tile", TileNode, SquareNode);
};

class CircleNode : public ShapeNode {
 public:
  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Circle", CircleNode, ShapeNode);
};

// More children than its parent keeps slots for.
class OvalNode : public ShapeNode {
 public:
  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Oval", OvalNode, ShapeNode);
};

class OtherNode : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Other", OtherNode, Object);
};

// Fields only: the constructor is made by the runtime.
class PointNode : public Object {
 public:
  int64_t x = 0, y = 0;
  String label;
  int64_t hidden = 0;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Point", PointNode, Object);
};

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

// ---- A4: types --------------------------------------------------------------------------------------------------

void Types() {
  int32_t shape = ShapeNode::RuntimeTypeIndex(), square = SquareNode::RuntimeTypeIndex();
  int32_t tile = TileNode::RuntimeTypeIndex(), circle = CircleNode::RuntimeTypeIndex();
  int32_t oval = OvalNode::RuntimeTypeIndex(), other = OtherNode::RuntimeTypeIndex();
  CHECK(shape >= 128 && square > shape && tile > square && circle > shape && oval > shape);
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(tile);
  CHECK(info->type_depth == 3);
  CHECK(info->type_ancestors[0]->type_index == 64);
  CHECK(info->type_ancestors[1]->type_index == shape);
  CHECK(info->type_ancestors[2] == TVMFFIGetTypeInfo(square));
  CHECK(info->type_key_hash == std::hash<String>()(String("conformance.Tile")));

  ObjectRef t(make_object<TileNode>()), c(make_object<CircleNode>()), o(make_object<OvalNode>());
  ObjectRef x(make_object<OtherNode>());
  CHECK(t->IsInstance<ShapeNode>() && t->IsInstance<SquareNode>() && t->IsInstance<TileNode>());
  CHECK(c->IsInstance<ShapeNode>() && !c->IsInstance<SquareNode>() && !c->IsInstance<TileNode>());
  CHECK(o->IsInstance<ShapeNode>() && !o->IsInstance<CircleNode>());
  CHECK(!x->IsInstance<ShapeNode>() && x->IsInstance<Object>());
  CHECK(other != shape);
  CHECK(t.as<SquareNode>() != nullptr && c.as<SquareNode>() == nullptr);
  CHECK(t->GetTypeKey() == "conformance.Tile");
  Any any = c;
  CHECK_THROWS(any.cast<Array<Any>>(), "TypeError", "Cannot convert from type `conformance.Circle`");

  TVMFFIByteArray key = {"conformance.Square", 18}, missing = {"conformance.Nothing", 19};
  int32_t index = 0;
  CHECK(TVMFFITypeKeyToIndex(&key, &index) == 0 && index == square);
  CHECK(TVMFFITypeKeyToIndex(&missing, &index) != 0);
  CHECK_THROWS(throw tvm::ffi::details::MoveFromSafeCallRaised(), "InternalError",
               "Cannot find type `conformance.Nothing`");
  CHECK(TVMFFITypeGetOrAllocIndex(&missing, -1, 0, 0, 0, -2) == -2);
  CHECK(TVMFFITypeGetOrAllocIndex(&key, -1, 9, 9, 0, -1) == square);

  int found = 0;
  for (String k : Global("ffi.GetRegisteredTypeKeys")().cast<Array<String>>()) {
    if (k == "ffi.Array" || k == "conformance.Tile" || k == "const char*") found++;
  }
  CHECK(found == 3);
}

// The documented example of index allocation.
void ChildSlots() {
  auto type = [](const char* key, int32_t slots, int overflow, int32_t parent, int32_t depth) {
    TVMFFIByteArray bytes = {key, std::strlen(key)};
    return TVMFFITypeGetOrAllocIndex(&bytes, -1, depth, slots, overflow, parent);
  };
  int32_t base = type("conformance.slots.Base", 2, 1, 64, 1);
  CHECK(type("conformance.slots.A", 0, 1, base, 2) == base + 1);
  CHECK(type("conformance.slots.B", 0, 1, base, 2) == base + 2);
  CHECK(type("conformance.slots.C", 0, 1, base, 2) == base + 3);
  CHECK(type("conformance.slots.Unrelated", 0, 1, 64, 1) == base + 4);
  // A child that keeps slots of its own takes them out of its parent's.
  int32_t wide = type("conformance.slots.Wide", 3, 0, 64, 1);
  int32_t inner = type("conformance.slots.Inner", 1, 1, wide, 2);
  CHECK(inner == wide + 1);
  CHECK(type("conformance.slots.Innermost", 0, 1, inner, 3) == wide + 2);
  CHECK(type("conformance.slots.Last", 0, 1, wide, 2) == wide + 3);
  CHECK(type("conformance.slots.After", 0, 1, 64, 1) == wide + 4);
}

// ---- A5: reflection ---------------------------------------------------------------------------------------------

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

  // Registering again is refused, and changes nothing.
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

// ---- A6: functions and errors -----------------------------------------------------------------------------------

void Functions() {
  CHECK(Global("conformance.add")(2, 3).cast<int>() == 5);
  CHECK_THROWS(
      Global("conformance.add")(2), "TypeError",
      "Mismatched number of arguments when calling: `conformance.add(0: int, 1: int) -> int`. Expected 2 but got 1");
  int captured = 10;
  Function f = Function::FromTyped([captured](int x) { return x + captured; });
  CHECK(Global("conformance.echo")(f).cast<Function>().same_as(f));
  CHECK(f(1).cast<int>() == 11);
  CHECK(Global("conformance.count")(1, "x", nullptr, 2.0).cast<int>() == 4);
  CHECK(!Function::GetGlobal("conformance.nothing").has_value());
  CHECK(Function::GetGlobal("conformance.add")->same_as(Global("conformance.add")));

  Function::SetGlobal("conformance.temporary", f);
  CHECK(f.use_count() == 2);
  CHECK_THROWS(Function::SetGlobal("conformance.temporary", f), "RuntimeError",
               "Global Function `conformance.temporary` is already registered");
  CHECK_THROWS(refl::GlobalDef().def("conformance.temporary", [](int x) { return x; }), "RuntimeError",
               "Global Function `conformance.temporary` is already registered, possible causes:");
  Function g = Function::FromTyped([](int x) { return x - 1; });
  Function::SetGlobal("conformance.temporary", g, true);
  CHECK(f.use_count() == 1 && Global("conformance.temporary")(1).cast<int>() == 0);
  std::vector<String> names = Function::ListGlobalNames();
  int seen = 0;
  for (const String& n : names) seen += n == "conformance.temporary" || n == "conformance.add" || n == "ffi.Array";
  CHECK(seen == 3);
  Function list = Global("ffi.FunctionListGlobalNamesFunctor")().cast<Function>();
  CHECK(list(-1).cast<size_t>() == names.size());
  CHECK_THROWS(list(static_cast<int64_t>(names.size())), "IndexError", "");
  Function::RemoveGlobal("conformance.temporary");
  CHECK(g.use_count() == 1 && !Function::GetGlobal("conformance.temporary").has_value());
  CHECK(!Global("ffi.FunctionRemoveGlobal")("conformance.temporary").cast<bool>());
  Function::SetGlobal("conformance.temporary", g);
  CHECK(Global("ffi.GetGlobalFuncMetadata")("conformance.temporary").cast<String>() == "");
  Function::RemoveGlobal("conformance.temporary");
  String metadata = Global("ffi.GetGlobalFuncMetadata")("conformance.add").cast<String>();
  CHECK(std::string(metadata).find("type_schema") != std::string::npos);
  CHECK_THROWS(Global("ffi.GetGlobalFuncMetadata")("conformance.nothing"), "RuntimeError",
               "Global Function is not found: conformance.nothing");
  CHECK_THROWS(
      Global("ffi.GetGlobalFuncMetadata")(3), "TypeError",
      "Mismatched type on argument #0 when calling: `ffi.GetGlobalFuncMetadata(0: str) -> str`. Expected `str` but "
      "got `int`");
}

int external_calls = 0, external_deletes = 0;

int ExternalCall(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  external_calls += *static_cast<int*>(self);
  if (num_args == 0) {
    TVMFFIErrorSetRaisedFromCStr("IndexError", "raised in C");
    return -1;
  }
  return TVMFFIAnyViewToOwnedAny(&args[0], result);
}

void ExternalFunctions() {
  int step = 1;
  TVMFFIObjectHandle handle = nullptr;
  auto deleter = +[](void*) { external_deletes++; };
  CHECK(TVMFFIFunctionCreate(&step, ExternalCall, deleter, &handle) == 0);
  {
    Function f = tvm::ffi::details::ObjectUnsafe::ObjectRefFromObjectPtr<Function>(
        tvm::ffi::details::ObjectUnsafe::ObjectPtrFromOwned<Object>(static_cast<TVMFFIObject*>(handle)));
    CHECK(f("text of some length").cast<String>() == "text of some length");
    CHECK_THROWS(f(), "IndexError", "raised in C");
  }
  CHECK(external_calls == 2 && external_deletes == 1);
  {
    Function f = Global("ffi.FunctionFromExternC")(static_cast<void*>(&step), reinterpret_cast<void*>(&ExternalCall),
                                                   reinterpret_cast<void*>(deleter))
                     .cast<Function>();
    CHECK(f(5).cast<int>() == 5);
  }
  CHECK(external_calls == 3 && external_deletes == 2);
  CHECK_THROWS(Global("ffi.FunctionFromExternC")(1, 2, 3), "TypeError", "Expected `void*` but got `int`");
}

void Errors() {
  try {
    Global("conformance.fail")("here");
    CHECK(false);
  } catch (const Error& e) {
    CHECK(e.kind() == "KeyError" && e.message() == "failed: here");
    CHECK(std::string(e.backtrace()).find("conformance.cc") != std::string::npos);
    CHECK(e.TracebackMostRecentCallLast().find("line ") != std::string::npos);
    CHECK(std::string(e.what()).find("failed: here") != std::string::npos);
  }
  // An error made by the library, changed by C++.
  TVMFFIByteArray kind = {"ValueError", 10}, message = {"outer", 5}, backtrace = {"  File \"a\", line 1, in f\n", 25};
  TVMFFIObjectHandle inner = nullptr, outer = nullptr;
  CHECK(TVMFFIErrorCreate(&kind, &message, &backtrace, &inner) == 0);
  CHECK(TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &message, &backtrace, inner, inner, &outer) == 0);
  TVMFFIErrorSetRaised(outer);
  TVMFFIObjectDecRef(outer);
  TVMFFIObjectDecRef(inner);
  Error error = tvm::ffi::details::MoveFromSafeCallRaised();
  CHECK(error.use_count() == 1);
  CHECK(error.cause_chain()->message() == "outer" && error.extra_context().has_value());
  TVMFFIByteArray more = {"  File \"b\", line 2, in g\n", 25};
  error.UpdateBacktrace(&more, kTVMFFIBacktraceUpdateModeAppend);
  CHECK(error.TracebackMostRecentCallLast() == "  File \"b\", line 2, in g\n  File \"a\", line 1, in f\n");
  error.UpdateBacktrace(&more, kTVMFFIBacktraceUpdateModeReplace);
  CHECK(error.TracebackMostRecentCallLast() == "  File \"b\", line 2, in g\n");
  // A C++ exception of another kind.
  Function odd = Function::FromTyped([]() -> int { throw std::runtime_error("not ours"); });
  FunctionObj* body = const_cast<FunctionObj*>(odd.get());
  TVMFFIAny result = AnyView(nullptr).CopyToTVMFFIAny();
  CHECK(TVMFFIFunctionCall(body, nullptr, 0, &result) != 0);
  CHECK_THROWS(throw tvm::ffi::details::MoveFromSafeCallRaised(), "InternalError", "not ours");
  // One slot per thread.
  TVMFFIErrorSetRaisedFromCStr("KeyError", "mine");
  std::thread([] {
    TVMFFIObjectHandle theirs = &theirs;
    TVMFFIErrorMoveFromRaised(&theirs);
    CHECK(theirs == nullptr);
    TVMFFIErrorSetRaisedFromCStr("KeyError", "theirs");
  }).join();
  CHECK_THROWS(throw tvm::ffi::details::MoveFromSafeCallRaised(), "KeyError", "mine");
  const TVMFFIByteArray* trace = TVMFFIBacktrace("file.cc", 42, "SomeFunction", 0);
  std::string text(trace->data, trace->size);
  CHECK(text.rfind("  File \"file.cc\", line 42, in SomeFunction\n", 0) == 0);
}

// ---- A3: values -------------------------------------------------------------------------------------------------

void Values() {
  Function echo = Global("conformance.echo");
  CHECK(echo(1).cast<int>() == 1 && echo(true).cast<bool>() && echo(2.5).cast<double>() == 2.5);
  CHECK(echo(nullptr) == nullptr);
  CHECK(echo(static_cast<void*>(&echo)).cast<void*>() == &echo);
  CHECK(echo(DLDataType{2, 32, 4}).type_index() == kTVMFFIDataType);
  CHECK(echo(DLDevice{kDLCUDA, 1}).cast<DLDevice>().device_id == 1);
  for (const char* text : {"", "a", "seven77", "eight888", "quite a bit longer than that"}) {
    String made = Global("ffi.String")(text).cast<String>();
    CHECK(made == text && made.size() == std::strlen(text) && made.c_str()[made.size()] == '\0');
    Any any = Global("ffi.String")(text);
    CHECK(any.type_index() == (std::strlen(text) <= 7 ? kTVMFFISmallStr : kTVMFFIStr));
    TVMFFIByteArray bytes = {text, std::strlen(text)};
    TVMFFIAny raw;
    CHECK(TVMFFIStringFromByteArray(&bytes, &raw) == 0);
    Any from_c = tvm::ffi::details::AnyUnsafe::MoveTVMFFIAnyToAny(&raw);
    CHECK(AnyEqual()(from_c, any) && AnyHash()(from_c) == AnyHash()(any));
    CHECK(AnyEqual()(from_c, Any(String(std::string(text)))));
  }
  for (const std::string& content :
       {std::string("a\0b", 3), std::string("1234567"), std::string("a\0bcdefgh\xff", 10)}) {
    Any made = Global("ffi.Bytes")(Bytes(content));
    CHECK(std::string(made.cast<Bytes>()) == content);
    CHECK(made.type_index() == (content.size() <= 7 ? kTVMFFISmallBytes : kTVMFFIBytes));
    CHECK(AnyEqual()(made, Any(Bytes(content))));
    CHECK(!AnyEqual()(made, Any(String(content))));
  }
  CHECK_THROWS(Global("ffi.String")(1), "TypeError", "Expected `str` but got `int`");
  CHECK_THROWS(Global("ffi.Bytes")("x"), "TypeError", "Expected `bytes` but got `const char*`");
  ObjectRef object(make_object<OtherNode>());
  Any moved = echo(RValueRef<ObjectRef>(std::move(object)));
  CHECK(object.get() == nullptr && moved.as<OtherNode>() != nullptr);
  object = std::move(moved).cast<ObjectRef>();
  CHECK(object.use_count() == 1);
}

// ---- A7: arrays -------------------------------------------------------------------------------------------------

void Arrays() {
  Function make = Global("ffi.Array");
  Array<Any> a = make(1, "a string of some length", nullptr, 2.5).cast<Array<Any>>();
  CHECK(a.size() == 4 && a[0].cast<int>() == 1 && a[1].cast<String>() == "a string of some length" && a[2] == nullptr);
  CHECK(a.use_count() == 1);
  a.push_back(3);  // beyond its capacity: a new one, made by C++
  CHECK(a.size() == 5 && Global("ffi.ArraySize")(a).cast<int>() == 5);
  Array<Any> b = make(1, 2, 3).cast<Array<Any>>();
  const Object* before = b.get();
  b.Set(1, String("in place, in the library's memory"));
  CHECK(b.get() == before && Global("ffi.ArrayGetItem")(b, 1).cast<String>() == "in place, in the library's memory");
  b.pop_back();
  CHECK(b.get() == before && b.size() == 2);
  Array<Any> shared = b;
  b.Set(0, 9);
  CHECK(!b.same_as(shared) && shared[0].cast<int>() == 1 && b[0].cast<int>() == 9);
  b.clear();
  CHECK(b.empty());

  ObjectRef first(make_object<OtherNode>()), second(make_object<TileNode>());
  Array<ObjectRef> objects = make(first, second, first).cast<Array<ObjectRef>>();
  CHECK(objects[0].same_as(first) && objects[1].same_as(second) && objects[2].same_as(first));
  CHECK(first.use_count() == 3);
  CHECK(Global("ffi.ArrayGetItem")(objects, 1).cast<ObjectRef>().same_as(second));
  objects.erase(objects.begin());
  CHECK(first.use_count() == 2);
  objects = Array<ObjectRef>();
  CHECK(first.use_count() == 1);

  Array<Any> mine = {1, String("text"), first};
  CHECK(Global("ffi.ArrayGetItem")(mine, 2).cast<ObjectRef>().same_as(first));
  Function contains = Global("ffi.ArrayContains");
  CHECK(contains(mine, 1).cast<bool>() && contains(mine, "text").cast<bool>() && contains(mine, first).cast<bool>());
  CHECK(!contains(mine, 2).cast<bool>() && !contains(mine, "other").cast<bool>() &&
        !contains(mine, second).cast<bool>());
  CHECK(!contains(mine, Bytes("text")).cast<bool>() && !contains(mine, 1.0).cast<bool>());
  CHECK_THROWS(Global("ffi.ArrayGetItem")(mine, 3), "IndexError", "3");
  CHECK_THROWS(Global("ffi.ArrayGetItem")(mine, -1), "IndexError", "-1");
  CHECK_THROWS(
      Global("ffi.ArraySize")(1), "TypeError",
      "Mismatched type on argument #0 when calling: `ffi.ArraySize(0: ffi.Array) -> int`. Expected `ffi.Array` but got "
      "`int`");
  CHECK(make().cast<Array<Any>>().empty());
}

// ---- A2: counts, weak references --------------------------------------------------------------------------------

void Counts() {
  CHECK(live == 0);
  ObjectRef object(make_object<TileNode>());
  CHECK(live == 1);
  WeakObjectPtr<Object> weak(tvm::ffi::details::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(object));
  Array<Any> holder = Global("ffi.Array")(object).cast<Array<Any>>();
  object = ObjectRef();
  CHECK(live == 1 && weak.lock() != nullptr);
  WeakObjectPtr<Object> weak_array(tvm::ffi::details::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(holder));
  holder = Array<Any>();
  CHECK(live == 0 && weak.lock() == nullptr && weak_array.lock() == nullptr && weak_array.expired());
  // Objects that the library made, dropped by several threads.
  std::vector<std::thread> threads;
  ObjectRef shared = Global("ffi.Array")(ObjectRef(make_object<TileNode>())).cast<ObjectRef>();
  for (int i = 0; i < 8; i++) {
    threads.emplace_back([shared] {
      for (int round = 0; round < 2000; round++) {
        Any copy = Global("ffi.ArrayGetItem")(shared, 0);
        if (!copy.cast<ObjectRef>()->IsInstance<TileNode>()) failures++;
      }
    });
  }
  shared = ObjectRef();
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  CHECK(live == 0);
}

void InitOnce() {
  static int made = 0;
  void* handle = nullptr;
  auto init = +[](void** result) {
    *result = &made;
    return ++made - 1;
  };
  CHECK(TVMFFIHandleInitOnce(&handle, init) == 0 && TVMFFIHandleInitOnce(&handle, init) == 0);
  CHECK(handle == &made && made == 1);
  CHECK(TVMFFIHandleDeinitOnce(&handle, +[](void*) { return 3; }) == 3 && handle == nullptr);
}

}  // namespace

int main() {
  Types();
  ChildSlots();
  Reflection();
  Attributes();
  AutoInit();
  Functions();
  ExternalFunctions();
  Errors();
  Values();
  Arrays();
  Counts();
  InitOnce();
  TVMFFIVersion version;
  TVMFFIGetVersion(&version);
  CHECK(version.major == 0 && version.minor == 1 && version.patch >= 15);
  std::printf("%d failures\n", failures);
  return failures != 0;
}
