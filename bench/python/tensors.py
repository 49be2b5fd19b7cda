"""Prints the time that each peer takes for a call with tensors, as a multiple of selfsame's.

Usage: tensors.py FOLDER_OF_THE_BUILT_EXTENSIONS

Measures as table.py does. Tensors of PyTorch take part where it is installed.
"""

import importlib.util
import sys

from output import console, pin
from table import measure_starts, show

PEERS = ["selfsame", "tvm_ffi", "nanobind", "pybind11", "floor"]


def main() -> None:
    """Prints the table."""
    folder = sys.argv[1]
    screen = console()
    pin()
    if importlib.util.find_spec("torch") is None:
        screen.print("PyTorch is not installed beside the bench: no rows with its tensors")
    times = measure_starts(PEERS, folder, screen, "tensor_ops.py")
    show(screen, "Calls with tensors", "tensors", PEERS, times)


if __name__ == "__main__":
    main()
