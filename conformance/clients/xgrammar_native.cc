// Native code in xgrammar's process that reaches what Go has registered by its names alone, as any library does: a function of
// the global registry, and the constructor, a method and a field of a class. What it passes on are xgrammar's objects.

// Requirement: D14

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

namespace {

// Returns how many tokens a matcher allows, as the Go function of that name counts them in the mask.
int64_t Allowed(ffi::ObjectRef matcher, ffi::Tensor mask) {
  return ffi::Function::GetGlobalRequired("client.allowed")(matcher, mask).cast<int64_t>();
}

// Lets a Go object choose tokens until the text is complete, and returns the text.
ffi::String Generate(ffi::ObjectRef matcher, int64_t limit) {
  ffi::Any sampler = refl::GetMethod("client.Sampler", "__ffi_init__")(3);
  ffi::Function choose = refl::GetMethod("client.Sampler", "choose");
  std::string text;
  for (int64_t i = 0; i < limit; ++i) {
    ffi::String token = choose(sampler, matcher).cast<ffi::String>();
    if (token.size() == 0) break;
    text += std::string(token.data(), token.size());
  }
  int64_t chosen = refl::FieldGetter("client.Sampler", "chosen")(sampler.cast<ffi::ObjectRef>()).cast<int64_t>();
  return text + " " + std::to_string(chosen);
}

}  // namespace

TVM_FFI_STATIC_INIT_BLOCK() { refl::GlobalDef().def("native.allowed", Allowed).def("native.generate", Generate); }
