// A class and functions in C++, to be compiled with the headers of any release of apache-tvm-ffi. The keys begin with
// ORIGIN. Linked to no runtime: the symbols come from the one that is loaded. Static initialisers register everything,
// as in users' libraries.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#ifndef ORIGIN
#error "ORIGIN: the prefix of the keys, a string"
#endif

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

namespace {

std::atomic<int64_t> live{0};

class NodeObj : public ffi::Object {
 public:
  int64_t value = 0;
  ffi::ObjectRef next;

  NodeObj(int64_t v, ffi::ObjectRef n) : value(v), next(std::move(n)) { live++; }
  ~NodeObj() { live--; }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL(ORIGIN ".Node", NodeObj, ffi::Object);
};

std::vector<ffi::Any> kept;

struct Initialiser {
  Initialiser() {
    refl::ObjectDef<NodeObj>().def_rw("value", &NodeObj::value).def_rw("next", &NodeObj::next);
    refl::GlobalDef()
        .def(ORIGIN ".live", []() { return live.load(); })
        .def(ORIGIN ".make",
             [](int64_t v, ffi::ObjectRef next) { return ffi::ObjectRef(ffi::make_object<NodeObj>(v, next)); })
        .def(ORIGIN ".echo", [](ffi::Any value) { return value; })
        .def(ORIGIN ".pair", [](ffi::Any value) { return ffi::Array<ffi::Any>({value, value}); })
        .def(ORIGIN ".apply", [](ffi::Function f, ffi::Any value) -> ffi::Any { return f(value); })
        .def(ORIGIN ".keep", [](ffi::Any value) { kept.push_back(value); })
        .def(ORIGIN ".kept", [](int64_t i) -> ffi::Any { return kept.at(static_cast<size_t>(i)); })
        .def(ORIGIN ".release", []() { kept.clear(); })
        .def(ORIGIN ".release_on_thread", []() {
          std::vector<ffi::Any> dying;
          dying.swap(kept);
          std::thread([&dying]() { dying.clear(); }).join();
        });
  }
} initialiser;

}  // namespace
