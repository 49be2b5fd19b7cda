#!/bin/sh
# Runs the Python suite with the C and C++ parts of the runtime and of the Python core compiled with the address and the
# undefined-behaviour sanitizers. A finding of either ends the process.
#
# Usage: scripts/asan.sh PYTHON [--core | argument of pytest ...]     (default: all tests)
#
# --core leaves out what starts other processes for most of its time: forks, compilers, the tools.
set -eu
cd "$(dirname "$0")/.."
python=$1
shift
# Greenlets copy pieces of the stack, which the sanitizer takes for an error. It keeps freed memory for a while, so that
# the memory of a loop is not flat.
never="threads/test_greenlets.py packages/test_go_memory.py"
others="fork pages stub/test_stub.py stub/test_gen_abi_cpp.py libraries/test_cpp.py libraries/test_cpp_gpu_code.py libraries/test_footprint.py
  libraries/test_one_soname.py libraries/test_stock_first.py libraries/test_version_guard.py packages/test_develop.py
  published/test_as_tvm_ffi.py published/test_api_table.py published/test_docstrings.py classes/test_html.py
  containers/test_containers_against_python.py classes/test_dataclasses_against_python.py"
ignore() { for name; do echo "--ignore=python/tests/$name"; done; }
# shellcheck disable=SC2046,SC2086
case "${1-}" in
  "") set -- python/tests $(ignore $never) ;;
  --core) set -- python/tests $(ignore $never $others) ;;
esac
root=$(pwd)
venv=build/venv-asan
sanitizers="-fsanitize=address,undefined"
flags="$sanitizers -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g -O1"
echo "building libselfsame.so with $flags"
CGO_CFLAGS="$flags" CGO_CXXFLAGS="$flags" CGO_LDFLAGS="$sanitizers" scripts/library.sh build/asan/libselfsame.so
CFLAGS="$flags" LDFLAGS="$sanitizers" SELFSAME_LIB="$root/build/asan/libselfsame.so" scripts/venv.sh "$python" "$venv"
# detect_leaks=0: CPython does not free all of its memory at exit; the suite finds leaks by counting objects.
# handle_segv=0: Go and CPython install their own handlers. PYTHONMALLOC=malloc: the sanitizer sees each block.
# --capture=sys: pytest does not swallow the report that a sanitizer writes before it ends the process.
# alloc_dealloc_mismatch=0: C++ code that grows a List keeps the runtime's deleter for memory of its operator new (list.c).
# LD_PRELOAD names libstdc++ too: the sanitizer looks up __cxa_throw when it starts, and only the test extension loads
# it.
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so.6)" ASAN_OPTIONS=detect_leaks=0:handle_segv=0:alloc_dealloc_mismatch=0:verify_asan_link_order=0 \
  UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc "$venv/bin/python" -m pytest -q --capture=sys -p no:cacheprovider "$@"
