// The library that upstream's pages load and whose classes they use, as those pages describe it.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

namespace {

class PointObj : public ffi::Object {
 public:
  int64_t x = 0, y = 0;
  ffi::String label;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("my_ext.Point", PointObj, ffi::Object);
};

class NamedObj : public ffi::Object {
 public:
  int64_t value = 0;
  ffi::String name;
  NamedObj() = default;
  NamedObj(int64_t value, ffi::String name) : value(value), name(name) {}
  int64_t get_value() const { return value; }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("my_ext.MyObject", NamedObj, ffi::Object);
};

class PairObj : public ffi::Object {
 public:
  int64_t a, b;
  PairObj(int64_t a, int64_t b) : a(a), b(b) {}
  int64_t sum() const { return a + b; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("my_ffi_extension.IntPair", PairObj, ffi::Object);
};

int64_t AddTwo(int64_t x) { return x + 2; }

void AddOne(ffi::TensorView x, ffi::TensorView y) {
  for (int64_t i = 0; i < x.numel(); ++i)
    static_cast<float*>(y.data_ptr())[i] = static_cast<float*>(x.data_ptr())[i] + 1;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<PointObj>()
      .def_rw("x", &PointObj::x)
      .def_rw("y", &PointObj::y)
      .def_rw("label", &PointObj::label, refl::default_value(""));
  refl::ObjectDef<NamedObj>()
      .def(refl::init<int64_t, ffi::String>())
      .def_rw("value", &NamedObj::value)
      .def_rw("name", &NamedObj::name)
      .def("get_value", &NamedObj::get_value);
  refl::ObjectDef<PairObj>()
      .def(refl::init<int64_t, int64_t>())
      .def_ro("a", &PairObj::a)
      .def_ro("b", &PairObj::b)
      .def("sum", &PairObj::sum);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_two, AddTwo);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_one_cpu, AddOne);
