// Native code that holds objects in many ways, reads their strong counts without taking a reference, and copies before
// it writes. Built against the published headers, once; both runtimes load the same file.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/rvalue_ref.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace counts {

namespace ffi = tvm::ffi;

void EndWatch(const ffi::Object* dying);

// What is counted. One class for each kind of Python class (families.py).
class BoxObj : public ffi::Object {
 public:
  int64_t n = 0;
  ffi::Any x;
  BoxObj() = default;
  BoxObj(const BoxObj& other) = default;
  ~BoxObj() { EndWatch(this); }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("counts.Box", BoxObj, ffi::Object);
};

template <char kFamily>
class FamilyObj : public BoxObj {
 public:
  static constexpr const char kKey[] = {'c', 'o', 'u', 'n', 't', 's', '.', kFamily, '\0'};
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL(kKey, FamilyObj, BoxObj);
};

// An owner with a field.
class OwnerObj : public ffi::Object {
 public:
  ffi::Any x;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("counts.Owner", OwnerObj, ffi::Object);
};

using Work = std::function<void(ffi::Any&)>;

// A place where native code keeps one value.
class Place {
 public:
  virtual ~Place() = default;
  // Calls `work` with the value, of which this place then has the only reference of its own.
  virtual void With(const Work& work) = 0;
};

class AnyPlace : public Place {
 public:
  explicit AnyPlace(ffi::Any value) : value_(std::move(value)) {}
  void With(const Work& work) override { work(value_); }

 private:
  ffi::Any value_;
};

class PointerPlace : public Place {
 public:
  explicit PointerPlace(ffi::Any value) : value_(value.cast<ffi::ObjectRef>()) {}
  void With(const Work& work) override {
    ffi::Any value(std::move(value_));
    work(value);
    value_ = std::move(value).cast<ffi::ObjectRef>();
  }

 private:
  ffi::ObjectRef value_;
};

template <typename Container>
class SequencePlace : public Place {
 public:
  explicit SequencePlace(ffi::Any value) : values_{ffi::Any(0), std::move(value)} {}
  void With(const Work& work) override {
    ffi::Any value = values_[1];
    values_.Set(1, ffi::Any());
    work(value);
    values_.Set(1, std::move(value));
  }

 private:
  Container values_;
};

template <typename Container>
class TablePlace : public Place {
 public:
  explicit TablePlace(ffi::Any value) { values_.Set("key", std::move(value)); }
  void With(const Work& work) override {
    ffi::Any value = values_["key"];
    values_.Set("key", ffi::Any());
    work(value);
    values_.Set("key", std::move(value));
  }

 private:
  Container values_;
};

class FieldPlace : public Place {
 public:
  explicit FieldPlace(ffi::Any value) : owner_(ffi::make_object<OwnerObj>()) { owner_->x = std::move(value); }
  void With(const Work& work) override { work(owner_->x); }

 private:
  ffi::ObjectPtr<OwnerObj> owner_;
};

class ClosurePlace : public Place {
 public:
  explicit ClosurePlace(ffi::Any value) : closure_(ffi::Function::FromTyped(Closure{std::move(value), &work_})) {}
  void With(const Work& work) override {
    work_ = &work;
    closure_();
  }

 private:
  struct Closure {
    mutable ffi::Any value;
    const Work* const* work;
    void operator()() const { (**work)(value); }
  };
  const Work* work_ = nullptr;
  ffi::Function closure_;
};

// The value moves to a thread for each piece of work; otherwise no thread has it.
class ThreadPlace : public AnyPlace {
 public:
  using AnyPlace::AnyPlace;
  void With(const Work& work) override {
    std::thread([this, &work]() { AnyPlace::With(work); }).join();
  }
};

// A value in a container in a field of an object in a container.
class DeepPlace : public Place {
 public:
  explicit DeepPlace(ffi::Any value) {
    auto owner = ffi::make_object<OwnerObj>();
    owner->x = ffi::List<ffi::Any>{std::move(value)};
    outer_ = ffi::Array<ffi::Any>{ffi::Any(ffi::ObjectRef(std::move(owner)))};
  }
  void With(const Work& work) override {
    auto list = outer_[0].cast<const OwnerObj*>()->x.cast<ffi::List<ffi::Any>>();
    ffi::Any value = list[0];
    list.Set(0, ffi::Any());
    work(value);
    list.Set(0, std::move(value));
  }

 private:
  ffi::Array<ffi::Any> outer_;
};

