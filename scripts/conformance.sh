#!/bin/sh
# Builds the C and C++ conformance programs with the headers of the published package and runs them on libselfsame.so.
# With --peer it runs them on the published library instead, which tests the checks.
#
#   TVM_FFI_INCLUDE   folder with tvm/ffi/ and dlpack/ (default: that of the package that VENV_PYTHON has)
#   TVM_FFI_LIBRARY   the published library, for --peer (default: likewise)
#   VENV_PYTHON       a Python with apache-tvm-ffi (default: build/venv/bin/python)
#   SELFSAME_LIBRARY  the library to link to and run on (default: build/lib/libselfsame.so)
#   CONFORMANCE_BUILD folder for the programs (default: build/conformance)
#   CC, CFLAGS, CXX, CXXFLAGS   compilers and further flags, such as a sanitizer's
#
# Usage: scripts/conformance.sh [--peer] [area | area.case ...]
set -e
root=$(cd "$(dirname "$0")/.." && pwd)
build=${CONFORMANCE_BUILD:-$root/build/conformance}
library=${SELFSAME_LIBRARY:-$root/build/lib/libselfsame.so}
python=${VENV_PYTHON:-$root/build/venv/bin/python}
cxx=${CXX:-g++}
if [ -z "$TVM_FFI_INCLUDE" ]; then TVM_FFI_INCLUDE=$("$python" "$root/scripts/tvm_ffi_path.py" include); fi
peer=
if [ "$1" = --peer ]; then
  peer=1
  shift
  if [ -z "$TVM_FFI_LIBRARY" ]; then TVM_FFI_LIBRARY=$("$python" "$root/scripts/tvm_ffi_path.py" library); fi
fi

mkdir -p "$build/peer"
flags="-std=c++17 -O0 -g -Wall -Wextra -Wno-unused-parameter -fvisibility=hidden -isystem $TVM_FFI_INCLUDE $CXXFLAGS"
# A change of the flags rebuilds everything.
if [ "$(cat "$build/flags" 2>/dev/null)" != "$cxx $flags" ]; then
  rm -f "$build"/*.o
  echo "$cxx $flags" >"$build/flags"
fi
{
  printf '%s: ' "$build/suite"
  for source in "$root"/conformance/cpp/*.cc; do printf '%s ' "$build/$(basename "$source" .cc).o"; done
  # shellcheck disable=SC2016  # $^ and $@ are make's
  printf '%s\n\t@%s %s -o $@ $(filter %%.o,$^) %s -ldl -pthread\n' "$library" "$cxx" "$CXXFLAGS" "$library"
  for source in "$root"/conformance/cpp/*.cc; do
    printf '%s: %s %s\n\t@echo "  %s"; %s %s -c -o $@ $<\n' "$build/$(basename "$source" .cc).o" "$source" \
      "$root/conformance/cpp/check.h" "$(basename "$source")" "$cxx" "$flags"
  done
} >"$build/suite.mk"
make -s -k -j "$(getconf _NPROCESSORS_ONLN)" -f "$build/suite.mk" "$build/suite"

fixtures=$build/fixtures
"$root/scripts/conformance_fixtures.sh" "$fixtures" "$TVM_FFI_INCLUDE"
export CONFORMANCE_FIXTURES="$fixtures"

host=$root/conformance/c/kernel_host.c
if [ ! -e "$build/host" ] || [ "$host" -nt "$build/host" ] || [ "$library" -nt "$build/host" ]; then
  # shellcheck disable=SC2086  # CFLAGS are several words
  ${CC:-gcc} -std=c11 -g -Wall -Wextra $CFLAGS -isystem "$TVM_FFI_INCLUDE" -o "$build/host" "$host" "$library"
fi

folder=$(dirname "$library")
if [ -n "$peer" ]; then
  ln -sf "$TVM_FFI_LIBRARY" "$build/peer/libtvm_ffi.so"
  folder=$build/peer
fi
export LD_LIBRARY_PATH="$folder"
if [ $# -eq 0 ]; then "$build/host"; fi
exec "$build/suite" "$@"
