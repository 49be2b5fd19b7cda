#!/bin/sh
# Builds libselfsame.so. Its linker flags are in this script only.
#
#   CGO_CFLAGS, CGO_CXXFLAGS, CGO_LDFLAGS   further flags, such as a sanitizer's
#   GO, EXTLD                               the go command and the linker
#
# Usage: scripts/library.sh OUTPUT
set -eu
output=$(realpath -m "$1")
cd "$(dirname "$0")/.."
mkdir -p "$(dirname "$output")"
# -Bsymbolic: the library calls its own TVMFFI* functions, even if the process loaded a stock library before.
exec "${GO:-go}" build -buildmode=c-shared \
  -ldflags "${EXTLD:+-extld=$EXTLD }-extldflags \"-Wl,--version-script=$(pwd)/cmd/libselfsame/exports.map -Wl,-Bsymbolic -Wl,-soname,libselfsame.so\"" \
  -o "$output" ./cmd/libselfsame
