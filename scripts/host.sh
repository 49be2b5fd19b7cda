#!/bin/sh
# Runs the tests of the Go package host/python with the Pythons at hand: that of build/venv, and those whose virtual
# environments the arguments name. Then once with the race detector.
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
echo "== with the race detector"
${GO:-go} test -race -count=1 -timeout 60m ./host/python
