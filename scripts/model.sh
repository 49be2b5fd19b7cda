#!/bin/sh
# Random operations against the identity model, and threads on shared objects: with build/venv, and the latter also on each
# free-threaded CPython of this machine.
#
#   SELFSAME_MODEL_SECONDS   how long each (default 180)
#   SELFSAME_MODEL_STEPS     how many steps of each instead, with both models on each of these CPythons and on 3.14
#
# Usage: scripts/model.sh
set -eu
cd "$(dirname "$0")/.."
export SELFSAME_MODEL_SECONDS="${SELFSAME_MODEL_SECONDS:-180}"
identity=python/tests/identity/test_identity_model.py
shared=python/tests/identity/test_shared_model.py
build/venv/bin/python -m pytest -q -s "$identity" "$shared"
for python in $(scripts/pythons.sh); do
  version=$("$python" -c 'import sys, sysconfig
print("%d.%d%s" % (*sys.version_info[:2], "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""))')
  case $version in
    *t) models="${SELFSAME_MODEL_STEPS:+$identity} $shared" ;;
    3.14) models="${SELFSAME_MODEL_STEPS:+$identity $shared}" ;;
    *) continue ;;
  esac
  [ -n "$models" ] || continue
  scripts/venv.sh "$python" "build/venv-$version"
  # shellcheck disable=SC2086 # one or two files
  "build/venv-$version/bin/python" -m pytest -q -s $models
done
