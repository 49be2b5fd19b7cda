#!/bin/sh
# Builds libselfsame.so, and beside it libtvm_ffi.so, a link to it: that is its SONAME, by which programs and libraries
# that were linked to it find it, or a stock library, when they start. Its linker flags are in this script only. With
# GOOS=windows or GOOS=darwin it builds that system's kind of library, without a link.
#
#   CGO_CFLAGS, CGO_CXXFLAGS, CGO_LDFLAGS   further flags, such as a sanitizer's
#   GO, EXTLD, GO_LDFLAGS                   the go command, the C linker, further flags of go's linker, such as -s
#
# Usage: scripts/library.sh OUTPUT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$(dirname "$1")" 2>/dev/null || { mkdir -p "$(dirname "$1")" && cd "$(dirname "$1")"; }
output=$(pwd)/$(basename "$1")
cd "$here/.."
export GOWORK=off # the library needs no module but its own, and so no network
go=${GO:-go}
system=$("$go" env GOOS)
exports=$(pwd)/cmd/libselfsame/exports.map
link=""
# -Bsymbolic: the library calls its own TVMFFI* functions, even if the process loaded a stock library before. Libraries
# of the other systems name the library that a function is in. Go's linker splits the flags: one with a path is quoted.
case $system in
windows) flags=-static ;; # the compiler's own libraries are not on a user's machine
darwin)
  list=$(mktemp)
  trap 'rm -f "$list"' EXIT
  sed -n 's/#.*//; s/^ *\([A-Za-z_][A-Za-z0-9_]*\*\{0,1\}\);$/_\1/p' "$exports" >"$list"
  flags="-Wl,-exported_symbols_list,$list -Wl,-install_name,@rpath/libtvm_ffi.dylib"
  ;;
*)
  flags="'-Wl,--version-script=$exports' -Wl,-Bsymbolic -Wl,-soname,libtvm_ffi.so"
  link=libtvm_ffi.so
  ;;
esac
# Not asked of the version control system, which refuses a clone of another user: one that a container mounts.
"$go" build -buildmode=c-shared -buildvcs=false \
  -ldflags "${GO_LDFLAGS:-} ${EXTLD:+-extld=$EXTLD }-extldflags \"$flags\"" \
  -o "$output" ./cmd/libselfsame
[ -z "$link" ] || [ "$(basename "$output")" = "$link" ] || ln -sf "$(basename "$output")" "$(dirname "$output")/$link"
