// object.h, object_ptr (ObjectPtr, Arc, WeakObjectPtr), cast.h, memory.h: C++ classes in the type registry.
// Requirements: A2, A4
#include <tvm/ffi/any.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <string>
#include <utility>

#include "check.h"

using namespace tvm::ffi;

namespace {

int destroyed = 0;

class ShapeObj : public Object {
 public:
  int64_t id = 0;
  ShapeObj() = default;
  explicit ShapeObj(int64_t id) : id(id) {}
  ~ShapeObj() { destroyed++; }
  static constexpr bool _type_mutable = true;
  static constexpr uint32_t _type_child_slots = 2;
  TVM_FFI_DECLARE_OBJECT_INFO("conformance.Shape", ShapeObj, Object);
};

class CircleObj : public ShapeObj {
 public:
  double radius = 1;
  using ShapeObj::ShapeObj;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Circle", CircleObj, ShapeObj);
};

class SquareObj : public ShapeObj {
 public:
  using ShapeObj::ShapeObj;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Square", SquareObj, ShapeObj);
};

class StarObj : public ShapeObj {  // one class more than there are child slots
 public:
  using ShapeObj::ShapeObj;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Star", StarObj, ShapeObj);
};

class OtherObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("conformance.Other", OtherObj, Object);
};

class Shape2D : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Shape2D, ObjectRef, ShapeObj);
};

class Circle : public Shape2D {
 public:
  explicit Circle(int64_t id) { data_ = make_object<CircleObj>(id); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Circle, Shape2D, CircleObj);
};

}  // namespace

TEST(object, header) {
  CHECK_EQ(sizeof(TVMFFIObject), 24u);
  ObjectPtr<CircleObj> circle = make_object<CircleObj>(3);
  CHECK_EQ(circle->type_index(), CircleObj::RuntimeTypeIndex());
  CHECK(circle->type_index() >= static_cast<int32_t>(TypeIndex::kTVMFFIDynObjectBegin));
  CHECK_EQ(circle->GetTypeKey(), std::string("conformance.Circle"));
  CHECK(circle->GetTypeKeyHash() != 0);
}

TEST(object, type_table) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(CircleObj::RuntimeTypeIndex());
  CHECK_EQ(info->type_depth, 2);
  CHECK_EQ(info->type_ancestors[0]->type_index, static_cast<int32_t>(TypeIndex::kTVMFFIObject));
  CHECK_EQ(info->type_ancestors[1]->type_index, ShapeObj::RuntimeTypeIndex());
  int32_t index = 0;
  TVMFFIByteArray key{"conformance.Circle", 18};
  CHECK_EQ(TVMFFITypeKeyToIndex(&key, &index), 0);
  CHECK_EQ(index, CircleObj::RuntimeTypeIndex());
  TVMFFIByteArray unknown{"conformance.Nobody", 18};
  CHECK_RAISES("InternalError", "Cannot find type `conformance.Nobody`",
               TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeKeyToIndex(&unknown, &index)));
}

TEST(object, static_keys) {
  CHECK_EQ(Object::TypeIndex2Key(TypeIndex::kTVMFFIFunction), std::string("ffi.Function"));
  CHECK_EQ(Object::TypeIndex2Key(TypeIndex::kTVMFFIInt), std::string("int"));
  CHECK_EQ(Object::TypeIndex2Key(TypeIndex::kTVMFFIRawStr), std::string("const char*"));
  CHECK_EQ(Object::TypeIndex2Key(TypeIndex::kTVMFFIDict), std::string("ffi.Dict"));
}

TEST(object, asking_does_not_register) {
  TVMFFIByteArray key{"conformance.Unheard", 19};
  CHECK_EQ(TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, -2), -2);
  TVMFFIByteArray known{"conformance.Shape", 17};
  CHECK_EQ(TVMFFITypeGetOrAllocIndex(&known, -1, 1, 0, 1, -2), ShapeObj::RuntimeTypeIndex());
}

TEST(object, child_slots) {
  int32_t base = ShapeObj::RuntimeTypeIndex();
  int32_t circle = CircleObj::RuntimeTypeIndex(), square = SquareObj::RuntimeTypeIndex();
  CHECK(circle > base && circle <= base + 2);
  CHECK(square > base && square <= base + 2);
  CHECK(StarObj::RuntimeTypeIndex() > base + 2);
  CHECK(make_object<StarObj>(1)->IsInstance<ShapeObj>());  // found through its ancestors
  CHECK(!make_object<StarObj>(1)->IsInstance<CircleObj>());
}

TEST(object, is_instance) {
  ObjectPtr<Object> circle = make_object<CircleObj>(1);
  CHECK(circle->IsInstance<Object>());
  CHECK(circle->IsInstance<ShapeObj>());
  CHECK(circle->IsInstance<CircleObj>());
  CHECK(!circle->IsInstance<OtherObj>());
  CHECK(!make_object<OtherObj>()->IsInstance<ShapeObj>());
  CHECK(!make_object<ShapeObj>()->IsInstance<CircleObj>());
}

