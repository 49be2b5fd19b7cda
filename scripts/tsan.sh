#!/bin/sh
# Runs multi-threaded C programs on a libselfsame.so whose C and C++ parts are compiled with the thread sanitizer. `make
# test-go` runs the Go parts under the race detector.
#
# Usage: scripts/tsan.sh [program ...]     (programs of cmd/libselfsame/testdata; default: threads registry)
set -e
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- threads registry
build=build/tsan
flags="-g -O1 -fsanitize=thread"
CGO_CFLAGS=$flags CGO_CXXFLAGS=$flags CGO_LDFLAGS=-fsanitize=thread scripts/library.sh "$build/libselfsame.so"
for program in "$@"; do
  # shellcheck disable=SC2086  # flags are several words
  gcc -std=c11 -D_GNU_SOURCE $flags -Iabi/include "cmd/libselfsame/testdata/$program.c" "$build/libselfsame.so" -pthread \
    -Wl,-rpath,"$(pwd)/$build" -o "$build/$program"
  for round in 1 2 3; do TSAN_OPTIONS=halt_on_error=1 "$build/$program" || { echo "$program: failed in round $round" >&2; exit 1; }; done
  echo "$program: no race found"
done
