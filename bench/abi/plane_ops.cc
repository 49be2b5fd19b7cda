// Operations of the kind kPlane: functions of the data plane, called directly or by the published headers.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/reflection/registry.h>

#include "bench.h"
#include "classes.h"

namespace bench {
namespace {

using namespace tvm::ffi;

TVMFFIByteArray Bytes(const char* text) { return {text, strlen(text)}; }

TVMFFIAny Empty() {
  TVMFFIAny any;
  any.type_index = TVMFFITypeIndex::kTVMFFINone;
  any.zero_padding = 0;
  any.v_int64 = 0;
  return any;
}

void Release(TVMFFIAny* any) {
  if (any->type_index >= TVMFFITypeIndex::kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(any->v_obj);
}

TVMFFIObjectHandle HandleOf(const ObjectRef& ref) { return details::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(ref); }

Body MakeObject() {
  return Each([] { Keep(make_object<LeafObj>()); });
}

Body IncDecRef() {
  ObjectRef object(make_object<LeafObj>());
  return Each([object, handle = HandleOf(object)] {
    Must(TVMFFIObjectIncRef(handle));
    Must(TVMFFIObjectDecRef(handle));
  });
}

Body FunctionCall() {
  Function add = Function::FromTyped([](int64_t a, int64_t b) { return a + b; });
  return Each([add, handle = HandleOf(add)] {
    AnyView args[2] = {1, 2};
    TVMFFIAny result = Empty();
    Must(TVMFFIFunctionCall(handle, reinterpret_cast<TVMFFIAny*>(args), 2, &result));
    Keep(result);
  });
}

Body FunctionCreate() {
  return Each([] {
    TVMFFIObjectHandle made = nullptr;
    Must(TVMFFIFunctionCreate(nullptr, [](void*, const TVMFFIAny*, int32_t, TVMFFIAny*) { return 0; }, nullptr, &made));
    TVMFFIObjectDecRef(made);
  });
}

Body StringOf(const char* text, int (*make)(const TVMFFIByteArray*, TVMFFIAny*)) {
  return Each([bytes = Bytes(text), make] {
    TVMFFIAny value = Empty();
    Must(make(&bytes, &value));
    Release(&value);
  });
}

Body ToOwned(Any value) {
  return Each([value] {
    TVMFFIAny owned = Empty();
    Must(TVMFFIAnyViewToOwnedAny(reinterpret_cast<const TVMFFIAny*>(&value), &owned));
    Release(&owned);
  });
}

Body ToOwnedRawString(const char* text) {
  return Each([text] {
    AnyView view(text);
    TVMFFIAny owned = Empty();
    Must(TVMFFIAnyViewToOwnedAny(reinterpret_cast<const TVMFFIAny*>(&view), &owned));
    Release(&owned);
  });
}

Body TypeKeyToIndex() {
  return Each([key = Bytes("ffi.reflection.AccessPath")] {
    int32_t index = 0;
    Must(TVMFFITypeKeyToIndex(&key, &index));
    Keep(index);
  });
}

Body GetTypeInfo() {
  return Each([index = LeafObj::RuntimeTypeIndex()] { Keep(TVMFFIGetTypeInfo(index)); });
}

Body GetTypeAttrColumn() {
  return Each([name = Bytes("__ffi_repr__")] { Keep(TVMFFIGetTypeAttrColumn(&name)); });
}

Body GetOrAllocIndex() {
  return Each(
      [key = Bytes("bench.Leaf")] { Keep(TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 0, TypeIndex::kTVMFFIObject)); });
}

Body GetGlobal() {
  return Each([name = Bytes("ffi.FunctionListGlobalNamesFunctor")] {
    TVMFFIObjectHandle function = nullptr;
    Must(TVMFFIFunctionGetGlobal(&name, &function));
    TVMFFIObjectDecRef(function);
  });
}

Body GetGlobalMissing() {
  return Each([name = Bytes("no.such.function")] {
    TVMFFIObjectHandle function = nullptr;
    Must(TVMFFIFunctionGetGlobal(&name, &function));
    Keep(function);
  });
}

Body ErrorCreate() {
  return Each([kind = Bytes("ValueError"), message = Bytes("a message of moderate length"), trace = Bytes("")] {
    TVMFFIObjectHandle error = nullptr;
    Must(TVMFFIErrorCreate(&kind, &message, &trace, &error));
    TVMFFIObjectDecRef(error);
  });
}

Body RaiseAndFetch() {
  return Each([] {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "a message of moderate length");
    TVMFFIObjectHandle error = nullptr;
    TVMFFIErrorMoveFromRaised(&error);
    TVMFFIObjectDecRef(error);
  });
}

Body ThrowAcrossCall() {
  Function fail = Function::FromTyped([](int64_t) -> int64_t { TVM_FFI_THROW(ValueError) << "no good"; });
  return Each([fail] {
    try {
      fail(1);
    } catch (const Error& error) {
      Keep(error);
    }
  });
}

Body MapInsert(int64_t size) {
  return Each([size] {
    Map<int64_t, int64_t> map;
    for (int64_t i = 0; i < size; i++) map.Set(i * 7919, i);
    Keep(map);
  });
}

Body MapInsertStrings(int64_t size) {
  std::vector<String> keys;
  for (int64_t i = 0; i < size; i++) keys.emplace_back("a key that is long " + std::to_string(i));
  return Each([keys] {
    Dict<String, int64_t> map;
    for (const String& key : keys) map.Set(key, 1);
    Keep(map);
  });
}

Body MapFind(int64_t size) {
  Map<String, int64_t> map;
  std::vector<String> keys;
  for (int64_t i = 0; i < size; i++) {
    keys.emplace_back("a key that is long " + std::to_string(i));
    map.Set(keys.back(), i);
  }
  return Each([map, keys, i = size_t{0}]() mutable {
    Keep(map.at(keys[i]));
    if (++i == keys.size()) i = 0;
  });
}

Body ArrayPush() {
  return Each([] {
    Array<int64_t> array;
    for (int64_t i = 0; i < 16; i++) array.push_back(i);
    Keep(array);
  });
}

Body FieldGetAndSet() {
  reflection::FieldGetter get("bench.Pair", "number");
  reflection::FieldSetter set("bench.Pair", "number");
  ObjectPtr<PairObj> pair = make_object<PairObj>();
  return Each([get, set, pair] {
    set(pair, 17);
    Keep(get(pair));
  });
}

int64_t tensor_shape[2] = {2, 3};
float tensor_data[8] __attribute__((aligned(64)));

void FillIn(DLTensor* t) { *t = DLTensor{tensor_data, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, tensor_shape, nullptr, 0}; }

Body TensorImport() {
  return Each([] {
    auto* managed = new DLManagedTensor();
    FillIn(&managed->dl_tensor);
    managed->deleter = [](DLManagedTensor* self) { delete self; };
    TVMFFIObjectHandle tensor = nullptr;
    Must(TVMFFITensorFromDLPack(managed, 0, 0, &tensor));
    TVMFFIObjectDecRef(tensor);
  });
}

Body TensorImportVersioned() {
  return Each([] {
    auto* managed = new DLManagedTensorVersioned();
    managed->version = {1, 1};
    FillIn(&managed->dl_tensor);
    managed->deleter = [](DLManagedTensorVersioned* self) { delete self; };
    TVMFFIObjectHandle tensor = nullptr;
    Must(TVMFFITensorFromDLPackVersioned(managed, 0, 0, &tensor));
    TVMFFIObjectDecRef(tensor);
  });
}

Tensor SomeTensor() {
  auto* managed = new DLManagedTensorVersioned();
  managed->version = {1, 1};
  FillIn(&managed->dl_tensor);
  managed->deleter = [](DLManagedTensorVersioned* self) { delete self; };
  return Tensor::FromDLPackVersioned(managed);
}

Body TensorExport() {
  Tensor tensor = SomeTensor();
  return Each([tensor, handle = HandleOf(tensor)] {
    DLManagedTensor* managed = nullptr;
    Must(TVMFFITensorToDLPack(handle, &managed));
    managed->deleter(managed);
  });
}

Body TensorExportVersioned() {
  Tensor tensor = SomeTensor();
  return Each([tensor, handle = HandleOf(tensor)] {
    DLManagedTensorVersioned* managed = nullptr;
    Must(TVMFFITensorToDLPackVersioned(handle, &managed));
    managed->deleter(managed);
  });
}

Body DataTypeParse() {
  return Each([text = Bytes("float32x4")] {
    DLDataType dtype;
    Must(TVMFFIDataTypeFromString(&text, &dtype));
    Keep(dtype);
  });
}

Body DataTypePrint() {
  return Each([] {
    DLDataType dtype = {kDLFloat, 32, 4};
    TVMFFIAny text = Empty();
    Must(TVMFFIDataTypeToString(&dtype, &text));
    Release(&text);
  });
}

const Define ops[] = {
    {Kind::kPlane, "make_object<T>, release", MakeObject},
    {Kind::kPlane, "IncRef, DecRef", IncDecRef},
    {Kind::kPlane, "FunctionCall, 2 ints", FunctionCall},
    {Kind::kPlane, "FunctionCreate, release", FunctionCreate},
    {Kind::kPlane, "string of 5 bytes", [] { return StringOf("short", TVMFFIStringFromByteArray); }},
    {Kind::kPlane, "string of 40 bytes",
     [] { return StringOf("forty bytes are more than a value can hold", TVMFFIStringFromByteArray); }},
    {Kind::kPlane, "bytes of 40 bytes",
     [] { return StringOf("forty bytes are more than a value can hold", TVMFFIBytesFromByteArray); }},
    {Kind::kPlane, "AnyViewToOwnedAny, int", [] { return ToOwned(17); }},
    {Kind::kPlane, "AnyViewToOwnedAny, object", [] { return ToOwned(ObjectRef(make_object<LeafObj>())); }},
    {Kind::kPlane, "AnyViewToOwnedAny, char*", [] { return ToOwnedRawString("a C string of some length"); }},
    {Kind::kPlane, "TypeKeyToIndex", TypeKeyToIndex},
    {Kind::kPlane, "TypeGetOrAllocIndex, known", GetOrAllocIndex},
    {Kind::kPlane, "GetTypeInfo", GetTypeInfo},
    {Kind::kPlane, "GetTypeAttrColumn", GetTypeAttrColumn},
    {Kind::kPlane, "FunctionGetGlobal", GetGlobal},
    {Kind::kPlane, "FunctionGetGlobal, missing", GetGlobalMissing},
    {Kind::kPlane, "ErrorCreate, release", ErrorCreate},
    {Kind::kPlane, "error raised and fetched", RaiseAndFetch},
    {Kind::kPlane, "C++ throw through a call", ThrowAcrossCall},
    {Kind::kPlane, "C++ Map: insert 8 ints", [] { return MapInsert(8); }},
    {Kind::kPlane, "C++ Map: insert 1000 ints", [] { return MapInsert(1000); }},
    {Kind::kPlane, "C++ Dict: insert 100 strings", [] { return MapInsertStrings(100); }},
    {Kind::kPlane, "C++ Map: find among 4", [] { return MapFind(4); }},
    {Kind::kPlane, "C++ Map: find among 1000", [] { return MapFind(1000); }},
    {Kind::kPlane, "C++ Array: 16 push_back", ArrayPush},
    {Kind::kPlane, "field set and get by reflection", FieldGetAndSet},
    {Kind::kPlane, "tensor from DLPack, release", TensorImport},
    {Kind::kPlane, "tensor from DLPack (versioned), release", TensorImportVersioned},
    {Kind::kPlane, "tensor to DLPack, release", TensorExport},
    {Kind::kPlane, "tensor to DLPack (versioned), release", TensorExportVersioned},
    {Kind::kPlane, "DataTypeFromString", DataTypeParse},
    {Kind::kPlane, "DataTypeToString", DataTypePrint},
};

}  // namespace
}  // namespace bench
