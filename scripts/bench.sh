#!/bin/sh
# Times Python operations on selfsame and on its peers, side by side in one run. Quote the ratios, not the times.
#
# Usage: scripts/bench.sh [--operations | --tensors | --instructions | --profile selfsame|pyo3|go|... [PART_OF_A_NAME...]
#                          | --fast-paths [PART_OF_A_NAME...] | --calls [PART_OF_A_NAME...]]
# `make bench` builds build/venv first.
set -eu
cd "$(dirname "$0")/.."
venv=build/venv
python=$venv/bin/python
out=build/bench
mkdir -p "$out"
echo "building extensions"
include=$($python -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
suffix=$($python -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
newer() { [ -e "$1" ] && [ "$1" -nt "$2" ]; }
# build OUTPUT SOURCE COMPILER-ARGUMENTS...: compiles SOURCE and $extra, unless OUTPUT is newer.
build() {
  target=$1; main=$2
  shift 2
  newer "$target" "$main" || "$@" -O2 -DNDEBUG -shared -fPIC -o "$target" "$main" $extra
}
extra=""
build "$out/libbench_ffi.so" bench/python/bench_ffi.cc g++ -std=c++17 "-I$($python scripts/tvm_ffi_path.py include)"
if [ "${1:-}" = --instructions ]; then
  build "$out/callgrind_ext$suffix" bench/python/callgrind.c gcc "-I$include"
  exec $python bench/python/instructions.py "$out"
fi
if [ "${1:-}" = --calls ]; then
  shift
  exec $python bench/python/calls.py "$out" "$@"
fi
build "$out/floor_ext$suffix" bench/python/floor.c gcc "-I$include"
# Builds what counts instructions of Go.
build_step() {
  extra=""
  build "$out/callgrind_ext$suffix" bench/python/callgrind.c gcc "-I$include"
  newer "$out/step" bench/python/step.c || gcc -O2 -o "$out/step" bench/python/step.c
}
if [ "${1:-}" = --fast-paths ]; then
  build_step
  shift
  exec $python bench/python/fast_paths.py "$out" "$@"
fi
$python -m pip install -q --disable-pip-version-check -r scripts/requirements-bench.txt
nanobind=$($python -c 'import nanobind; print(nanobind.include_dir())')
include_ffi=$($python scripts/tvm_ffi_path.py include)
build "$out/libbench_tensors.so" bench/python/bench_tensors.cc g++ -std=c++17 "-I$include_ffi"
build "$out/tensors_floor_ext$suffix" bench/python/tensors_floor.c gcc "-I$include" "-I$include_ffi"
build "$out/tensors_pybind11_ext$suffix" bench/python/bench_tensors_pybind11.cc g++ -std=c++17 -fvisibility=hidden \
  "-I$include" "-I$($python -c 'import pybind11; print(pybind11.get_include())')"
build "$out/pybind11_ext$suffix" bench/python/bench_pybind11.cc g++ -std=c++17 -fvisibility=hidden "-I$include" \
  "-I$($python -c 'import pybind11; print(pybind11.get_include())')"
extra="$nanobind/../src/nb_combined.cpp"
build "$out/nanobind_ext$suffix" bench/python/bench_nanobind.cc g++ -std=c++17 -fvisibility=hidden \
  -fno-strict-aliasing "-I$include" "-I$nanobind" "-I$nanobind/../ext/robin_map/include"
build "$out/tensors_nanobind_ext$suffix" bench/python/bench_tensors_nanobind.cc g++ -std=c++17 -fvisibility=hidden \
  -fno-strict-aliasing "-I$include" "-I$nanobind" "-I$nanobind/../ext/robin_map/include"
if [ "${1:-}" = --tensors ]; then
  echo "building the Go extension"
  go run ./cmd/selfsame-ffi build bench/python/gocalls -o "$out"
fi
[ "${1:-}" != --tensors ] || exec $python bench/python/tensors.py "$out"
if command -v cargo >/dev/null 2>&1; then
  PYO3_PYTHON=$(pwd)/$python cargo build -q --release --manifest-path bench/python/bench_pyo3/Cargo.toml --target-dir "$out/pyo3"
  cp "$out/pyo3/release/libpyo3_ext.so" "$out/pyo3_ext$suffix"
fi
[ "${1:-}" != --operations ] || exec $python bench/python/table.py "$out"
echo "building the Go extension and its peer for ctypes"
go run ./cmd/selfsame-ffi build bench/python/gocalls -o "$out"
go build -buildmode=c-shared -o "$out/libctypes_peer.so" ./bench/python/ctypes_peer
if [ "${1:-}" = --profile ]; then
  build_step
  peer=$2
  shift 2
  exec $python bench/python/profile.py "$peer" "$out" "$@"
fi
$python bench/python/table.py "$out"
$python bench/python/tensors.py "$out"
$python bench/python/go_functions.py "$out"
all=$(scripts/pythons.sh | grep -E '/cpython-3\.1[0-9]t/|python3\.[0-9]+t$' || true)
free_threaded=$(echo "$all" | grep '3\.14t' | tail -n 1)
[ -n "$free_threaded" ] || free_threaded=$(echo "$all" | tail -n 1)
if [ -n "$free_threaded" ]; then # installed by scripts/get_pythons.sh, or by its own package
  name=$("$free_threaded" -c 'import sys; print("%d.%dt" % sys.version_info[:2])')
  scripts/venv.sh "$free_threaded" "build/venv-$name"
  free_threaded=build/venv-$name/bin/python
fi
# shellcheck disable=SC2086 # a path without spaces, or nothing
$python bench/python/threads.py "$out" $free_threaded
$python bench/python/declared.py "$out"
$python bench/python/live_objects.py "$out"
$python bench/python/import_time.py
$python bench/python/first_call_after_fork.py
