#!/bin/sh
# Compiles the libraries that the module tests of the conformance suite load. As in compiled kernels, their TVMFFI*
# functions are undefined.
#
#   CC   the compiler
#
# Usage: scripts/conformance_fixtures.sh FOLDER INCLUDE     (INCLUDE: the folder with tvm/ffi/ and dlpack/)
set -eu
[ $# -eq 2 ] || { echo "usage: scripts/conformance_fixtures.sh FOLDER INCLUDE" >&2; exit 2; }
folder=$1 include=$2
sources=$(cd "$(dirname "$0")/.." && pwd)/conformance/c
mkdir -p "$folder"
fixture() { # fixture NAME SOURCE FLAGS...
  name=$1 source=$sources/$2
  shift 2
  if [ ! -e "$folder/$name" ] || [ "$source" -nt "$folder/$name" ]; then
    ${CC:-gcc} -std=c11 -g -Wall -Wextra -fPIC -shared -fvisibility=hidden "$@" -isystem "$include" -o "$folder/$name" "$source"
  fi
}
fixture kernels.so kernel_library.c
fixture tree.so embedded_modules.c
fixture malformed.so embedded_modules.c -DMALFORMED
