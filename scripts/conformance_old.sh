#!/bin/sh
# Runs earlier releases of tvm-ffi on libselfsame.so: programs built with their headers, and their Python packages with
# libselfsame.so in place of their library. It fetches the releases with pip.
#
# Before that, libraries built with the headers of each release, with errors, functions, containers, classes and tensors, meet our
# frontends: the Python package on libselfsame.so, a Go program on that, on the published library and on its own runtime.
#
#   STOCK_PYTHON      a Python with pip and numpy, for whose version those releases have wheels
#                     (default: build/venv/bin/python)
#   SELFSAME_LIBRARY  the library (default: build/lib/libselfsame.so)
#
# Usage: scripts/conformance_old.sh [--libraries] [release ...]     (default: those in the lists below)
#   --libraries  the libraries and our frontends only
set -e
root=$(cd "$(dirname "$0")/.." && pwd)
python=${STOCK_PYTHON:-$root/build/venv/bin/python}
library=${SELFSAME_LIBRARY:-$root/build/lib/libselfsame.so}
fixtures=${CONFORMANCE_BUILD:-$root/build/conformance}/fixtures
"$root/scripts/conformance_fixtures.sh" "$fixtures" "${TVM_FFI_INCLUDE:-$("$python" "$root/scripts/tvm_ffi_path.py" include)}"
export CONFORMANCE_FIXTURES="$fixtures"
failed=0
only_libraries=
if [ "$1" = --libraries ]; then
  only_libraries=1
  shift
fi

# One release of each header that differs in more than comments, and the last of those with short Errors; two with LLVM's C++
# library, which the compiler of the package ziglang brings.
SELFSAME_TEST_RELEASES=${*:-0.1.0 0.1.1 0.1.2 0.1.3 0.1.4 0.1.5 0.1.6 0.1.7 0.1.8.post0 0.1.8.post2 0.1.9 0.1.10 0.1.11 0.1.12 0.1.13 0.1.13.post3 0.1.14.post1 0.1.7+libc++ 0.1.13+libc++}
export SELFSAME_TEST_RELEASES
case $SELFSAME_TEST_RELEASES in *+libc++*) "$python" -m pip install -q "$(grep '^ziglang' "$root/scripts/wheels/requirements.txt")" ;; esac
(cd "$root" && "$python" -m pytest -q -p no:cacheprovider python/tests/errors/test_errors_of_older_headers.py) || failed=1
libraries=$(cd "$root/python/tests/support" && "$python" -c '
import origins
print(*(f"{origins.cpp_prefix(release)}={origins.cpp(release)}" for release in origins.RELEASES))')
published=$("$python" "$root/scripts/tvm_ffi_path.py" library)
mkdir -p "$root/build/old"
(cd "$root" && "${GO:-go}" build -o build/old/own ./conformance/older && "${GO:-go}" build -tags selfsame_shared -o build/old/shared ./conformance/older)
"$root/build/old/own" --chains $libraries || failed=1
LD_PRELOAD=$library "$root/build/old/shared" --chains $libraries || failed=1
LD_PRELOAD=$published "$root/build/old/shared" $libraries || failed=1
[ -z "$only_libraries" ] || exit $failed

[ $# -gt 0 ] || set -- 0.1.0 0.1.5 0.1.10 0.1.12
for release in "$@"; do
  scratch=$root/build/old/$release
  if [ ! -e "$scratch/peer/libtvm_ffi.so" ]; then
    rm -rf "$scratch"
    mkdir -p "$scratch"
    "$python" -m pip install -q --no-deps --only-binary :all: --target "$scratch" "apache-tvm-ffi==$release"
    mkdir -p "$scratch/peer"
    mv "$scratch/tvm_ffi/lib/libtvm_ffi.so" "$scratch/peer/libtvm_ffi.so"
  fi
  cp "$library" "$scratch/tvm_ffi/lib/libtvm_ffi.so"

  # The files of the suite that compile with the release's headers. The others use later additions.
  mkdir -p "$scratch/o"
  printf '#include <tvm/ffi/any.h>\nnamespace tvm { namespace ffi { namespace details {} namespace detail = details; } }\n' >"$scratch/names.h"
  for source in "$root"/conformance/cpp/*.cc; do
    object=$scratch/o/$(basename "$source" .cc).o
    if [ ! -e "$object" ] || [ "$source" -nt "$object" ]; then
      ${CXX:-g++} -std=c++17 -O0 -w -include "$scratch/names.h" -isystem "$scratch/tvm_ffi/include" -c -o "$object" "$source" 2>/dev/null || : >"$object"
    fi
  done
  ${CXX:-g++} -o "$scratch/suite" $(find "$scratch/o" -name '*.o' -size +0) "$library" -ldl -pthread
  # Only the cases that pass on the release's own library, because the release differs in the others. The cases of
  # version_test.cc check this library's version.
  proven=
  for object in $(find "$scratch/o" -name '*_test.o' -size +0 ! -name 'version*'); do
    source=$root/conformance/cpp/$(basename "$object" .o).cc
    for case in $(sed -n 's/^TEST[_A-Z]*(\([a-z_0-9]*\), \([a-z_0-9]*\)).*/\1.\2/p' "$source"); do
      if LD_LIBRARY_PATH="$scratch/peer" "$scratch/suite" "$case" >/dev/null 2>&1; then proven="$proven $case"; fi
    done
  done
  echo "$release: $(echo $proven | wc -w) cases"
  if ! LD_LIBRARY_PATH=$(dirname "$library") "$scratch/suite" $proven >"$scratch/out" 2>&1; then failed=1; fi
  grep -E 'FAIL|:[0-9]+:|passed' "$scratch/out"
  PYTHONPATH="$scratch" PYTHONDONTWRITEBYTECODE=1 "$python" "$root/conformance/python/old_release.py" "$scratch" || failed=1
done
exit $failed
