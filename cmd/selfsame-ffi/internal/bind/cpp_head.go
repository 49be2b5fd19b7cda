package bind

import (
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// head writes what a header has before its classes: includes, load, and the helpers of all that follows.
func (w *cppWriter) head() {
	w.line(0, CppHeaderMark+" from %s. Do not edit: the next run overwrites it.", escape.CppComment(w.library.Source))
	w.line(0, "//")
	w.line(0, "// C++17 with the headers of tvm-ffi, linked to libtvm_ffi and libdl. A failed call throws tvm::ffi::Error.")
	w.line(0, "#pragma once")
	w.line(0, "")
	w.line(0, "#include <dlfcn.h>")
	w.line(0, "#include <tvm/ffi/container/array.h>")
	w.line(0, "#include <tvm/ffi/container/dict.h>")
	w.line(0, "#include <tvm/ffi/container/list.h>")
	w.line(0, "#include <tvm/ffi/container/map.h>")
	w.line(0, "#include <tvm/ffi/container/shape.h>")
	w.line(0, "#include <tvm/ffi/container/tensor.h>")
	w.line(0, "#include <tvm/ffi/container/tuple.h>")
	w.line(0, "#include <tvm/ffi/error.h>")
	if w.uses(func(f model.Function) bool { _, ok := f.Result.OrError(); return ok }) {
		w.line(0, "#include <tvm/ffi/expected.h>") // not in old releases
	}
	w.line(0, "#include <tvm/ffi/function.h>")
	w.line(0, "#include <tvm/ffi/optional.h>")
	w.line(0, "#include <tvm/ffi/reflection/accessor.h>")
	if w.uses(func(f model.Function) bool {
		return slices.ContainsFunc(f.Args, func(s model.Schema) bool { _, ok := s.Moved(); return ok })
	}) {
		w.line(0, "#include <tvm/ffi/rvalue_ref.h>")
	}
	w.line(0, "#include <tvm/ffi/string.h>")
	w.line(0, "")
	w.line(0, "#include <cstdint>")
	w.line(0, "#include <stdexcept>")
	w.line(0, "#include <string>")
	w.line(0, "#include <utility>")
	w.line(0, "#include <vector>")
	w.line(0, "")
	w.line(0, "namespace %s {", w.library.Name)
	loaded := ""
	if w.hasExports() {
		w.b.WriteString(cppExports)
		loaded = "  detail::add_module(path);\n"
	}
	w.b.WriteString(`
namespace ffi = tvm::ffi;

/// Loads the library; if it is a Go package, waits until its classes and functions are registered. Call it before anything
/// else of this namespace; more calls do nothing. The library stays loaded. Throws std::runtime_error when it cannot be
/// loaded, and the package's tvm::ffi::Error when a registration fails.
inline void load(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error("load: " + std::string(dlerror()));
  auto* init = reinterpret_cast<int (*)()>(dlsym(library, "SelfsameExtensionInit"));
  if (init != nullptr) TVM_FFI_CHECK_SAFE_CALL(init());
` + loaded + `}

namespace detail {

inline int32_t type_index(const char* key) {
  TVMFFIByteArray name{key, std::char_traits<char>::length(key)};
  int32_t index = 0;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeKeyToIndex(&name, &index));
  return index;
}

/// Calls a function with some arguments and those of a vector.
template <typename T>
inline ffi::Any call(const ffi::Function& function, std::vector<ffi::AnyView> views, const std::vector<T>& rest) {
  for (const T& value : rest) views.push_back(ffi::AnyView(value));
  ffi::Any result;
  function.CallPacked(views.data(), static_cast<int32_t>(views.size()), &result);
  return result;
}

/// The function that makes objects of a type.
inline ffi::Function constructor(int32_t index) {
  return ffi::reflection::TypeAttrColumn("__ffi_init__")[index].cast<ffi::Function>();
}

`)
	if w.uses(func(f model.Function) bool { _, keywords := f.InOrder(); return keywords != nil }) {
		w.b.WriteString(cppKeywords)
	}
	w.line(0, "}  // namespace detail")
	w.line(0, "")
}

// cppKeywords is for constructors that take fields by keyword.
const cppKeywords = `/// Stands in front of the names and values of keyword arguments.
inline ffi::Any keywords() { return ffi::Function::GetGlobalRequired("ffi.GetKwargsObject")(); }

`

// cppExports finds the functions of the library's module.
const cppExports = `
namespace detail {

/// What load has loaded, with the paths. It stays when the program ends: functions of the libraries may still run then.
inline std::vector<std::pair<std::string, tvm::ffi::Any>>& modules() {
  static auto* loaded = new std::vector<std::pair<std::string, tvm::ffi::Any>>();
  return *loaded;
}

inline void add_module(const std::string& path) {
  for (const auto& loaded : modules()) {
    if (loaded.first == path) return;
  }
  auto load = tvm::ffi::Function::GetGlobalRequired("ffi.Module.load_from_file.so");
  modules().emplace_back(path, load(path, "so"));
}

/// Finds a function of the library's module.
inline tvm::ffi::Function exported(const char* name) {
  auto find = tvm::ffi::Function::GetGlobalRequired("ffi.ModuleGetFunction");
  for (const auto& loaded : modules()) {
    auto found = find(loaded.second, name, false).cast<tvm::ffi::Optional<tvm::ffi::Function>>();
    if (found.has_value()) return found.value();
  }
  TVM_FFI_THROW(ValueError) << name << ": no library that load has loaded has this function";
}

}  // namespace detail
`
