// Native classes and functions for the tests, written against the published apache-tvm-ffi headers and linked to
// nothing: every symbol comes from the runtime that is loaded already.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/rvalue_ref.h>
#include <tvm/ffi/string.h>

#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "storms.h"

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

namespace {

std::atomic<int64_t> live{0};

struct Counted {
  Counted() { live++; }
  Counted(const Counted&) { live++; }
  ~Counted() { live--; }
};

class LeafObj : public ffi::Object {
 public:
  int64_t value = 0;
  Counted counted;

  explicit LeafObj(int64_t v) : value(v) {}
  int64_t Add(int64_t n) const { return value + n; }
  static int64_t Twice(int64_t n) { return 2 * n; }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("sst.Leaf", LeafObj, ffi::Object);
};

class Leaf : public ffi::ObjectRef {
 public:
  explicit Leaf(int64_t v) { data_ = ffi::make_object<LeafObj>(v); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Leaf, ffi::ObjectRef, LeafObj);
};

class SubLeafObj : public LeafObj {
 public:
  ffi::String label;
  SubLeafObj(int64_t v, ffi::String l) : LeafObj(v), label(std::move(l)) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.SubLeaf", SubLeafObj, LeafObj);
};

class SubLeaf : public Leaf {
 public:
  SubLeaf(int64_t v, ffi::String l) { data_ = ffi::make_object<SubLeafObj>(v, std::move(l)); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(SubLeaf, Leaf, SubLeafObj);
};

class NodeObj : public ffi::Object {
 public:
  ffi::ObjectRef x;
  int64_t i = 0;
  double f = 0;
  bool b = false;
  ffi::String s;
  ffi::Any any;
  ffi::Array<ffi::Any> items;
  ffi::ObjectRef fixed;
  int64_t fixed_int = 7;
  Counted counted;

  explicit NodeObj(ffi::ObjectRef x_) : x(x_), fixed(x_) {}

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Node", NodeObj, ffi::Object);
};

// A class that registers the offsets of its fields as plain storage, the way the Go frontend does.
class PlainObj : public ffi::Object {
 public:
  TVMFFIObject* x = nullptr;
  int64_t i = 0;
  double f = 0;
  bool b = false;
  TVMFFIAny any = {};
  Counted counted;

