#!/bin/sh
# Runs the notebooks of docs/notebooks with the package and the tool of this checkout: scripts/notebooks/run.py says how.
#
#   VENV     the environment with selfsame (default: build/venv)
#   EXTRA    further packages to install for them, such as torch
#
# Usage: scripts/notebooks.sh [--record] [NAME ...]
set -eu
cd "$(dirname "$0")/.."
root=$PWD
python=$root/${VENV:-build/venv}/bin/python
folder=$root/build/notebooks
wanted="$(cat scripts/requirements-notebooks.txt) ${EXTRA:-}"
if [ "$(cat "$folder/.requirements" 2>/dev/null)" != "$wanted" ]; then
  echo "installing what runs notebooks into build/notebooks"
  rm -rf "$folder"
  # shellcheck disable=SC2086  # names of packages
  "$python" -m pip install -q --disable-pip-version-check --root-user-action=ignore --target "$folder" \
    -r scripts/requirements-notebooks.txt ${EXTRA:-}
  printf '%s' "$wanted" >"$folder/.requirements"
fi
# The kernel is this interpreter: its description in the folder names no other.
PATH=$root/build/bin:$(dirname "$python"):$PATH PYTHONPATH=$folder JUPYTER_PATH=$folder/share/jupyter \
  IPYTHONDIR=$folder/ipython exec "$python" scripts/notebooks/run.py "$@"
