#!/bin/sh
# Builds Go packages and the C++ and Rust programs in their folders, with what `selfsame-ffi bind` writes, the published
# headers and the published crate, and runs them on libselfsame.so: examples/geo, and conformance/bindings/wide. The programs
# callbacks of conformance/bindings use a Go package and a C++ library, through static methods and callbacks; those of
# conformance/bindings/odd, one of them in Go, a C++ library of unusual names and shapes.
#
#   TVM_FFI_INCLUDE   folder with tvm/ffi/ and dlpack/ (default: that of the package that VENV_PYTHON has)
#   VENV_PYTHON       a Python with apache-tvm-ffi (default: build/venv/bin/python)
#   SELFSAME_LIBRARY  the library to link to and run on (default: build/lib/libselfsame.so)
#   SELFSAME_TOOL     the command line tool (default: build/bin/selfsame-ffi)
#   CXX, CXXFLAGS     compiler and further flags
#
# Usage: scripts/conformance_bindings.sh
set -e
root=$(cd "$(dirname "$0")/.." && pwd)
build=${CONFORMANCE_BUILD:-$root/build/conformance}
library=${SELFSAME_LIBRARY:-$root/build/lib/libselfsame.so}
tool=${SELFSAME_TOOL:-$root/build/bin/selfsame-ffi}
python=${VENV_PYTHON:-$root/build/venv/bin/python}
if [ -z "$TVM_FFI_INCLUDE" ]; then TVM_FFI_INCLUDE=$("$python" "$root/scripts/tvm_ffi_path.py" include); fi
mkdir -p "$build/bindings" "$build/rust/lib" "$build/rust/bin"
"$tool" build "$root/examples/geo" -o "$build/bindings"
"$tool" build "$root/conformance/bindings/wide" -o "$build/bindings"

steps=$build/bindings/steps
"$tool" build "$root/conformance/bindings/steps" -o "$build/bindings"
fig=$build/bindings/libfig.so
cxx=${CXX:-g++}
# The library is linked to a libtvm_ffi.so, as those of anybody are.
"$cxx" -shared -fPIC -x c++ /dev/null -Wl,-soname,libtvm_ffi.so -o "$build/bindings/libtvm_ffi.so"
"$cxx" -std=c++17 -O0 -shared -fPIC -DTVM_FFI_DLL_EXPORT_INCLUDE_METADATA=1 -isystem "$TVM_FFI_INCLUDE" -o "$fig" \
  "$root/cmd/selfsame-ffi/testdata/foreign.cc" -Wl,--no-as-needed -L"$build/bindings" -ltvm_ffi
odd=$build/bindings/libodd.so
"$cxx" -std=c++17 -O0 -shared -fPIC -DTVM_FFI_DLL_EXPORT_INCLUDE_METADATA=1 -isystem "$TVM_FFI_INCLUDE" -o "$odd" \
  "$root/conformance/bindings/odd/odd.cc" -Wl,--no-as-needed -L"$build/bindings" -ltvm_ffi

# header OF NAME: writes the header NAME.hpp of a package or library.
header() { "$tool" bind --cpp "$1" -o "$build/bindings/$2.hpp"; }

# run_cpp MAIN LIBRARY...: compiles a program with the headers and runs it with the paths of libraries.
run_cpp() {
  main=$1
  shift
  # shellcheck disable=SC2086  # CXXFLAGS is several words
  "$cxx" -std=c++17 -O0 -Wall -Wextra -Werror -Wno-unused-parameter -isystem "$TVM_FFI_INCLUDE" -I"$build/bindings" $CXXFLAGS \
    -o "$build/bindings/main" "$main" "$library" -ldl
  LD_LIBRARY_PATH=$(dirname "$library") "$build/bindings/main" "$@"
}

echo "Go"
rm -rf "$build/bindings/odd-go"
cp -r "$root/conformance/bindings/odd/go" "$build/bindings/odd-go"
"$tool" bind --go "$odd" -o "$build/bindings/odd-go/odd"
if [ -n "$("$tool" bind --go "$odd" -o "$build/bindings/odd-go/odd" --diff)" ]; then
  echo "the same library gave another Go package" >&2
  exit 1
