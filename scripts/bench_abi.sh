#!/bin/sh
# The C ABI, timed on libselfsame.so and on the published libtvm_ffi.so in one run: bench/abi/table.py says how.
#
#   VENV_PYTHON       the Python that has the apache-tvm-ffi package (default: build/venv's)
#   SELFSAME_LIBRARY  default: build/lib/libselfsame.so
#
# usage: scripts/bench_abi.sh [--rounds N] [--only TEXT] [--strict]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
python=${VENV_PYTHON:-$root/build/venv/bin/python}
out=$root/build/bench/abi
include=$("$python" "$root/scripts/tvm_ffi_path.py" include)
peer=$("$python" "$root/scripts/tvm_ffi_path.py" library)
library=${SELFSAME_LIBRARY:-$root/build/lib/libselfsame.so}
mkdir -p "$out/selfsame" "$out/peer"
ln -sf "$library" "$out/selfsame/libtvm_ffi.so"
ln -sf "$peer" "$out/peer/libtvm_ffi.so"
for source in "$root"/bench/abi/*.cc; do
  object=$out/$(basename "$source" .cc).o
  newest=$(ls -t "$source" "$root"/bench/abi/*.h | head -n 1)
  if [ ! -e "$object" ] || [ "$newest" -nt "$object" ]; then
    ${CXX:-g++} -std=c++17 -O2 -DNDEBUG -Wall -Wextra -isystem "$include" -c -o "$object" "$source"
  fi
done
${CXX:-g++} -o "$out/bench" "$out"/*.o "$out/peer/libtvm_ffi.so"
exec "$python" "$root/bench/abi/table.py" "$out/bench" "$out/selfsame" "$out/peer" "$@"
