// A C++ extension of an ordinary tvm-ffi user, compiled with the headers of the published apache-tvm-ffi wheel. It uses
// nothing of selfsame: the demo links it once, to libselfsame.so, and runs it there and on the published libtvm_ffi.so.
#include <tvm/ffi/tvm_ffi.h>

#include <utility>

namespace {

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

// A class with a field that refers to an object or is null.
class BoxObj : public ffi::Object {
 public:
  ffi::ObjectRef x;

  explicit BoxObj(ffi::ObjectRef value) : x(std::move(value)) {}

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("demo.Box", BoxObj, ffi::Object);
};

class Box : public ffi::ObjectRef {
 public:
  explicit Box(ffi::ObjectRef value) : Box(ffi::make_object<BoxObj>(std::move(value))) {}

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Box, ffi::ObjectRef, BoxObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<BoxObj>().def_rw("x", &BoxObj::x);
  refl::GlobalDef()
      .def("demo.cpp_echo", [](ffi::ObjectRef object) { return object; })
      .def("demo.make_box", [](ffi::ObjectRef value) { return Box(std::move(value)); })
      .def("demo.cpp_call", [](ffi::Function callback, ffi::ObjectRef object) { return callback(object); });
}

}  // namespace
