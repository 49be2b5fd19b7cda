// The native class and functions on which stock tvm_ffi and selfsame are compared. Compiled with the published headers;
// both packages load the same library, each in its own process.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>

#include <utility>
#include <vector>

namespace {

using namespace tvm::ffi;

class NodeObj : public Object {
 public:
  ObjectRef x;
  int64_t i = 7;
  static constexpr bool _type_mutable = true;
  NodeObj() = default;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bench.Node", NodeObj, Object);
};

ObjectRef make(ObjectRef x) {
  auto node = make_object<NodeObj>();
  node->x = std::move(x);
  return ObjectRef(std::move(node));
}

// Calls f with 8 objects, n times. They lie in a C++ container, as those of the peers: reading one from an Array takes
// a reference and gives it back.
void call8(Function f, Array<ObjectRef> objects, int64_t n) {
  std::vector<ObjectRef> o(objects.begin(), objects.end());
  for (int64_t k = 0; k < n; k++) f(o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7]);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<NodeObj>().def_rw("x", &NodeObj::x).def_rw("i", &NodeObj::i);
  refl::GlobalDef()
      .def("bench.make", make)
      .def("bench.make_kept", make)
      .def("bench.echo", [](ObjectRef x) { return x; })
      .def("bench.echo_kept", [](ObjectRef x) { return x; })
      .def_packed("bench.echo_packed", [](PackedArgs args, Any* result) { *result = args[0]; })
      .def("bench.call8", call8)
      .def("bench.call8_kept", call8)
      .def("bench.ints", [](int64_t n) {
        Array<int64_t> a;
        for (int64_t k = 0; k < n; k++) a.push_back(k);
        return a;
      });
}

int64_t twice(int64_t n) { return 2 * n; }

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(twice, twice);
