#!/bin/sh
# Builds libselfsame.so, and beside it libtvm_ffi.so, a link to it: that is its SONAME, by which programs and libraries
# that were linked to it find it, or a stock library, when they start. Its linker flags are in this script only.
#
#   CGO_CFLAGS, CGO_CXXFLAGS, CGO_LDFLAGS   further flags, such as a sanitizer's
#   GO, EXTLD, GO_LDFLAGS                   the go command, the C linker, further flags of go's linker, such as -s
#
# Usage: scripts/library.sh OUTPUT
set -eu
output=$(realpath -m "$1")
cd "$(dirname "$0")/.."
mkdir -p "$(dirname "$output")"
export GOWORK=off # the library needs no module but its own, and so no network
# -Bsymbolic: the library calls its own TVMFFI* functions, even if the process loaded a stock library before.
"${GO:-go}" build -buildmode=c-shared \
  -ldflags "${GO_LDFLAGS:-} ${EXTLD:+-extld=$EXTLD }-extldflags \"-Wl,--version-script=$(pwd)/cmd/libselfsame/exports.map -Wl,-Bsymbolic -Wl,-soname,libtvm_ffi.so\"" \
  -o "$output" ./cmd/libselfsame
[ "$(basename "$output")" = libtvm_ffi.so ] || ln -sf "$(basename "$output")" "$(dirname "$output")/libtvm_ffi.so"
