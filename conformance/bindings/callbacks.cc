// Static methods and callbacks through the headers that `selfsame-ffi bind --cpp` writes, of a Go package and of a library in
// C++ that knows nothing of this project, in a process without Python. Usage: callbacks STEPS FIG

// Requirement: D12

#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "fig.hpp"
#include "steps.hpp"

#define CHECK(condition)                                                                   \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      std::cerr << __FILE__ << ":" << __LINE__ << ": not so: " << #condition << std::endl; \
      return 1;                                                                            \
    }                                                                                      \
  } while (0)

namespace ffi = tvm::ffi;

namespace {

int GoPackage() {
  steps::Counter counter = steps::Counter::of_text("four");
  CHECK(counter.count() == 4);
  int64_t sum = 0;
  auto odd = ffi::Function::FromTyped([&sum](int64_t i) {
    sum += i;
    return i % 2 == 1;
  });
  CHECK(counter.each(odd) == 2 && sum == 6);

  // An error of C++ goes through Go and comes back with its kind.
  try {
    counter.each(ffi::Function::FromTyped([](int64_t i) -> bool {
      if (i == 2) TVM_FFI_THROW(KeyError) << "no " << i;
      return false;
    }));
    return 1;
  } catch (const ffi::Error& error) {
    CHECK(error.kind() == "KeyError" && error.message() == "no 2");
  }
  // So does a result of another type, as an error of Go.
  try {
    counter.each(ffi::Function::FromTyped([](int64_t) { return ffi::String("yes"); }));
    return 1;
  } catch (const ffi::Error& error) {
    CHECK(error.kind() == "TypeError");
  }

  // A func of Go is a function of C++, and of Go again.
  ffi::Function add = steps::adder(2);
  CHECK(add(3).cast<int64_t>() == 5);
  try {
    add("three");
    return 1;
  } catch (const ffi::Error& error) {
    CHECK(error.kind() == "TypeError");
  }
  return 0;
}

int Library() {
  fig::Circle unit = fig::Circle::unit();
  CHECK(unit.radius() == 1);
  fig::Group group = fig::group({unit, fig::Circle(2)});
  ffi::String labels;
  unit.set_label("round");
  auto visit = ffi::Function::FromTyped([&labels](fig::Figure figure, int64_t i) {
    labels = labels + figure.label();
    return i + 10;
  });
  CHECK(group.each(visit) == 21 && labels == "round");
  CHECK(fig::call(
            ffi::Function::FromTyped([](ffi::Optional<ffi::String> text) { return text.has_value() ? 0 : 20; })) == 20);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: callbacks STEPS FIG" << std::endl;
    return 2;
  }
  steps::load(argv[1]);
  fig::load(argv[2]);
  if (GoPackage() != 0 || Library() != 0) return 1;
  std::stringstream maps;
  maps << std::ifstream("/proc/self/maps").rdbuf();
  CHECK(maps.str().find("python") == std::string::npos);
  std::cout << "C++: static methods and callbacks, without Python" << std::endl;
  return 0;
}
