#!/bin/sh
# Runs the tests with tensors on a GPU and times calls with them, where PyTorch sees a GPU of NVIDIA; else says why not.
#
#   PYTHON   an interpreter with PyTorch, pytest, this package and the published one (default: build/venv/bin/python)
#   SELFSAME_TEST_PACKAGES   a folder with the packages of Go that the tests need, for a machine without Go
#
# Usage: scripts/gpu.sh [ARGUMENTS-OF-PYTEST...]
set -u
cd "$(dirname "$0")/.."
python=${PYTHON:-build/venv/bin/python}
why=$("$python" -c '
try:
    import torch
except ImportError as error:
    print(f"PyTorch cannot be imported: {error}")
else:
    if not torch.cuda.is_available():
        print("PyTorch sees no GPU")
    elif torch.version.cuda is None:
        print("the GPU is none of NVIDIA")
' 2>&1) || why="$python does not run: $why"
if [ -n "$why" ]; then
  echo "gpu: nothing was run: $why" >&2
  exit 0
fi
status=0
"$python" -m pytest -v -rs --tb=short "$@" python/tests/tensors/gpu || status=$?
if "$python" -c 'import rich, tvm_ffi' 2>/dev/null; then
  library=$("$python" -c '
import pathlib, sys
sys.path.insert(0, "python/tests/support")
import cuda_build
print(cuda_build.build(pathlib.Path("bench/python/bench_gpu.cu").resolve()))') && "$python" bench/python/gpu.py "$library" || status=$?
else
  echo "gpu: calls are not timed: needs rich and the published apache-tvm-ffi" >&2
fi
exit "$status"
