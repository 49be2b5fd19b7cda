"""Prints the time that each peer takes for a call with tensors, as a multiple of selfsame's.

Usage: tensors.py FOLDER_OF_THE_BUILT_EXTENSIONS

Measures as table.py does. PyTorch, JAX and jax-tvm-ffi take part where they are installed beside the bench. The rows of
kernels in Go have the published package's calls of the same kernels in C++ beside them.
"""

import importlib.util
import sys

from output import console, pin
from table import measure_starts, show

PEERS = ["selfsame", "tvm_ffi", "nanobind", "pybind11", "floor", "floor-abi"]


def main() -> None:
    """Prints the table."""
    folder = sys.argv[1]
    screen = console()
    pin()
    for module, name in (("torch", "PyTorch"), ("jax", "JAX"), ("jax_tvm_ffi", "jax-tvm-ffi")):
        if importlib.util.find_spec(module) is None:
            screen.print(f"{name} is not installed beside the bench: no rows with it")
    times = measure_starts(PEERS, folder, screen, "tensor_ops.py")
    show(screen, "Calls with tensors", "tensors", PEERS, times)


if __name__ == "__main__":
    main()
