// The functions of bench_tensors.cc, as a nanobind user writes them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace nb = nanobind;

using A = nb::ndarray<float, nb::device::cpu>;

NB_MODULE(tensors_nanobind_ext, m) {
  m.def("view1", [](A) {});
  m.def("view3", [](A, A, A) {});
  m.def("view8", [](A, A, A, A, A, A, A, A) {});
  m.def("same_tensor", [](A a) { return nb::ndarray<nb::pytorch, float>(a); });
  m.def("fresh_tensor", [](A) {
    float* data = new float[8];
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
    return nb::ndarray<nb::pytorch, float>(data, {8}, owner);
  });
}
