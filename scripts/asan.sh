#!/bin/sh
# Runs the Python suite with the C and C++ parts of the runtime and of the Python core compiled with the address and the
# undefined-behaviour sanitizers. A finding of either ends the process, so it cannot be overlooked.
# Usage: scripts/asan.sh PYTHON [argument of pytest ...]     (default: all tests)
set -eu
cd "$(dirname "$0")/.."
python=$1
shift
[ $# -gt 0 ] || set -- python/tests
root=$(pwd)
venv=build/venv-asan
sanitizers="-fsanitize=address,undefined"
flags="$sanitizers -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g -O1"
echo "building libselfsame.so with $flags"
CGO_CFLAGS="$flags" CGO_CXXFLAGS="$flags" CGO_LDFLAGS="$sanitizers" scripts/library.sh build/asan/libselfsame.so
CFLAGS="$flags" LDFLAGS="$sanitizers" SELFSAME_LIB="$root/build/asan/libselfsame.so" scripts/venv.sh "$python" "$venv"
# Leaks are found by the suite's own counts: CPython itself frees too little at exit for the sanitizer's.
# handle_segv=0: Go and CPython install handlers of their own. PYTHONMALLOC=malloc: the sanitizer sees each block.
# --capture=sys: what a sanitizer writes before it ends the process is seen.
# libstdc++ is named too: the sanitizer must find __cxa_throw when it starts, and only the test extension needs it.
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so.6)" ASAN_OPTIONS=detect_leaks=0:handle_segv=0:verify_asan_link_order=0 \
  UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc "$venv/bin/python" -m pytest -q --capture=sys -p no:cacheprovider "$@"
