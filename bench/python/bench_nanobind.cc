// The same operations with nanobind.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

struct Node {
  std::shared_ptr<Node> x;
  int64_t i = 7;
};

// The classes that declared.py makes of the declarations in Python.
struct One {
  int64_t x;
  explicit One(int64_t x) : x(x) {}
};

struct Eight {
  int64_t a, b;
  double c, d;
  std::string e;
  bool f;
  nanobind::object g;
  std::vector<int64_t> h;
  Eight(int64_t a, int64_t b, double c, double d, std::string e, bool f, nanobind::object g, std::vector<int64_t> h)
      : a(a), b(b), c(c), d(d), e(std::move(e)), f(f), g(std::move(g)), h(std::move(h)) {}
};

struct Ints {
  std::vector<int64_t> values;
  explicit Ints(std::vector<int64_t> values) : values(std::move(values)) {}
};

NB_MODULE(nanobind_ext, m) {
  using nanobind::arg;
  nanobind::class_<One>(m, "One").def(nanobind::init<int64_t>(), arg("x")).def_rw("x", &One::x);
  nanobind::class_<Eight>(m, "Eight")
      .def(
          nanobind::init<int64_t, int64_t, double, double, std::string, bool, nanobind::object, std::vector<int64_t>>(),
          arg("a"), arg("b"), arg("c"), arg("d"), arg("e"), arg("f"), arg("g"), arg("h"));
  nanobind::class_<Ints>(m, "Ints").def(nanobind::init<std::vector<int64_t>>());
  nanobind::class_<Node>(m, "Node").def_rw("x", &Node::x).def_rw("i", &Node::i);
  m.def(
      "make",
      [](std::shared_ptr<Node> x) {
        auto node = std::make_shared<Node>();
        node->x = std::move(x);
        return node;
      },
      nanobind::arg().none());
  m.def("echo", [](std::shared_ptr<Node> x) { return x; });
  // Calls f with 8 objects, n times.
  m.def("call8", [](nanobind::callable f, const std::vector<std::shared_ptr<Node>>& o, int64_t n) {
    for (int64_t k = 0; k < n; k++) f(o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7]);
  });
  m.def(
      "echo_released", [](std::shared_ptr<Node> x) { return x; }, nanobind::call_guard<nanobind::gil_scoped_release>());
}