  PlainObj() = default;
  PlainObj(const PlainObj& other)
      : ffi::Object(other), x(other.x), i(other.i), f(other.f), b(other.b), any(other.any), counted(other.counted) {
    if (x != nullptr) TVMFFIObjectIncRef(x);
    if (any.type_index >= 64) TVMFFIObjectIncRef(any.v_obj);
  }
  ~PlainObj() {
    if (x != nullptr) TVMFFIObjectDecRef(x);
    if (any.type_index >= 64) TVMFFIObjectDecRef(any.v_obj);
  }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Plain", PlainObj, ffi::Object);
};

class AutoObj : public ffi::Object {
 public:
  int64_t a = 0;
  int64_t b = 0;
  Counted counted;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Auto", AutoObj, ffi::Object);
};

// Its Python class keeps state in its instances.
class RichObj : public ffi::Object {
 public:
  int64_t value = 0;
  ffi::ObjectRef x;
  Counted counted;
  explicit RichObj(int64_t v) : value(v) {}
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Rich", RichObj, ffi::Object);
};

// Can be made without arguments, and its fields are read-only for Python.
class FrozenObj : public ffi::Object {
 public:
  int64_t value = 0;
  ffi::ObjectRef x;
  ffi::Array<ffi::Any> items;
  Counted counted;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("sst.Frozen", FrozenObj, ffi::Object);
};

// Names a field as its base does.
class FrozenSubObj : public FrozenObj {
 public:
  ffi::String value;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.FrozenSub", FrozenSubObj, FrozenObj);
};

// Its Python class keeps state, and it can be made without arguments.
class OpenObj : public ffi::Object {
 public:
  ffi::Any a;
  ffi::Any b;
  Counted counted;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Open", OpenObj, ffi::Object);
};

// Has a form of its own as JSON, and no constructor without arguments.
class AsJsonObj : public ffi::Object {
 public:
  int64_t value = 0;
  Counted counted;
  explicit AsJsonObj(int64_t v) : value(v) {}
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.AsJson", AsJsonObj, ffi::Object);
};

// Points at an object without owning it, and owns two more in other forms.
class RawObj : public ffi::Object {
 public:
  const ffi::Object* raw = nullptr;
  ffi::Optional<ffi::ObjectRef> maybe;
  ffi::Variant<ffi::ObjectRef, int64_t> either = int64_t{0};
  Counted counted;
  explicit RawObj(const ffi::ObjectRef& target) : raw(target.get()) {}
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Raw", RawObj, ffi::Object);
};

// No test registers a Python class for it.
class ClasslessObj : public ffi::Object {
 public:
  Counted counted;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Classless", ClasslessObj, ffi::Object);
};

class PickyObj : public ffi::Object {
 public:
  Counted counted;
  explicit PickyObj(int64_t mode) {
    if (mode == 0) TVM_FFI_THROW(ValueError) << "mode 0 is refused";
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sst.Picky", PickyObj, ffi::Object);
};

// Objects that no allocator made: in static storage, never deleted.
struct StaticNode {
  TVMFFIObject header;
  int64_t value;
};
StaticNode static_node;

constexpr int64_t kPlain = int64_t{1} << 48;

int GetCell(void* field, TVMFFIAny* result) { return TVMFFIAnyViewToOwnedAny(static_cast<TVMFFIAny*>(field), result); }
int SetCell(void* field, const TVMFFIAny* value) {
  TVMFFIAny owned;
  if (TVMFFIAnyViewToOwnedAny(value, &owned) != 0) return -1;
  TVMFFIAny old = *static_cast<TVMFFIAny*>(field);
  *static_cast<TVMFFIAny*>(field) = owned;
  if (old.type_index >= 64) TVMFFIObjectDecRef(old.v_obj);
  return 0;
}
int GetObject(void* field, TVMFFIAny* result) {
  TVMFFIObject* object = *static_cast<TVMFFIObject**>(field);
  *result = TVMFFIAny{};
  if (object == nullptr) return 0;
  TVMFFIObjectIncRef(object);
  result->type_index = object->type_index;
  result->v_obj = object;
  return 0;
}
int SetObject(void* field, const TVMFFIAny* value) {
  TVMFFIObject* object = nullptr;
  if (value->type_index >= 64) {
    object = value->v_obj;
    TVMFFIObjectIncRef(object);
  } else if (value->type_index != 0) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "expected an object or None");
    return -1;
  }
  TVMFFIObject* old = *static_cast<TVMFFIObject**>(field);
  *static_cast<TVMFFIObject**>(field) = object;
  if (old != nullptr) TVMFFIObjectDecRef(old);
  return 0;
}
template <int32_t kIndex, typename T>
int GetPod(void* field, TVMFFIAny* result) {
  *result = TVMFFIAny{};
  result->type_index = kIndex;
  if constexpr (kIndex == 3) {
    result->v_float64 = *static_cast<T*>(field);
  } else {
    result->v_int64 = *static_cast<T*>(field);
  }
  return 0;
}
template <typename T>
int SetPod(void* field, const TVMFFIAny* value) {
  if (value->type_index == 1 || value->type_index == 2) {
    *static_cast<T*>(field) = static_cast<T>(value->v_int64);
  } else if (value->type_index == 3) {
    *static_cast<T*>(field) = static_cast<T>(value->v_float64);
  } else {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "expected a number");
    return -1;
  }
  return 0;
}

void RegisterPlain(const char* name, int64_t offset, int64_t size, int32_t index, TVMFFIFieldGetter getter,
                   int (*setter)(void*, const TVMFFIAny*)) {
  TVMFFIFieldInfo info = {};
  info.name = TVMFFIByteArray{name, std::char_traits<char>::length(name)};
  info.flags = kTVMFFIFieldFlagBitMaskWritable | kPlain;
  info.size = size;
  info.alignment = 8;
  info.offset = offset;
  info.getter = getter;
  info.setter = reinterpret_cast<void*>(setter);
  info.field_static_type_index = index;
  if (TVMFFITypeRegisterField(PlainObj::RuntimeTypeIndex(), &info) != 0) throw ffi::details::MoveFromSafeCallRaised();
}

