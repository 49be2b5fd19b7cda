#!/bin/sh
# Runs the tests of scripts/clusters: objects, functions and tensors of Go packages on a Dask cluster and on Ray, with
# several worker processes on this machine.
#
#   PYTHON   a CPython that Dask and Ray have wheels for, with selfsame_ffi (default: build/venv/bin/python)
#
# Both are installed from PyPI into build/clusters, once; delete that folder for newer ones. The tests of one that cannot be
# installed are skipped, with pip's reason.
#
# Usage: scripts/clusters.sh [PYTEST-ARGUMENTS]
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-build/venv/bin/python}
cache=$(pwd)/build/clusters
mkdir -p "$cache"
path=$cache/go:$(pwd)/scripts/clusters:$(pwd)/examples/search
for package in distributed ray; do
  folder=$cache/$package
  "$python" -m scripts.tools.environments folder "$folder" "$package" 2>"$folder.log" || cat "$folder.log"
  path=$path:$folder
done
for package in examples/geo examples/inventory examples/rules examples/search python/tests/fixtures/goclasses; do
  build/bin/selfsame-ffi build "$package" -o "$cache/go"
done
PYTHONPATH=$path SELFSAME_CLUSTERS=$cache "$python" -m pytest -q -p no:cacheprovider scripts/clusters "$@"
