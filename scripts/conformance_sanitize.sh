#!/bin/sh
# Runs the C and C++ conformance programs with the address, leak and undefined-behaviour sanitizers in the programs and
# in the C and C++ parts of the library. With --valgrind it runs the ordinary programs under valgrind instead.
#
# Usage: scripts/conformance_sanitize.sh [--valgrind] [area | area.case ...]
set -e
root=$(cd "$(dirname "$0")/.." && pwd)
if [ "$1" = --valgrind ]; then
  shift
  build=${CONFORMANCE_BUILD:-$root/build/conformance}
  library=${SELFSAME_LIBRARY:-$root/build/lib/libselfsame.so}
  "$root/scripts/conformance.sh" none >/dev/null || true # builds; no area has that name
  # Memory of a List that upstream's headers allocate comes from operator new, and free releases it.
  check="valgrind -q --undef-value-errors=no --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --error-exitcode=9 \
    --show-mismatched-frees=no --suppressions=$root/conformance/valgrind.supp"
  export LD_LIBRARY_PATH="$(dirname "$library")" CONFORMANCE_FIXTURES="$build/fixtures"
  if [ $# -eq 0 ]; then $check "$build/host"; fi
  exec $check "$build/suite" "$@"
fi

build=$root/build/asan
sanitizers="-fsanitize=address,undefined"
flags="-O1 -g -fno-omit-frame-pointer $sanitizers"
CGO_CFLAGS="$flags" CGO_CXXFLAGS="$flags" CGO_LDFLAGS="$sanitizers" "$root/scripts/library.sh" "$build/lib/libselfsame.so"
# alloc_dealloc_mismatch: as above. handle_segv: Go has a handler of its own. Upstream's headers address members through
# a null pointer and through unaligned casts, hence no null, vptr and alignment checks in the programs.
export ASAN_OPTIONS=alloc_dealloc_mismatch=0:detect_leaks=1:handle_segv=0:detect_odr_violation=0
export LSAN_OPTIONS="suppressions=$root/conformance/leaks.supp:print_suppressions=0" UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export SELFSAME_LIBRARY="$build/lib/libselfsame.so" CONFORMANCE_BUILD="$build/conformance"
export CXXFLAGS="$sanitizers -fno-sanitize=null,vptr,alignment" CFLAGS="$sanitizers"
exec "$root/scripts/conformance.sh" "$@"
