#!/bin/sh
# Runs at least twenty operations of published packages (Apache TVM, xgrammar, TileLang) on the stock libtvm_ffi.so, on
# libselfsame.so in its place, and on selfsame_ffi in the place of the Python package tvm_ffi. Each operation runs in N
# rounds (7) on the same objects. It compares the results of each round, says why an operation failed, and prints the CPU
# time as ratios.
#
#   PYTHON            a CPython that the packages have wheels for, with selfsame_ffi (default: build/venv/bin/python)
#   SELFSAME_LIBRARY  the library (default: build/lib/libselfsame.so)
#
# The packages are installed from PyPI into build/real_packages, once; delete that folder for newer ones. A package that
# cannot be installed is reported, and the others run.
#
# The other packages that use apache-tvm-ffi, such as jax-tvm-ffi, are imported, and their own tests run, by
# scripts/upstream/dependents.py on the published package and on ours.
#
# Usage: scripts/real_packages.sh [--rounds N] [--only TEXT] [package ...]     (default: all packages, and `dependents`)
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-$root/build/venv/bin/python}
library=${SELFSAME_LIBRARY:-$root/build/lib/libselfsame.so}
cache=$root/build/real_packages
rounds=7
only=
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=$2; shift 2 ;;
    --only) only=$2; shift 2 ;;
    *) break ;;
  esac
done

# The requirements that pip installs for a package. TVM 0.27 on the stock runtime of apache-tvm-ffi 0.1.15.post2 ends
# with a segmentation fault in save_json, so that the peer is the newest release before.
requirements() {
  case $1 in
    apache-tvm) echo "apache-tvm apache-tvm-ffi<0.1.15 numpy" ;;
    *) echo "$1 numpy" ;;
  esac
}

# install PACKAGE FOLDER: the folder `stock` with the package and everything it needs.
install() {
  mkdir -p "$2"
  # shellcheck disable=SC2046,SC2086  # a list of words
  (cd "$root" && "$python" -m scripts.tools.environments folder "$2/stock" $(requirements "$1")) 2>"$2/install.log"
}

# place_library FOLDER: the folder `ours` with hard links to the files of `stock`, and our library.
place_library() {
  rm -rf "$1/ours"
  cp -al "$1/stock" "$1/ours"
  rm "$1/ours/tvm_ffi/lib/libtvm_ffi.so"
  cp "$library" "$1/ours/tvm_ffi/lib/libtvm_ffi.so"
}

failed=
for package in ${*:-apache-tvm xgrammar tilelang dependents}; do
  folder=$cache/$package
  echo "== $package"
  if [ "$package" = dependents ]; then
    (cd "$root" && "$python" -m scripts.upstream.dependents) || failed="$failed $package"
    continue
  fi
  if ! install "$package" "$folder"; then
    echo "$package does not install here:"
    tail -n 3 "$folder/install.log" | sed 's/^/    /'
    failed="$failed $package"
    continue
  fi
  place_library "$folder"
  "$python" "$root/conformance/real_packages/main.py" "$folder" "$package" --rounds "$rounds" --only "$only" ||
    failed="$failed $package"
done
[ -z "$failed" ] || { echo "not shown for:$failed"; exit 1; }
