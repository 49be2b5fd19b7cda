// The same operations with nanobind.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include <memory>

struct Node {
  std::shared_ptr<Node> x;
  int64_t i = 7;
};

NB_MODULE(nanobind_ext, m) {
  nanobind::class_<Node>(m, "Node").def_rw("x", &Node::x).def_rw("i", &Node::i);
  m.def(
      "make",
      [](std::shared_ptr<Node> x) {
        auto node = std::make_shared<Node>();
        node->x = x;
        return node;
      },
      nanobind::arg().none());
  m.def("echo", [](std::shared_ptr<Node> x) { return x; });
  m.def(
      "echo_released", [](std::shared_ptr<Node> x) { return x; }, nanobind::call_guard<nanobind::gil_scoped_release>());
}
