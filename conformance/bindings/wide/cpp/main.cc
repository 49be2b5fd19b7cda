// The Go package beside this folder from C++: numbers that int64_t cannot hold are errors. Usage: main LIBRARY

// Requirement: D12

#include <cstdint>
#include <functional>
#include <iostream>
#include <string>

#include "wide.hpp"  // written by `selfsame-ffi bind --cpp`

static int failures;

static void check(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "not so: " << what << std::endl;
  failures++;
}

#define CHECK(condition) check(condition, #condition)

// Calls something that must throw an error of a kind.
static void refused(const char* kind, const char* what, const std::function<int64_t()>& call) {
  try {
    int64_t got = call();
    std::cerr << what << " gave " << got << std::endl;
    failures++;
  } catch (const tvm::ffi::Error& error) {
    if (error.kind() == kind) return;
    std::cerr << what << ": " << error.what() << std::endl;
    failures++;
  }
}

#define REFUSED(kind, expression) refused(kind, #expression, [&]() -> int64_t { return expression; })

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: main LIBRARY" << std::endl;
    return 2;
  }
  wide::load(argv[1]);
  const auto beyond = static_cast<int64_t>(uint64_t{1} << 63);

  wide::Sum sum(7);
  CHECK(sum.total() == 7);
  sum.set_total(INT64_MAX);
  CHECK(sum.total() == INT64_MAX && wide::echo(INT64_MAX) == INT64_MAX && wide::echo() == INT64_MAX);
  CHECK(wide::least() == INT64_MIN);
  REFUSED("OverflowError", (sum.set_total(-1), 0));
  REFUSED("OverflowError", (sum.set_total(beyond), 0));
  REFUSED("OverflowError", wide::Sum(beyond).total());
  REFUSED("OverflowError", wide::echo(beyond));
  REFUSED("OverflowError", wide::sum({1, beyond}));
  CHECK(sum.total() == INT64_MAX);

  sum.fill();
  REFUSED("TypeError", sum.total());
  REFUSED("TypeError", wide::most(false));
  REFUSED("TypeError", wide::most(true));
  REFUSED("TypeError", wide::sum({INT64_MAX, 1}));
  REFUSED("TypeError", wide::listed(2)[2]);
  REFUSED("TypeError", wide::keyed()["most"]);
  REFUSED("TypeError", wide::maybe().value());

  // The numbers themselves are there: as BigInt, in an Any.
  tvm::ffi::Any any = tvm::ffi::Function::GetGlobalRequired("wide.most")(false);
  CHECK(any.GetTypeKey() == "ffi.BigInt");
  CHECK(tvm::ffi::Function::GetGlobalRequired("wide.echo")(any).GetTypeKey() == "ffi.BigInt");
  if (failures == 0) std::cout << "C++: numbers beyond int64_t are errors" << std::endl;
  return failures == 0 ? 0 : 1;
}