TEST(object, reference_counts) {
  destroyed = 0;
  {
    ObjectPtr<ShapeObj> a = make_object<ShapeObj>(1);
    CHECK(a.unique());
    ObjectPtr<ShapeObj> b = a;
    CHECK_EQ(a.use_count(), 2);
    CHECK(!a.unique());
    b.reset();
    CHECK_EQ(a.use_count(), 1);
    ObjectPtr<ShapeObj> c = std::move(a);
    CHECK(a == nullptr);  // NOLINT(bugprone-use-after-move)
    CHECK_EQ(c.use_count(), 1);
  }
  CHECK_EQ(destroyed, 1);
}

TEST(object, c_reference_counts) {
  destroyed = 0;
  ObjectPtr<ShapeObj> a = make_object<ShapeObj>(1);
  TVMFFIObjectHandle handle = detail::ObjectUnsafe::GetHeader(a.get());
  CHECK_EQ(TVMFFIObjectIncRef(handle), 0);
  CHECK_EQ(a.use_count(), 2);
  a.reset();
  CHECK_EQ(destroyed, 0);
  CHECK_EQ(TVMFFIObjectDecRef(handle), 0);
  CHECK_EQ(destroyed, 1);
  CHECK_EQ(TVMFFIObjectDecRef(nullptr), 0);
}

TEST(object, weak_references) {
  destroyed = 0;
  WeakObjectPtr<ShapeObj> weak;
  {
    ObjectPtr<ShapeObj> strong = make_object<ShapeObj>(5);
    weak = strong;
    CHECK(!weak.expired());
    CHECK_EQ(weak.use_count(), 1);
    ObjectPtr<ShapeObj> again = weak.lock();
    CHECK_EQ(again->id, 5);
    CHECK_EQ(strong.use_count(), 2);
    CHECK(!again.unique());
  }
  CHECK_EQ(destroyed, 1);  // destroyed; the weak reference keeps the memory
  CHECK(weak.expired());
  CHECK(weak.lock() == nullptr);
}

TEST(object, weak_reference_to_runtime_object) {
  // An Error that the library made: memory and deleter are those of the library.
  TVMFFIByteArray kind{"ValueError", 10}, text{"x", 1}, none{nullptr, 0};
  TVMFFIObjectHandle handle = nullptr;
  CHECK_EQ(TVMFFIErrorCreate(&kind, &text, &none, &handle), 0);
  auto strong = detail::ObjectUnsafe::ObjectPtrFromOwned<Object>(static_cast<TVMFFIObject*>(handle));
  WeakObjectPtr<Object> weak = strong;
  CHECK(weak.lock() == strong);
  strong.reset();
  CHECK(weak.expired());
}

TEST(object, arc) {
  Arc<CircleObj> arc = make_arc<CircleObj>(9);
  CHECK_EQ(arc->id, 9);
  ObjectPtr<ShapeObj> up = arc;
  CHECK_EQ(arc.use_count(), 2);
  Any any = arc;
  CHECK_EQ(any.type_index(), CircleObj::RuntimeTypeIndex());
}

TEST(object, references_cast) {
  Circle circle(4);
  Shape2D shape = circle;
  CHECK(shape.same_as(circle));
  CHECK(shape.as<CircleObj>() != nullptr);
  CHECK(shape.as<OtherObj>() == nullptr);
  CHECK_EQ(shape.as<Circle>().value()->id, 4);
  CHECK(GetRef<Shape2D>(shape.get()).same_as(shape));
  CHECK_EQ(shape.GetTypeKey(), std::string("conformance.Circle"));
  Shape2D empty;
  CHECK(!empty.defined());
  CHECK_EQ(empty.type_index(), static_cast<int32_t>(TypeIndex::kTVMFFINone));
}

TEST(object, values_cast) {
  Any any = Circle(8);
  CHECK_EQ(any.cast<Shape2D>()->id, 8);
  CHECK(any.as<CircleObj>() != nullptr);
  CHECK_RAISES("TypeError", "Cannot convert from type `conformance.Circle` to `conformance.Other`",
               any.cast<ObjectPtr<OtherObj>>());
  CHECK(!Any(nullptr).cast<Shape2D>().defined());
  CHECK_RAISES("TypeError", "Cannot convert from type `None` to `conformance.Circle`", Any(nullptr).cast<Circle>());
}

TEST(object, opaque) {
  static int released;
  released = 0;
  TVMFFIObjectHandle handle = nullptr;
  CHECK_EQ(
      TVMFFIObjectCreateOpaque(&released, kTVMFFIOpaquePyObject, [](void* p) { ++*static_cast<int*>(p); }, &handle), 0);
  CHECK(static_cast<TVMFFIOpaqueObjectCell*>(TVMFFIOpaqueObjectGetCellPtr(handle))->handle == &released);
  CHECK_EQ(TVMFFIObjectDecRef(handle), 0);
  CHECK_EQ(released, 1);
  CHECK(TVMFFIObjectCreateOpaque(&released, kTVMFFIFunction, nullptr, &handle) != 0);
  CHECK_EQ(detail::MoveFromSafeCallRaised().message(), std::string("Only kTVMFFIOpaquePyObject is supported for now"));
}
