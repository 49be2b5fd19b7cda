#!/bin/sh
# Runs the Python suite with the C parts of the runtime and of the Python core compiled with the address sanitizer.
# Usage: scripts/asan.sh PYTHON
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
python=$1
venv=build/venv-asan
flags="-fsanitize=address -fno-omit-frame-pointer -g -O1"
echo "building libselfsame.so with $flags"
mkdir -p build/asan
CGO_CFLAGS="$flags" CGO_LDFLAGS="-fsanitize=address" go build -buildmode=c-shared \
  -ldflags "-extldflags \"-Wl,--version-script=$root/cmd/libselfsame/exports.map -Wl,-Bsymbolic -Wl,-soname,libselfsame.so\"" \
  -o build/asan/libselfsame.so ./cmd/libselfsame
CFLAGS="$flags" LDFLAGS="-fsanitize=address" SELFSAME_LIB="$root/build/asan/libselfsame.so" scripts/venv.sh "$python" "$venv"
# Leaks are found by the suite's own counts: CPython itself frees too little at exit for the sanitizer's.
# handle_segv=0: Go and CPython install handlers of their own. PYTHONMALLOC=malloc: the sanitizer sees each block.
# libstdc++ is named too: the sanitizer must find __cxa_throw when it starts, and only the test extension needs it.
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so.6)" ASAN_OPTIONS=detect_leaks=0:handle_segv=0:verify_asan_link_order=0 \
  PYTHONMALLOC=malloc "$venv/bin/python" -m pytest -q -p no:cacheprovider python/tests
