// A library whose method and kernel the rows call from Go, and that calls them itself, through tvm::ffi::Function.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <cstdint>

namespace {

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

class CounterObj : public ffi::Object {
 public:
  int64_t total = 0;

  int64_t Add(int64_t a, int64_t b, bool twice) {
    total += twice ? 2 * (a + b) : a + b;
    return total;
  }
  int64_t Label(const ffi::String& text, int64_t n) { return static_cast<int64_t>(text.size()) + n; }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bench.Counter", CounterObj, ffi::Object);
};

class Counter : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Counter, ffi::ObjectRef, CounterObj);
};

void AddTensors(ffi::TensorView a, ffi::TensorView b, ffi::TensorView out) {
  const float* x = static_cast<const float*>(a.data_ptr());
  const float* y = static_cast<const float*>(b.data_ptr());
  float* z = static_cast<float*>(out.data_ptr());
  for (int64_t i = 0; i < a.size(0); i++) z[i] = x[i] + y[i];
}

// What the C functions below call: the least that a call from Go can take is a cgo call around what C++ does.
struct Floor {
  ffi::Function function;
  Counter counter;
  ffi::Tensor a, b, out;
};
Floor* floor_of_add = nullptr;
Floor* floor_of_tensors = nullptr;

int64_t FloorAdd(int64_t i) { return floor_of_add->function(floor_of_add->counter, i, 1, false).cast<int64_t>(); }

int64_t FloorAddTensors(int64_t i) {
  floor_of_tensors->function(floor_of_tensors->a, floor_of_tensors->b, floor_of_tensors->out);
  return i;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<CounterObj>()
      .def_ro("total", &CounterObj::total)
      .def_static("make", [] { return Counter(ffi::make_object<CounterObj>()); })
      .def("add", [](CounterObj* self, int64_t a, int64_t b, bool twice) { return self->Add(a, b, twice); })
      .def("label", [](CounterObj* self, const ffi::String& text, int64_t n) { return self->Label(text, n); });
  refl::GlobalDef()
      .def("bench.add_tensors", AddTensors)
      .def("bench.floor_add",
           [](const Counter& counter) {
             delete floor_of_add;
             floor_of_add = new Floor{refl::GetMethod("bench.Counter", "add"), counter, {}, {}, {}};
             return reinterpret_cast<int64_t>(&FloorAdd);
           })
      .def("bench.floor_add_tensors",
           [](const ffi::Tensor& a, const ffi::Tensor& b, const ffi::Tensor& out) {
             delete floor_of_tensors;
             floor_of_tensors = new Floor{ffi::Function::GetGlobalRequired("bench.add_tensors"), {}, a, b, out};
             return reinterpret_cast<int64_t>(&FloorAddTensors);
           })
      .def("bench.loop_add",
           [](const Counter& counter, int64_t n) {
             ffi::Function add = refl::GetMethod("bench.Counter", "add");
             int64_t sum = 0;
             for (int64_t i = 0; i < n; i++) sum += add(counter, i, 1, false).cast<int64_t>();
             return sum;
           })
      .def("bench.loop_label",
           [](const Counter& counter, const ffi::String& text, int64_t n) {
             ffi::Function label = refl::GetMethod("bench.Counter", "label");
             int64_t sum = 0;
             for (int64_t i = 0; i < n; i++) sum += label(counter, text, i).cast<int64_t>();
             return sum;
           })
      .def("bench.loop_total",
           [](const Counter& counter, int64_t n) {
             refl::FieldGetter total("bench.Counter", "total");
             int64_t sum = 0;
             for (int64_t i = 0; i < n; i++) sum += total(counter).cast<int64_t>();
             return sum;
           })
      .def("bench.loop_add_tensors", [](const ffi::Tensor& a, const ffi::Tensor& b, const ffi::Tensor& out, int64_t n) {
        ffi::Function add = ffi::Function::GetGlobalRequired("bench.add_tensors");
        for (int64_t i = 0; i < n; i++) add(a, b, out);
      });
}

}  // namespace
