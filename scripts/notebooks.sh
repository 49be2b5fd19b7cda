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
# shellcheck disable=SC2086  # names of packages
"$python" -m scripts.tools.environments folder "$folder" scripts/requirements-notebooks.txt ${EXTRA:-}
# The kernel is this interpreter: its description in the folder names no other.
PATH=$root/build/bin:$(dirname "$python"):$PATH PYTHONPATH=$folder JUPYTER_PATH=$folder/share/jupyter \
  IPYTHONDIR=$folder/ipython exec "$python" scripts/notebooks/run.py "$@"
