// The functions of bench_tensors.cc, as a pybind11 user writes them: it takes arrays of NumPy alone.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

using A = pybind11::array_t<float>;

PYBIND11_MODULE(tensors_pybind11_ext, m) {
  m.def("view1", [](const A&) {});
  m.def("view3", [](const A&, const A&, const A&) {});
  m.def("view8", [](const A&, const A&, const A&, const A&, const A&, const A&, const A&, const A&) {});
}