// What natives keep outside of Python.
std::mutex kept_lock;
std::vector<ffi::Any> kept;

// A native weak reference, by the ABI's counts.
class Weak {
 public:
  void Set(TVMFFIObject* object) {
    Clear();
    object_ = object;
    __atomic_fetch_add(&object->combined_ref_count, uint64_t{1} << 32, __ATOMIC_RELAXED);
  }
  ffi::Any Promote() {
    if (object_ == nullptr) return nullptr;
    uint64_t old = __atomic_load_n(&object_->combined_ref_count, __ATOMIC_RELAXED);
    while ((old & 0xFFFFFFFFu) != 0) {
      if (__atomic_compare_exchange_n(&object_->combined_ref_count, &old, old + 1, true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED)) {
        TVMFFIAny any = {};
        any.type_index = object_->type_index;
        any.v_obj = object_;
        return ffi::details::AnyUnsafe::MoveTVMFFIAnyToAny(&any);
      }
    }
    return nullptr;
  }
  void Clear() {
    if (object_ == nullptr) return;
    uint64_t one = uint64_t{1} << 32;
    if (__atomic_fetch_sub(&object_->combined_ref_count, one, __ATOMIC_ACQ_REL) == one) {
      object_->deleter(object_, kTVMFFIObjectDeleterFlagBitMaskWeak);
    }
    object_ = nullptr;
  }

 private:
  TVMFFIObject* object_ = nullptr;
};
Weak weak;

std::atomic<bool> churning{false};
std::thread churner;

