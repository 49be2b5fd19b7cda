#!/bin/sh
# Runs the tests of the Go package host/python with the Pythons at hand: that of build/venv, and those whose virtual
# environments the arguments name. Then typed packages of Python modules, those of PyPI too unless SELFSAME_HOST_PACKAGES=no,
# and the tests once with the race detector, unless SELFSAME_HOST_RACE=no.
#
# Usage: scripts/host.sh [VENV...]
set -eu
cd "$(dirname "$0")/.."
operations=${SELFSAME_HOST_OPERATIONS:-1000000}
for venv in build/venv "$@"; do
  python="$(cd "$venv" && pwd)/bin/python"
  echo "== $("$python" -V), $operations random operations"
  SELFSAME_HOST_PYTHON="$python" SELFSAME_HOST_OPERATIONS="$operations" ${GO:-go} test -count=1 -timeout 60m ./host/python
done
echo "== typed packages of Python modules"
stubs=build/host-stubs
[ -x "$stubs/bin/python" ] || python3 -m venv "$stubs"
modules="json datetime pathlib statistics zoneinfo numpy" packages=numpy
if [ "${SELFSAME_HOST_PACKAGES:-yes}" = yes ]; then
  modules="$modules pandas httpx pydantic sklearn.linear_model sklearn.pipeline tokenizers tiktoken PIL.Image click jinja2
    networkx requests rich.table polars"
  packages="$packages pandas pandas-stubs httpx pydantic scikit-learn tokenizers tiktoken Pillow click jinja2 networkx
    types-networkx requests types-requests rich polars"
fi
# shellcheck disable=SC2086 # one argument for each package
"$stubs/bin/python" -m pip --disable-pip-version-check install -q "typeshed-client>=2.8" $packages
${GO:-go} build -o build/bin/selfsame-ffi ./cmd/selfsame-ffi
trap 'rm -rf build/gen' EXIT # the test of the layers would take them for packages of the module
rm -rf build/gen
bind() { # MODULE [OPTION...]: twice, with the same result
  module=$1
  shift
  folder=build/gen/py$(printf %s "$module" | tr -d ._)
  build/bin/selfsame-ffi bind --go --python "$module" -o "$folder" --interpreter "$stubs/bin/python" "$@" | head -1
  changed=$(build/bin/selfsame-ffi bind --go --python "$module" -o "$folder" --interpreter "$stubs/bin/python" "$@" --diff)
  [ -z "$changed" ] || { echo "$module: another package the second time: $changed" >&2; exit 1; }
}
for module in $modules; do
  bind "$module"
done
PYTHONPATH=host/python/testdata
export PYTHONPATH
bind shapes --overrides host/python/testdata/shapes_overrides.pyi
unset PYTHONPATH
mkdir build/gen/try
cp host/python/testdata/typed/main.go build/gen/try/
${GO:-go} vet ./build/gen/...
${GO:-go} run ./build/gen/try "$PWD/build/venv/bin/python"
if [ "${SELFSAME_HOST_PACKAGES:-yes}" = yes ]; then
  echo "== Go packages in hosted Python"
  mkdir build/gen/guests
  build/bin/selfsame-ffi build bench/python/gocalls -o build/gen/guests
  build/bin/selfsame-ffi wrap container/ring --dir build/gen/ring >build/gen/ring.log || { cat build/gen/ring.log >&2; exit 1; }
  cp -r build/gen/ring/build/ring build/gen/guests/
  ${GO:-go} run ./host/python/testdata/guests "$PWD/build/venv/bin/python" build/gen/guests gocalls ring
fi
[ "${SELFSAME_HOST_RACE:-yes}" = yes ] || exit 0
echo "== with the race detector"
${GO:-go} test -race -count=1 -timeout 60m ./host/python
