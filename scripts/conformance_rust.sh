#!/bin/sh
# Builds the program in conformance/rust with the published tvm-ffi crate, linked to libselfsame.so, and runs it. With
# --crate it runs the crate's own tests instead. Run scripts/conformance.sh first: it builds the libraries that the
# program loads.
#
#   SELFSAME_LIBRARY  the library (default: build/lib/libselfsame.so)
#   TVM_FFI_LIBRARY   for --crate: the published library; the folder that has it must have the testing library too
#                     (default: that of the package that VENV_PYTHON has)
#
# Usage: scripts/conformance_rust.sh [--crate]
set -e
root=$(cd "$(dirname "$0")/.." && pwd)
build=${CONFORMANCE_BUILD:-$root/build/conformance}
library=${SELFSAME_LIBRARY:-$root/build/lib/libselfsame.so}
mkdir -p "$build/rust/lib" "$build/rust/bin"
# The crate runs a tool of the published package, tvm-ffi-config, to find the library, and links to it by its published
# name.
ln -sf "$library" "$build/rust/lib/libtvm_ffi.so"
ln -sf "$library" "$build/rust/lib/libselfsame.so"
printf '#!/bin/sh\necho "%s"\n' "$build/rust/lib" >"$build/rust/bin/tvm-ffi-config"
chmod +x "$build/rust/bin/tvm-ffi-config"
export PATH="$build/rust/bin:$PATH" CARGO_TARGET_DIR="$build/rust/target" CONFORMANCE_FIXTURES="$build/fixtures"
if [ "$1" = --crate ]; then
  if [ -z "$TVM_FFI_LIBRARY" ]; then
    TVM_FFI_LIBRARY=$("${VENV_PYTHON:-$root/build/venv/bin/python}" "$root/scripts/tvm_ffi_path.py" library)
  fi
  cp "$(dirname "$TVM_FFI_LIBRARY")/libtvm_ffi_testing.so" "$build/rust/lib/"
  cargo fetch --quiet --manifest-path "$root/conformance/rust/Cargo.toml"
  rm -rf "$build/rust/crate"
  cp -r "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/tvm-ffi-0.1.15 "$build/rust/crate"
  export LD_LIBRARY_PATH="$build/rust/lib"
  exec cargo test --no-fail-fast --manifest-path "$build/rust/crate/Cargo.toml"
fi
cargo build --quiet --manifest-path "$root/conformance/rust/Cargo.toml"
LD_LIBRARY_PATH="$build/rust/lib" exec "$build/rust/target/debug/selfsame-conformance"
