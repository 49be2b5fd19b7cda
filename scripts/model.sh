#!/bin/sh
# Random operations against the identity model, and threads on shared objects: with build/venv, and the latter also on each
# free-threaded CPython of this machine.
#
#   SELFSAME_MODEL_SECONDS   how long each (default 180)
#
# Usage: scripts/model.sh
set -eu
cd "$(dirname "$0")/.."
export SELFSAME_MODEL_SECONDS="${SELFSAME_MODEL_SECONDS:-180}"
shared=python/tests/identity/test_shared_model.py
build/venv/bin/python -m pytest -q -s python/tests/identity/test_identity_model.py "$shared"
for python in $(scripts/pythons.sh); do
  version=$("$python" -c 'import sys, sysconfig
print("%d.%dt" % sys.version_info[:2] if sysconfig.get_config_var("Py_GIL_DISABLED") else "")')
  [ -n "$version" ] || continue
  scripts/venv.sh "$python" "build/venv-$version"
  "build/venv-$version/bin/python" -m pytest -q -s "$shared"
done
