// C++ functions for values of every kind that the ABI knows: each takes one and a function as typed arguments, calls the
// function with it, and gives back its result, cast to the type. With the kernels of the example in one library.
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/reflection/accessor.h>

#include "../../../../examples/kernels/src/kernels.cc"

namespace {

template <typename T>
T Through(ffi::Function f, T x) {
  return f(x).template cast<T>();
}

ffi::Any ThroughAny(ffi::Function f, ffi::Any x) { return f(x); }

using ArrayOfInts = ffi::Array<int64_t>;
using ListOfStrings = ffi::List<ffi::String>;
using MapOfInts = ffi::Map<ffi::String, int64_t>;
using DictOfFloats = ffi::Dict<int64_t, double>;
using MaybeObject = ffi::Optional<ffi::ObjectRef>;

// Reads and writes a field the way headers compiled into users' programs do.
ffi::Any GetField(ffi::ObjectRef object, ffi::String key, ffi::String name) {
  return ffi::reflection::FieldGetter(key.c_str(), name.c_str())(object);
}

void SetField(ffi::ObjectRef object, ffi::String key, ffi::String name, ffi::Any value) {
  ffi::reflection::FieldSetter(key.c_str(), name.c_str())(object, value);
}

// A function whose code lies in this library, for a caller that outlives the module's handle.
ffi::Function Adder(int64_t n) {
  return ffi::Function::FromTyped([n](int64_t x) -> int64_t { return x + n; });
}

// Returns the text that C++ code sees of the error that a function ends with.
ffi::String Caught(ffi::Function f) {
  try {
    f();
  } catch (const ffi::Error& e) {
    return e.kind() + "|" + e.message() + "|" + e.backtrace();
  }
  return "none";
}

// An error with a cause, as C++ code throws it.
void Throw(ffi::String kind, ffi::String message, ffi::Error cause) {
  throw ffi::Error(kind, message, "  File \"kinds.cc\", line 1, in Throw\n", cause, std::nullopt);
}

// Calls a function, so that there are C++ frames between two of Go's.
ffi::Any Invoke(ffi::Function f) { return f(); }

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(caught, Caught);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(throw_, Throw);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(invoke, Invoke);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(adder, Adder);
TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC(adder, "Gives a function that adds n.");

TVM_FFI_DLL_EXPORT_TYPED_FUNC(get_field, GetField);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(set_field, SetField);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(int8, Through<int8_t>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(int16, Through<int16_t>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(int32, Through<int32_t>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(int64, Through<int64_t>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(int, Through<int64_t>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(uint8, Through<uint8_t>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(uint16, Through<uint16_t>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(uint32, Through<uint32_t>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(uint64, Through<uint64_t>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(uint, Through<uint64_t>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(float32, Through<float>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(float64, Through<double>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bool, Through<bool>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(dtype, Through<DLDataType>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(device, Through<DLDevice>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(string, Through<ffi::String>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bytes, Through<ffi::Bytes>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(any, ThroughAny);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pointer, Through<void*>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(object, Through<ffi::ObjectRef>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(maybe, Through<MaybeObject>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(array, Through<ArrayOfInts>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(list, Through<ListOfStrings>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(map_, Through<MapOfInts>);  // the kernels have a map
TVM_FFI_DLL_EXPORT_TYPED_FUNC(dict, Through<DictOfFloats>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(tensor, Through<ffi::Tensor>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(shape, Through<ffi::Shape>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(function, Through<ffi::Function>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(module, Through<ffi::Module>);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(error, Through<ffi::Error>);