class OptionalPlace : public Place {
 public:
  explicit OptionalPlace(ffi::Any value) : value_(value.cast<ffi::ObjectRef>()) {}
  void With(const Work& work) override {
    ffi::Any value(*std::exchange(value_, std::nullopt));
    work(value);
    value_ = std::move(value).cast<ffi::ObjectRef>();
  }

 private:
  ffi::Optional<ffi::ObjectRef> value_;
};

class VariantPlace : public Place {
 public:
  explicit VariantPlace(ffi::Any value) : value_(value.cast<ffi::ObjectRef>()) {}
  void With(const Work& work) override {
    ffi::Any value(std::exchange(value_, ffi::String("none")).get<ffi::ObjectRef>());
    work(value);
    value_ = std::move(value).cast<ffi::ObjectRef>();
  }

 private:
  ffi::Variant<ffi::String, ffi::ObjectRef> value_;
};

class TuplePlace : public Place {
 public:
  explicit TuplePlace(ffi::Any value) : values_(0, std::move(value)) {}
  void With(const Work& work) override {
    ffi::Any value = values_.get<1>();
    values_.Set<1>(ffi::Any());
    work(value);
    values_.Set<1>(std::move(value));
  }

 private:
  ffi::Tuple<int64_t, ffi::Any> values_;
};

// The key of a Map, which cannot be changed: it leaves the Map for the time of the work.
class KeyPlace : public Place {
 public:
  explicit KeyPlace(ffi::Any value) { values_.Set(std::move(value), 1); }
  void With(const Work& work) override {
    ffi::Any value = (*values_.begin()).first;
    values_.clear();
    work(value);
    values_.Set(std::move(value), 1);
  }

 private:
  ffi::Map<ffi::Any, int64_t> values_;
};

// A reference in memory of C++'s own, of which there are several.
class SharedPlace : public Place {
 public:
  explicit SharedPlace(ffi::Any value) : values_{value.cast<ffi::ObjectRef>(), value.cast<ffi::ObjectRef>()} {}
  void With(const Work& work) override {
    ffi::Any value(values_[0]);
    values_.clear();
    work(value);
    values_.assign(2, std::move(value).cast<ffi::ObjectRef>());
  }

 private:
  std::vector<ffi::ObjectRef> values_;
};

std::vector<std::unique_ptr<Place>> places;

std::unique_ptr<Place> MakePlace(const std::string& kind, ffi::Any value) {
  if (kind == "Any") return std::make_unique<AnyPlace>(std::move(value));
  if (kind == "reference") return std::make_unique<PointerPlace>(std::move(value));
  if (kind == "Array") return std::make_unique<SequencePlace<ffi::Array<ffi::Any>>>(std::move(value));
  if (kind == "List") return std::make_unique<SequencePlace<ffi::List<ffi::Any>>>(std::move(value));
  if (kind == "Map") return std::make_unique<TablePlace<ffi::Map<ffi::String, ffi::Any>>>(std::move(value));
  if (kind == "Dict") return std::make_unique<TablePlace<ffi::Dict<ffi::String, ffi::Any>>>(std::move(value));
  if (kind == "field") return std::make_unique<FieldPlace>(std::move(value));
  if (kind == "closure") return std::make_unique<ClosurePlace>(std::move(value));
  if (kind == "thread") return std::make_unique<ThreadPlace>(std::move(value));
  if (kind == "deep") return std::make_unique<DeepPlace>(std::move(value));
  if (kind == "Optional") return std::make_unique<OptionalPlace>(std::move(value));
  if (kind == "Variant") return std::make_unique<VariantPlace>(std::move(value));
  if (kind == "Tuple") return std::make_unique<TuplePlace>(std::move(value));
  if (kind == "key") return std::make_unique<KeyPlace>(std::move(value));
  if (kind == "shared") return std::make_unique<SharedPlace>(std::move(value));
  TVM_FFI_THROW(ValueError) << "counts.hold: argument 'kind': expected a place, got '" << kind << "'";
  TVM_FFI_UNREACHABLE();
}

// ---- counts -----------------------------------------------------------------------------------------------------

TVMFFIObject* Header(const TVMFFIAny& value) {
  return value.type_index >= kTVMFFIStaticObjectBegin ? value.v_obj : nullptr;
}

// What use_count() and unique() of a reference to the object say: twice the count, and 1 more when it is unique.
int64_t CountOf(TVMFFIObject* header) {
  // It owns nothing: a reference for as long as the question takes would be counted.
  ffi::ObjectPtr<ffi::Object> borrowed = ffi::details::ObjectUnsafe::ObjectPtrFromOwned<ffi::Object>(header);
  int64_t answer = 2 * static_cast<int64_t>(borrowed.use_count()) + (borrowed.unique() ? 1 : 0);
  ffi::details::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(borrowed));
  return answer;
}