// An object of a type of its own, so that nobody has made a Python class for it.
ffi::ObjectRef MakeClassless(const ffi::String& key) {
  TVMFFIByteArray bytes{key.data(), key.size()};
  auto object = ffi::make_object<ClasslessObj>();
  ffi::details::ObjectUnsafe::GetHeader(object.get())->type_index =
      TVMFFITypeGetOrAllocIndex(&bytes, -1, 1, 0, 1, kTVMFFIObject);
  return ffi::ObjectRef(std::move(object));
}

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
      .def_ro("fixed", &NodeObj::fixed)
      .def_ro("fixed_int", &NodeObj::fixed_int);
  refl::ObjectDef<PlainObj>().def(refl::init<>());
  const PlainObj probe;
  auto offset = [&probe](const void* member) {
    return reinterpret_cast<const char*>(member) - reinterpret_cast<const char*>(&probe);
  };
  RegisterPlain("x", offset(&probe.x), 8, 64, GetObject, SetObject);
  RegisterPlain("i", offset(&probe.i), 8, 1, GetPod<1, int64_t>, SetPod<int64_t>);
  RegisterPlain("f", offset(&probe.f), 8, 3, GetPod<3, double>, SetPod<double>);
  RegisterPlain("b", offset(&probe.b), 1, 2, GetPod<2, bool>, SetPod<bool>);
  RegisterPlain("any", offset(&probe.any), 16, -1, GetCell, SetCell);
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

  storms::Register();
  refl::GlobalDef()
      .def("sst.live", []() { return live.load(); })
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
      .def("sst.make_error", [](ffi::String kind, ffi::String message) { return ffi::Error(kind, message, ""); })
      .def("sst.keep",
           [](ffi::Any value) {
             std::lock_guard<std::mutex> guard(kept_lock);
             kept.push_back(std::move(value));
           })
      .def("sst.kept", [](int64_t i) -> ffi::Any { return kept.at(static_cast<size_t>(i)); })
      .def("sst.keep_classless", [](ffi::String key) { kept.push_back(MakeClassless(key)); })
      .def("sst.apply_kept", [](ffi::Function f) -> ffi::Any { return f(kept.at(0)); })
      .def("sst.kept_use_count", []() { return kept.at(0).cast<ffi::ObjectRef>().use_count() - 1; })
      .def("sst.release",
           []() {
             std::vector<ffi::Any> dying;
             {
               std::lock_guard<std::mutex> guard(kept_lock);
               dying.swap(kept);
             }
           })
      .def("sst.release_on_thread",
           []() {
             std::vector<ffi::Any> dying;
             dying.swap(kept);
             std::thread([&dying]() { dying.clear(); }).join();
           })
      .def("sst.weak_set",
           [](ffi::ObjectRef object) {
             weak.Set(const_cast<TVMFFIObject*>(
                 reinterpret_cast<const TVMFFIObject*>(ffi::details::ObjectUnsafe::GetHeader(object.get()))));
           })
      .def("sst.weak_keep", []() { kept.push_back(weak.Promote()); })
      .def("sst.weak_get", []() { return weak.Promote(); })
      .def("sst.weak_clear", []() { weak.Clear(); })
      .def("sst.static_node",
           []() {
             TVMFFIAny any = {};
             any.type_index = static_node.header.type_index;
             any.v_obj = &static_node.header;
             TVMFFIObjectIncRef(any.v_obj);
             return ffi::details::AnyUnsafe::MoveTVMFFIAnyToAny(&any);
           })
      // Many threads that take and drop references of one object while the caller goes on.
      .def("sst.hammer",
           [](ffi::Any value, int64_t threads, int64_t rounds) {
             std::vector<std::thread> pool;
             for (int64_t t = 0; t < threads; t++) {
               pool.emplace_back([value, rounds]() {
                 for (int64_t r = 0; r < rounds; r++) ffi::Any copy = value;
               });
             }
             for (auto& thread : pool) thread.join();
           })
      // Changes what an object owns, with the interpreter lock released, while the caller's other threads go on.
      .def("sst.churn",
           [](const PlainObj* plain, int64_t rounds) {
             auto* object = const_cast<PlainObj*>(plain);
             for (int64_t r = 0; r < rounds; r++) {
               TVMFFIAny any = ffi::details::AnyUnsafe::MoveAnyToTVMFFIAny(ffi::Any(Leaf(r)));
               std::swap(object->x, any.v_obj);
               if (any.v_obj != nullptr) TVMFFIObjectDecRef(any.v_obj);
             }
           })
      // A thread that owns `plain` and gives it one new List after the other, each with the object itself in it.
      .def("sst.churn_start",
           [](ffi::Any value) {
             churning = true;
             churner = std::thread([value = std::move(value)]() {
               auto* object = const_cast<PlainObj*>(value.cast<const PlainObj*>());
               for (int64_t r = 0; churning; r++) {
                 ffi::List<ffi::Any> list;
                 for (int64_t k = 0; k < r % 9; k++) list.push_back(k % 2 == 0 ? value : ffi::Any(Leaf(k)));
                 TVMFFIAny any = ffi::details::AnyUnsafe::MoveAnyToTVMFFIAny(ffi::Any(std::move(list)));
                 any.v_obj = __atomic_exchange_n(&object->x, any.v_obj, __ATOMIC_ACQ_REL);
                 if (any.v_obj != nullptr) TVMFFIObjectDecRef(any.v_obj);
               }
               TVMFFIObject* left = __atomic_exchange_n(&object->x, nullptr, __ATOMIC_ACQ_REL);
               if (left != nullptr) TVMFFIObjectDecRef(left);
             });
           })
      .def("sst.churn_stop",
           []() {
             churning = false;
             churner.join();
             churner = std::thread();
           })
      // A thread that owns `plain` for a moment and then takes its x away.
      .def("sst.open_later",
           [](ffi::Any value, int64_t microseconds) {
             std::thread([value = std::move(value), microseconds]() {
               std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
               auto* object = const_cast<PlainObj*>(value.cast<const PlainObj*>());
               TVMFFIObject* x = __atomic_exchange_n(&object->x, nullptr, __ATOMIC_ACQ_REL);
               if (x != nullptr) TVMFFIObjectDecRef(x);
             }).detach();
           })
      // Keeps a value for a moment on a thread of its own, which then drops the last native reference.
      .def("sst.drop_later",
           [](ffi::Any value) {
             auto* box = new ffi::Any(std::move(value));
             std::thread([box]() {
               std::this_thread::sleep_for(std::chrono::microseconds(200));
               delete box;
             }).detach();
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
