// The same operations with pybind11.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <utility>
#include <vector>

struct Node {
  std::shared_ptr<Node> x;
  int64_t i = 7;
};

PYBIND11_MODULE(pybind11_ext, m) {
  pybind11::class_<Node, std::shared_ptr<Node>>(m, "Node").def_readwrite("x", &Node::x).def_readwrite("i", &Node::i);
  m.def("make", [](std::shared_ptr<Node> x) {
    auto node = std::make_shared<Node>();
    node->x = std::move(x);
    return node;
  });
  m.def("echo", [](std::shared_ptr<Node> x) { return x; });
  // Calls f with 8 objects, n times.
  m.def("call8", [](pybind11::function f, const std::vector<std::shared_ptr<Node>>& o, int64_t n) {
    for (int64_t k = 0; k < n; k++) f(o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7]);
  });
  m.def(
      "echo_released", [](std::shared_ptr<Node> x) { return x; }, pybind11::call_guard<pybind11::gil_scoped_release>());
}
