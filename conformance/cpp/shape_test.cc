// tvm/ffi/container/shape.h.
// Requirement: A7
#include <tvm/ffi/tvm_ffi.h>

#include <sstream>

#include "check.h"

using namespace tvm::ffi;

TEST(shape, elements) {
  Shape s{2, 3, 4};
  CHECK_EQ(s.size(), 3u);
  CHECK_EQ(s[1], 3);
  CHECK_EQ(s.at(2), 4);
  CHECK_EQ(s.front(), 2);
  CHECK_EQ(s.back(), 4);
  CHECK_EQ(s.Product(), 24);
  CHECK(!s.empty());
  CHECK_RAISES("IndexError", "indexing 3 on a Shape of size 3", s.at(3));
  std::ostringstream out;
  out << s;
  CHECK_EQ(out.str(), "[2, 3, 4]");
}

TEST(shape, empty) {
  Shape s;
  CHECK(s.empty());
  CHECK_EQ(s.Product(), 1);
  CHECK_RAISES("IndexError", "indexing 0 on a Shape of size 0", s.front());
  CHECK_RAISES("IndexError", "indexing", s.back());
  CHECK(ShapeView().empty());
}

TEST(shape, other_sources) {
  std::vector<int64_t> list{5, 6};
  Shape from_vector(list);
  Shape from_range(list.begin(), list.end());
  Shape from_view(ShapeView(list.data(), list.size()));
  Shape from_array(Array<int64_t>{5, 6});
  for (const Shape& s : {from_vector, from_range, from_view, from_array}) {
    CHECK_EQ(s.size(), 2u);
    CHECK_EQ(s.Product(), 30);
  }
  Shape strides = Shape::StridesFromShape(ShapeView({2, 3, 4}));
  CHECK_EQ(strides[0], 12);
  CHECK_EQ(strides[2], 1);
}

TEST(shape, in_values) {
  Any a = Shape{1, 2};
  CHECK_EQ(a.type_index(), TypeIndex::kTVMFFIShape);
  CHECK_EQ(a.cast<Shape>()[1], 2);
  Any array = Array<int64_t>{7, 8, 9};
  CHECK_EQ(array.cast<Shape>().Product(), 504);
  CHECK_RAISES("TypeError", "Cannot convert", Any(Array<Any>{String("a long enough string")}).cast<Shape>());
  Function product = Function::FromTyped([](Shape s) { return s.Product(); });
  CHECK_EQ(product(Shape{3, 3}).cast<int64_t>(), 9);
  CHECK_EQ(product(Array<int64_t>{3, 5}).cast<int64_t>(), 15);
}

TEST(shape, made_by_the_runtime) {
  Function make = Function::GetGlobalRequired("ffi.Shape");
  Shape s = make(4, 5, true).cast<Shape>();
  CHECK_EQ(s.size(), 3u);
  CHECK_EQ(s[2], 1);
  CHECK_EQ(make().cast<Shape>().size(), 0u);
  CHECK_RAISES("ValueError", "Expect shape to take list of int arguments", make(1, "x"));
}
