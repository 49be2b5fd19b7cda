#include "classes.h"

namespace bench {

using namespace tvm::ffi;

namespace refl = tvm::ffi::reflection;

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<LeafObj>().def_rw("value", &LeafObj::value, refl::DefaultValue(0));
  refl::ObjectDef<PairObj>()
      .def_rw("number", &PairObj::number, refl::DefaultValue(0))
      .def_rw("left", &PairObj::left, refl::DefaultValue(nullptr))
      .def_rw("right", &PairObj::right, refl::DefaultValue(nullptr));
}

Pair::Pair(int64_t number, Any left, Any right) {
  ObjectPtr<PairObj> made = make_object<PairObj>();
  made->number = number;
  made->left = std::move(left);
  made->right = std::move(right);
  data_ = std::move(made);
}

Pair Tree(int levels) {
  if (levels == 1) return Pair(1, "leaf", nullptr);
  return Pair(levels, Tree(levels - 1), Tree(levels - 1));
}

Pair Chain(int length) {
  Pair chain(0, nullptr, nullptr);
  for (int i = 1; i < length; i++) chain = Pair(i, "link", chain);
  return chain;
}

}  // namespace bench
