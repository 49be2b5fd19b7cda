// Native classes and functions for the tests, written against the published apache-tvm-ffi headers. Linked to no
// runtime: the symbols come from the one that is loaded.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/rvalue_ref.h>
#include <tvm/ffi/string.h>

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "classes.h"
#include "owners.h"
#include "plain_fields.h"
#include "storms.h"

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

namespace {

using namespace sst;

void Register() {
  refl::ObjectDef<LeafObj>()
      .def(refl::init<int64_t>(), "Make a leaf.")
      .def_rw("value", &LeafObj::value, "the leaf's value")
      .def("add", &LeafObj::Add, "Value plus n.")
      .def_static("twice", &LeafObj::Twice, "Two times n.");
  refl::ObjectDef<SubLeafObj>().def(refl::init<int64_t, ffi::String>()).def_ro("label", &SubLeafObj::label);
  refl::ObjectDef<NodeObj>()
      .def(refl::init<ffi::ObjectRef>())
      .def_rw("x", &NodeObj::x)
      .def_rw("i", &NodeObj::i)
      .def_rw("f", &NodeObj::f)
      .def_rw("b", &NodeObj::b)
      .def_rw("s", &NodeObj::s)
      .def_rw("any", &NodeObj::any)
      .def_rw("items", &NodeObj::items)
      .def_rw("table", &NodeObj::table)
      .def_ro("fixed", &NodeObj::fixed)
      .def_ro("fixed_int", &NodeObj::fixed_int);
  refl::ObjectDef<PlainObj>().def(refl::init<>());
  RegisterPlainFields();
  refl::ObjectDef<AutoObj>().def_rw("a", &AutoObj::a).def_rw("b", &AutoObj::b, refl::DefaultValue(5));
  refl::ObjectDef<RichObj>().def(refl::init<int64_t>()).def_rw("value", &RichObj::value).def_rw("x", &RichObj::x);
  refl::ObjectDef<FrozenObj>()
      .def_ro("value", &FrozenObj::value)
      .def_ro("x", &FrozenObj::x)
      .def_ro("items", &FrozenObj::items);
  refl::ObjectDef<FrozenSubObj>().def_ro("value", &FrozenSubObj::value);
  refl::ObjectDef<OpenObj>()
      .def(refl::init<>())
      .def_rw("a", &OpenObj::a)
      .def_rw("b", &OpenObj::b)
      .def("plus", [](const OpenObj* object, int64_t n) { return object->a.cast<int64_t>() + n; });
  refl::ObjectDef<AsJsonObj>().def(refl::init<int64_t>()).def_rw("value", &AsJsonObj::value);
  refl::TypeAttrDef<AsJsonObj>()
      .def("__data_to_json__", [](const AsJsonObj* object) -> int64_t { return object->value * 2; })
      .def("__data_from_json__",
           [](int64_t data) -> ffi::ObjectRef { return ffi::ObjectRef(ffi::make_object<AsJsonObj>(data / 2)); });
  refl::ObjectDef<RawObj>()
      .def(refl::init<ffi::ObjectRef>())
      .def_ro("raw", &RawObj::raw)
      .def_rw("maybe", &RawObj::maybe)
      .def_rw("either", &RawObj::either);
  refl::ObjectDef<PickyObj>().def(refl::init<int64_t>());
  refl::ObjectDef<OddObj>()
      .def(refl::init<>())
      .def_rw("front", &OddObj::front)
      .def_ro("seen", &OddObj::x)
      .def_rw("x", &OddObj::x);
  refl::ObjectDef<FarObj>().def_rw("x", &FarObj::x);
  TVMFFIFieldInfo watched = {};
  watched.name = TVMFFIByteArray{"watched", 7};
  watched.size = watched.alignment = sizeof(int64_t);
  watched.offset = refl::GetFieldByteOffsetToObject(&OddObj::watched);
  watched.getter = OddObj::GetWatched;
  watched.field_static_type_index = kTVMFFIInt;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterField(OddObj::_GetOrAllocRuntimeTypeIndex(), &watched));
  auto set_y = ffi::Function::FromTyped([](void* field, ffi::ObjectRef value) {
    static std::atomic<int> inside{0};
    bool alone = inside++ == 0;
    usleep(1);
    if (alone) *static_cast<ffi::ObjectRef*>(field) = std::move(value);
    inside--;
    if (!alone) TVM_FFI_THROW(RuntimeError) << "two threads in one setter";
  });
  TVMFFIFieldInfo y = {};
  y.name = TVMFFIByteArray{"y", 1};
  y.size = y.alignment = sizeof(void*);
  y.offset = refl::GetFieldByteOffsetToObject(&OddObj::y);
  y.flags = kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitSetterIsFunctionObj;
  y.getter = OddObj::GetRef;
  y.setter = ffi::details::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(set_y);
  y.field_static_type_index = kTVMFFIObject;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterField(OddObj::_GetOrAllocRuntimeTypeIndex(), &y));

  RegisterOwners();
  storms::Register();
  refl::GlobalDef()
      .def("sst.live", []() { return live.load(); })
      .def("sst.on_read", [](ffi::Optional<ffi::Function> f) { OddObj::on_read = f.value_or(ffi::Function()); })
      .def("sst.odd_before",
           [](ffi::ObjectRef object) {
             auto odd = ffi::make_object<OddObj>();
             odd->front = std::move(object);
             return ffi::Array<ffi::ObjectRef>{ffi::ObjectRef(odd), ffi::ObjectRef(odd)};
           })
      .def("sst.echo", [](ffi::Any value) { return value; })
      .def_packed("sst.echo_packed", [](ffi::PackedArgs args, ffi::Any* result) { *result = args[0]; })
      .def_packed("sst.type_index_of",
                  [](ffi::PackedArgs args, ffi::Any* result) { *result = static_cast<int64_t>(args[0].type_index()); })
      .def_packed("sst.count_args", [](ffi::PackedArgs args, ffi::Any* result) { *result = args.size(); })
      .def("sst.use_count", [](ffi::ObjectRef object) { return object.use_count() - 1; })
      .def("sst.leaf", [](int64_t v) { return Leaf(v); })
      .def("sst.frozen",
           [](int64_t v, ffi::ObjectRef x) {
             auto object = ffi::make_object<FrozenObj>();
             object->value = v;
             object->x = x;
             object->items = {v, x};
             return ffi::ObjectRef(object);
           })
      .def("sst.frozen_sub",
           [](int64_t v, ffi::String text) {
             auto object = ffi::make_object<FrozenSubObj>();
             object->FrozenObj::value = v;
             object->value = text;
             return ffi::ObjectRef(object);
           })
      .def("sst.rich", [](int64_t v) { return ffi::ObjectRef(ffi::make_object<RichObj>(v)); })
      .def("sst.classless", [](ffi::String key) { return MakeClassless(key); })
      .def("sst.sub_leaf", [](int64_t v, ffi::String label) { return SubLeaf(v, label); })
      .def("sst.add_one", [](int64_t v) { return v + 1; })
      .def("sst.concat", [](ffi::String a, ffi::String b) { return std::string(a.c_str(), a.size()) + b.c_str(); })
      .def("sst.byte_sum",
           [](ffi::Bytes bytes) {
             int64_t sum = 0;
             for (size_t i = 0; i < bytes.size(); i++) sum += static_cast<unsigned char>(bytes.data()[i]);
             return sum;
           })
      .def("sst.bad_text", []() { return ffi::String("\xff\xfe not text \xff", 13); })
      .def("sst.pointer", []() { return static_cast<void*>(&live); })
      .def("sst.apply", [](ffi::Function f, ffi::Any value) -> ffi::Any { return f(value); })
      .def("sst.apply8",
           [](ffi::Function f, ffi::Array<ffi::Any> a) -> ffi::Any {
             return f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
           })
      .def("sst.call_n",
           [](ffi::Function f, ffi::Any value, int64_t n) {
             for (int64_t k = 0; k < n; k++) f(value);
           })
      .def("sst.apply_raw",
           [](ffi::Function f) -> ffi::Any {
             TVMFFIByteArray bytes{"raw bytes here", 14};
             return f("a raw string", &bytes, nullptr, true, 2, 2.5, static_cast<void*>(nullptr));
           })
      .def("sst.apply_rvalue",
           [](ffi::Function f, int64_t v) -> ffi::Any {
             Leaf leaf(v);
             return f(ffi::RValueRef<Leaf>(std::move(leaf)));
           })
      .def("sst.take",
           [](ffi::RValueRef<Leaf> leaf) {
             Leaf own = *std::move(leaf);
             return static_cast<int64_t>(own.use_count());
           })
      .def("sst.take_any", [](ffi::RValueRef<ffi::ObjectRef> object) { ffi::ObjectRef own = *std::move(object); })
      .def("sst.take_and_throw",
           [](ffi::RValueRef<Leaf> leaf) {
             Leaf own = *std::move(leaf);
             throw ffi::Error("ValueError", "after taking", "");
           })
      .def("sst.take_second", [](ffi::Any, ffi::RValueRef<Leaf> leaf) { return (*std::move(leaf))->value; })
      .def("sst.apply_on_thread",
           [](ffi::Function f, ffi::Any value) -> ffi::Any {
             ffi::Any result;
             std::exception_ptr error;
             std::thread thread([&]() {
               try {
                 result = f(value);
               } catch (...) {
                 error = std::current_exception();
               }
             });
             thread.join();
             if (error) std::rethrow_exception(error);
             return result;
           })
      .def("sst.throw", [](ffi::String kind, ffi::String message) { throw ffi::Error(kind, message, ""); })
      .def("sst.throw_with_frames",
           []() {
             throw ffi::Error("ValueError", "with frames",
                              "  File \"inner.cc\", line 12, in inner\n  File \"outer.cc\", line 34, in outer\n");
           })
      .def("sst.throw_with_cause",
           []() {
             ffi::Error cause("KeyError", "the cause", "");
             throw ffi::Error("ValueError", "the effect", "", std::move(cause), std::nullopt);
           })
      .def("sst.catch",
           [](ffi::Function f) -> ffi::String {
             try {
               f();
             } catch (const ffi::Error& error) {
               return std::string(error.kind()) + "|" + std::string(error.message());
             }
             return "nothing raised";
           })
      .def("sst.catch_value",
           [](ffi::Function f) -> ffi::Any {
             try {
               f();
             } catch (ffi::Error& error) {
               return error;
             }
             return nullptr;
           })
      .def("sst.catch_times",
           [](ffi::Function f, int64_t times) {
             for (int64_t i = 0; i < times; i++) {
               try {
                 f();
               } catch (const ffi::Error&) {
               }
             }
           })
      .def("sst.rethrow_after",
           [](ffi::Function f, ffi::Function between) {
             try {
               f();
             } catch (const ffi::Error&) {
               between();
               throw;
             }
           })
      .def("sst.error_with_context",
           [](ffi::String kind, ffi::String message, ffi::ObjectRef context) {
             return ffi::Error(kind, message, "", std::nullopt, std::move(context));
           })
      .def("sst.make_error", [](ffi::String kind, ffi::String message) { return ffi::Error(kind, message, ""); })
      .def("sst.static_node",
           []() {
             TVMFFIAny any = {};
             any.type_index = static_node.header.type_index;
             any.v_obj = &static_node.header;
             TVMFFIObjectIncRef(any.v_obj);
             return ffi::details::AnyUnsafe::MoveTVMFFIAnyToAny(&any);
           })
      .def("sst.symbol_library", []() -> ffi::String {
        Dl_info info;
        return dladdr(reinterpret_cast<void*>(&TVMFFITypeGetOrAllocIndex), &info) != 0 ? info.dli_fname : "";
      });

  static const char key[] = "sst.Static";
  TVMFFIByteArray static_key{key, sizeof(key) - 1};
  static_node.header.combined_ref_count = (uint64_t{1} << 32) | 1;
  static_node.header.type_index = TVMFFITypeGetOrAllocIndex(&static_key, -1, 1, 0, 1, 64);
  static_node.header.deleter = nullptr;
  static_node.value = 5;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int SelfsameExtensionInit(void) {
  try {
    static bool done = false;
    if (!done) Register();
    done = true;
    return 0;
  } catch (const ffi::Error& error) {
    TVMFFIErrorSetRaisedFromCStr(error.kind().c_str(), error.message().c_str());
    return -1;
  }
}