// The object whose count is read without anybody passing it. It owns nothing, not even a weak count, which unique() sees.
// The destructor of an object of this file clears it.
TVMFFIObject* watched = nullptr;

void EndWatch(const ffi::Object* dying) {
  if (watched != nullptr && watched == ffi::details::ObjectUnsafe::GetHeader(dying)) watched = nullptr;
}

// A weak reference, made with the ABI's counts.
TVMFFIObject* weak = nullptr;
constexpr uint64_t kWeak = uint64_t{1} << 32;

void SetWeak(TVMFFIObject* object) {
  if (object != nullptr) __atomic_fetch_add(&object->combined_ref_count, kWeak, __ATOMIC_RELAXED);
  std::swap(object, weak);
  if (object != nullptr && __atomic_fetch_sub(&object->combined_ref_count, kWeak, __ATOMIC_ACQ_REL) == kWeak) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
}

// A strong reference made of the weak one. None when the object is dead.
ffi::Any Promote() {
  if (weak == nullptr) return nullptr;
  uint64_t old = __atomic_load_n(&weak->combined_ref_count, __ATOMIC_RELAXED);
  while ((old & 0xFFFFFFFFu) != 0) {
    if (__atomic_compare_exchange_n(&weak->combined_ref_count, &old, old + 1, true, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      TVMFFIAny any = {};
      any.type_index = weak->type_index;
      any.v_obj = weak;
      return ffi::details::AnyUnsafe::MoveTVMFFIAnyToAny(&any);
    }
  }
  return nullptr;
}

// Defines a function of one argument that is given as the caller has it: borrowed, with no reference taken.
template <typename Body>
ffi::Function Borrowing(Body body) {
  return ffi::Function::FromPacked([body](const ffi::AnyView* args, int32_t count, ffi::Any* result) {
    if (count != 1) TVM_FFI_THROW(TypeError) << "counts: expected 1 argument, got " << count;
    *result = body(args[0].CopyToTVMFFIAny());
  });
}

// ---- builtin classes ------------------------------------------------------------------------------------------

struct Memory {
  void AllocData(DLTensor* tensor) { tensor->data = new int32_t[2]{1, 2}; }
  void FreeData(DLTensor* tensor) { delete[] static_cast<int32_t*>(tensor->data); }
};

// ---- copy on write ----------------------------------------------------------------------------------------------

template <typename T>
bool CopyAs(ffi::Any& value) {
  const T* object = value.as<T>();
  if (object == nullptr) return false;
  auto copy = ffi::make_object<T>(*object);
  value = ffi::ObjectRef(std::move(copy));
  return true;
}

// Writes n of the object, or an item of the container, in `value`, of which the caller's reference is the only one it counts as its own: copies first
// unless that is the only reference there is. As CopyOnWrite of TVM's references.
void WriteCopying(ffi::Any& value, int64_t n) {
  if (value.as<ffi::ArrayObj>() != nullptr) {
    auto array = std::move(value).cast<ffi::Array<ffi::Any>>();
    array.Set(0, n);
    value = std::move(array);
    return;
  }
  if (value.as<ffi::MapObj>() != nullptr) {
    auto map = std::move(value).cast<ffi::Map<ffi::String, ffi::Any>>();
    map.Set("a", n);
    value = std::move(map);
    return;
  }
  const BoxObj* box = value.as<BoxObj>();
  if (box == nullptr) return;
  if (!box->unique() && !CopyAs<FamilyObj<'L'>>(value) && !CopyAs<FamilyObj<'D'>>(value) &&
      !CopyAs<FamilyObj<'W'>>(value) && !CopyAs<FamilyObj<'S'>>(value) && !CopyAs<FamilyObj<'F'>>(value) &&
      !CopyAs<FamilyObj<'P'>>(value) && !CopyAs<FamilyObj<'G'>>(value)) {
    TVM_FFI_THROW(TypeError) << "counts: expected a class of the families, got " << value.GetTypeKey();
  }
  const_cast<BoxObj*>(value.as<BoxObj>())->n = n;
}

template <char kFamily>
void RegisterFamily(const char* maker) {
  namespace refl = ffi::reflection;
  refl::ObjectDef<FamilyObj<kFamily>>();
  refl::GlobalDef().def(maker, [](int64_t n) {
    auto box = ffi::make_object<FamilyObj<kFamily>>();
    box->n = n;
    return ffi::ObjectRef(std::move(box));
  });
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ffi::reflection;
  refl::ObjectDef<BoxObj>().def_rw("n", &BoxObj::n).def_rw("x", &BoxObj::x);
  refl::ObjectDef<OwnerObj>().def_rw("x", &OwnerObj::x);
  RegisterFamily<'L'>("counts.make_L");
  RegisterFamily<'D'>("counts.make_D");
  RegisterFamily<'W'>("counts.make_W");
  RegisterFamily<'S'>("counts.make_S");
  RegisterFamily<'F'>("counts.make_F");
  RegisterFamily<'P'>("counts.make_P");
  RegisterFamily<'G'>("counts.make_G");

  refl::GlobalDef()
      .def("counts.owner",
           [](ffi::Any x) {
             auto owner = ffi::make_object<OwnerObj>();
             owner->x = std::move(x);
             return ffi::ObjectRef(std::move(owner));
           })
      // Keeps a value in a new place of a kind.
      .def("counts.hold", [](ffi::String kind, ffi::Any value) { places.push_back(MakePlace(kind, std::move(value))); })
      .def("counts.release",
           []() {
             auto dying = std::move(places);
             places.clear();
             watched = nullptr;
             SetWeak(nullptr);
           })
      // Any thread: the places are not made for several at once.
      .def("counts.fetch",
           [](int64_t i) {
             static std::mutex mutex;
             std::lock_guard<std::mutex> guard(mutex);
             ffi::Any found;
             places.at(static_cast<size_t>(i))->With([&found](ffi::Any& value) { found = value; });
             return found;
           })
      // Keeps a reference that is made of the weak one, which ends.
      .def("counts.promote_and_hold",
           []() {
             places.push_back(std::make_unique<AnyPlace>(Promote()));
             SetWeak(nullptr);
           })
      .def("counts.watched", []() -> int64_t { return watched == nullptr ? 0 : CountOf(watched); })
      // Copies before it writes n of what the last place holds.
      .def("counts.write_held",
           [](int64_t n) {
             if (!places.empty()) places.back()->With([n](ffi::Any& value) { WriteCopying(value, n); });
           })
      .def("counts.write_argument",
           [](ffi::ObjectRef given, int64_t n) {
             ffi::Any value(std::move(given));
             WriteCopying(value, n);
           })
      .def("counts.write_moved",
           [](ffi::RValueRef<ffi::ObjectRef> given, int64_t n) {
             ffi::Any value(*std::move(given));
             WriteCopying(value, n);
             return value;
           })
      .def("counts.closure", []() { return ffi::Function::FromTyped([]() {}); })
      .def("counts.tensor", []() { return ffi::Tensor::FromNDAlloc(Memory(), {2}, {kDLInt, 32, 1}, {kDLCPU, 0}); })
      .def("counts.error", []() { return ffi::Any(ffi::Error("ValueError", "made by native code", "")); })
      .def("counts.echo", [](ffi::Any value) { return value; })
      .def("counts.nothing", [](ffi::Any) {})
      .def("counts.call", [](ffi::Function f, ffi::Any value) -> ffi::Any { return f(std::move(value)); })
      .def("counts.call_borrowing", [](ffi::Function f, ffi::AnyView value) -> ffi::Any { return f(value); })
      .def("counts.call_on_thread",
           [](ffi::Function f, ffi::Any value) {
             ffi::Any result;
             std::thread([&]() { result = f(std::move(value)); }).join();
             return result;
           })
      // Calls f with what the first place holds.
      .def("counts.call_with_held",
           [](ffi::Function f) {
             ffi::Any result;
             places.at(0)->With([&](ffi::Any& value) { result = f(value); });
             return result;
           })
      .def("counts.catch", [](ffi::Function f) {
        try {
          f();
        } catch (const ffi::Error&) {
        }
      });
  ffi::Function::SetGlobal("counts.watch", Borrowing([](TVMFFIAny value) -> ffi::Any {
                             watched = Header(value);
                             return nullptr;
                           }));
  ffi::Function::SetGlobal("counts.weak", Borrowing([](TVMFFIAny value) -> ffi::Any {
                             SetWeak(Header(value));
                             return nullptr;
                           }));
  ffi::Function::SetGlobal("counts.argument", Borrowing([](TVMFFIAny value) -> ffi::Any {
                             TVMFFIObject* object = Header(value);
                             return object == nullptr ? int64_t{0} : CountOf(object);
                           }));
}

}  // namespace counts
