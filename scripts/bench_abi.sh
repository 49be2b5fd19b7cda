#!/bin/sh
# Times the C ABI on libselfsame.so and on the published libtvm_ffi.so in one run; see bench/abi/table.py.
#
#   VENV_PYTHON       a Python with apache-tvm-ffi (default: build/venv/bin/python)
#   SELFSAME_LIBRARY  the library (default: build/lib/libselfsame.so)
#
# Usage: scripts/bench_abi.sh [--rounds N] [--only TEXT] [--strict]
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
