#!/bin/sh
# Builds libselfsame.so. The flags it is linked with stand here only; CGO_CFLAGS, CGO_CXXFLAGS and CGO_LDFLAGS add to them
# (sanitizers), GO names the go command and EXTLD the linker.
# Usage: scripts/library.sh OUTPUT
set -eu
output=$(realpath -m "$1")
cd "$(dirname "$0")/.."
mkdir -p "$(dirname "$output")"
# -Bsymbolic: the library calls its own TVMFFI* functions, also where a stock library's came into the process first.
exec "${GO:-go}" build -buildmode=c-shared \
  -ldflags "${EXTLD:+-extld=$EXTLD }-extldflags \"-Wl,--version-script=$(pwd)/cmd/libselfsame/exports.map -Wl,-Bsymbolic -Wl,-soname,libselfsame.so\"" \
  -o "$output" ./cmd/libselfsame