fi
(
  cd "$build/bindings/odd-go"
  go mod edit -replace "github.com/selfsame-ffi/selfsame=$root"
  go vet ./...
  go run . "$odd"
)

echo "Python"
"$tool" bind --python "$odd" -o "$build/bindings/odd.py"
PYTHONPATH="$build/bindings" "$python" -c 'import odd; assert odd.Base.make(5).sum(1) == 6 and odd.fused_add_relu_1(4) == 5 and odd.nn_conv2d_fast() + odd.größe(1) == 601
base = odd.Base.parse("five!")
assert base.root() == 2 and odd.take(base) == -5 and base.n == 5, base
assert odd.Base.parse("").message == "an empty text" and odd.fails_with("a disk").kind == "OSError"
assert odd.Keyed(2, height=3).title == "untitled \"100%s\"" and odd.Planet.earth._int_index == 2'

echo "C++"
header "$build/bindings/geo" geo
header "$build/bindings/wide" wide
header "$steps" steps
header "$fig" fig
header "$odd" odd
run_cpp "$root/examples/geo/cpp/main.cc" "$build/bindings/geo/_geo.so"
run_cpp "$root/conformance/bindings/wide/cpp/main.cc" "$build/bindings/wide/_wide.so"
run_cpp "$root/conformance/bindings/callbacks.cc" "$steps/_steps.so" "$fig"
run_cpp "$root/conformance/bindings/odd/main.cc" "$odd"

if ! command -v cargo >/dev/null 2>&1; then
  echo "cargo is not installed: the Rust programs were not run (install Rust, or Debian's package cargo)"
  exit
fi
echo "Rust"
ln -sf "$library" "$build/rust/lib/libtvm_ffi.so"
ln -sf "$library" "$build/rust/lib/libselfsame.so"
printf '#!/bin/sh\necho "%s"\n' "$build/rust/lib" >"$build/rust/bin/tvm-ffi-config"
chmod +x "$build/rust/bin/tvm-ffi-config"
rm -rf "$build/bindings/rust"
cp -r "$root/examples/geo/rust" "$build/bindings/rust"
mkdir -p "$build/bindings/rust/src/bin/wide"
cp "$root/conformance/bindings/wide/rust/main.rs" "$build/bindings/rust/src/bin/wide/main.rs"
"$tool" bind --rust "$build/bindings/geo" -o "$build/bindings/rust/src/geo.rs"
"$tool" bind --rust "$build/bindings/wide" -o "$build/bindings/rust/src/bin/wide/wide.rs"
PATH="$build/rust/bin:$PATH" CARGO_TARGET_DIR="$build/rust/target" cargo build --quiet --manifest-path "$build/bindings/rust/Cargo.toml"
LD_LIBRARY_PATH="$build/rust/lib" "$build/rust/target/debug/selfsame-geo" "$build/bindings/geo/_geo.so"
LD_LIBRARY_PATH="$build/rust/lib" "$build/rust/target/debug/wide" "$build/bindings/wide/_wide.so"
rm -rf "$build/bindings/callbacks-rust"
cp -r "$root/conformance/bindings/rust" "$build/bindings/callbacks-rust"
"$tool" bind --rust "$steps" -o "$build/bindings/callbacks-rust/src/steps.rs"
"$tool" bind --rust "$fig" -o "$build/bindings/callbacks-rust/src/fig.rs"
mkdir -p "$build/bindings/callbacks-rust/src/bin/odd"
cp "$root/conformance/bindings/odd/rust/main.rs" "$build/bindings/callbacks-rust/src/bin/odd/main.rs"
"$tool" bind --rust "$odd" -o "$build/bindings/callbacks-rust/src/bin/odd/odd.rs"
PATH="$build/rust/bin:$PATH" CARGO_TARGET_DIR="$build/rust/target" \
  cargo build --quiet --manifest-path "$build/bindings/callbacks-rust/Cargo.toml"
LD_LIBRARY_PATH="$build/rust/lib" "$build/rust/target/debug/selfsame-callbacks" "$steps/_steps.so" "$fig"
LD_LIBRARY_PATH="$build/rust/lib" "$build/rust/target/debug/odd" "$odd"
