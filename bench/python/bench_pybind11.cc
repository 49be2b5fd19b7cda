// The same operations with pybind11.
#include <pybind11/pybind11.h>

#include <memory>

struct Node {
  std::shared_ptr<Node> x;
  int64_t i = 7;
};

PYBIND11_MODULE(pybind11_ext, m) {
  pybind11::class_<Node, std::shared_ptr<Node>>(m, "Node").def_readwrite("x", &Node::x).def_readwrite("i", &Node::i);
  m.def("make", [](std::shared_ptr<Node> x) {
    auto node = std::make_shared<Node>();
    node->x = x;
    return node;
  });
  m.def("echo", [](std::shared_ptr<Node> x) { return x; });
  m.def(
      "echo_released", [](std::shared_ptr<Node> x) { return x; }, pybind11::call_guard<pybind11::gil_scoped_release>());
}
