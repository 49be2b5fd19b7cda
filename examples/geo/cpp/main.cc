// The Go package examples/geo from C++. Usage: main LIBRARY

// Requirement: D12

#include <cmath>
#include <iostream>

#include "geo.hpp"  // written by `selfsame-ffi bind --cpp`

#define CHECK(condition)                                                                   \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      std::cerr << __FILE__ << ":" << __LINE__ << ": not so: " << #condition << std::endl; \
      return 1;                                                                            \
    }                                                                                      \
  } while (0)

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: main LIBRARY" << std::endl;
    return 2;
  }
  try {
    geo::load("/no/such/library.so");
    return 1;
  } catch (const std::runtime_error& error) {
    CHECK(std::string(error.what()).find("/no/such/library.so") != std::string::npos);
  }
  geo::load(argv[1]);
  geo::load(argv[1]);

  geo::Point p(3, 4), q(0, 1);
  CHECK(p.norm() == 5);
  p.set_x(-3);
  CHECK(p.x() == -3 && p.y() == 4);

  // The same object comes back.
  CHECK(!p.next().has_value());
  p.set_next(q);
  CHECK(p.next().value().same_as(q));
  CHECK(geo::nearest({p, q}).same_as(q));
  tvm::ffi::Any any = q;
  CHECK(any.cast<geo::Point>().same_as(q) && !any.try_cast<tvm::ffi::String>().has_value());

  // An error of Go.
  try {
    geo::nearest({});
    return 1;
  } catch (const tvm::ffi::Error& error) {
    CHECK(error.kind() == "ValueError");
    CHECK(std::string(error.message()) == "nearest of no points");
  }
  std::cout << "C++: |p| = " << p.norm() << std::endl;
  return 0;
}
