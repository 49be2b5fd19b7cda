#!/bin/sh
# Forks under load, and programs that load first and fork then. PyTorch is installed from PyPI into build/forks, once;
# where it does not install, its data loader is left out, with a message.
#
#   SELFSAME_FORKS   how many forks under load (default 1000)
#
# Usage: scripts/forks.sh
set -eu
cd "$(dirname "$0")/.."
python=build/venv/bin/python
folder=build/forks
$python -m scripts.tools.environments folder "$folder/torch" torch numpy ||
  echo "torch does not install here, so that its data loader is left out"
export SELFSAME_FORKS="${SELFSAME_FORKS:-1000}"
$python -m pytest -q -rs python/tests/fork/test_fork.py python/tests/fork/test_fork_packages.py \
  python/tests/fork/test_fork_runtime.py
PYTHONPATH="$folder/torch" exec $python -m pytest -q -rs python/tests/fork/test_fork_servers.py
