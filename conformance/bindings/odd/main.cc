// The library of odd.cc through the header that `selfsame-ffi bind --cpp` writes. Usage: main LIBRARY
#include <iostream>
#include <utility>

#include "odd.hpp"

namespace ffi = tvm::ffi;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  odd::load(argv[1]);
  odd::Base base = odd::Base::make(5);
  if (base.n() != 5 || base.n_() != 5 || base.sum(1) != 6 || odd::Base_make() != 4 || odd::plain_global() != 1)
    return 1;
  if (odd::fused_add_relu_1(4) != 5 || odd::Bag::make().cpp_text() != "cpp") return 1;
  if (odd::nn_conv2d_fast().cast<int64_t>() != 100 || odd::nn_conv2d_fast_(1).cast<int64_t>() != 201 ||
      odd::delete_().cast<int64_t>() != 400 || odd::Error().cast<int64_t>() != 700)
    return 1;
  odd::Overloaded over(4);
  if (over.add(3).cast<int64_t>() != 7 || over.add(ffi::String("3")).cast<ffi::String>() != "43") return 1;
  if (odd::array3(ffi::Array<double>{1, 2, 4}) != 7) return 1;
  auto row = odd::Base::grid(5).at("row");
  if (row.size() != 2 || row[0].has_value() || row[1].value().as<odd::BaseObj>() == nullptr) return 1;
  // A value or an error, and objects that are moved or not.
  odd::Base parsed = odd::Base::parse("five!").value();
  ffi::Expected<odd::Base> failed = odd::Base::parse("");
  if (parsed.n() != 5 || failed.is_ok() || failed.error().message() != "an empty text") return 1;
  if (odd::maybe(0).value().has_value() || odd::maybe(-1).is_ok() || parsed.root().value() != 2) return 1;
  if (odd::take(parsed) != -5 || parsed.n() != 5 || odd::take(std::move(parsed)) != 5) return 1;
  ffi::Array<int64_t> one{1};
  const void* memory = one.get();
  ffi::Array<int64_t> two = odd::appended(one, 2);
  if (one.size() != 1 || two.size() != 2 || two.get() == memory) return 1;
  odd::Keyed keyed(2, "a title", 3);
  if (keyed.width() != 2 || keyed.title() != "a title" || keyed.height() != 3 || !keyed.func()) return 1;
  std::cout << "C++: a library of unusual names and shapes" << std::endl;
}
