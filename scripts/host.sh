#!/bin/sh
# Runs the tests of the Go package host/python with the Pythons at hand: that of build/venv, and those whose virtual
# environments the arguments name. Then once with the race detector, unless SELFSAME_HOST_RACE=no.
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
"$stubs/bin/python" -m pip --disable-pip-version-check install -q "typeshed-client>=2.8" numpy
${GO:-go} build -o build/bin/selfsame-ffi ./cmd/selfsame-ffi
trap 'rm -rf build/gen' EXIT # the test of the layers would take them for packages of the module
rm -rf build/gen
for module in json datetime pathlib statistics zoneinfo numpy; do
  build/bin/selfsame-ffi bind --go --python "$module" -o "build/gen/py$module" --interpreter "$stubs/bin/python" | head -1
done
PYTHONPATH=host/python/testdata build/bin/selfsame-ffi bind --go --python shapes -o build/gen/pyshapes --interpreter "$stubs/bin/python" \
  --overrides host/python/testdata/shapes_overrides.pyi | head -1
mkdir build/gen/try
cp host/python/testdata/typed/main.go build/gen/try/
${GO:-go} vet ./build/gen/...
${GO:-go} run ./build/gen/try "$PWD/build/venv/bin/python"
[ "${SELFSAME_HOST_RACE:-yes}" = yes ] || exit 0
echo "== with the race detector"
${GO:-go} test -race -count=1 -timeout 60m ./host/python
