// Values, arrays, counts and weak references, slots that are filled once.
// Requirements: A2, A3, A7, E1
#include <thread>
#include <vector>

#include "checks.h"
#include "classes.h"

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
