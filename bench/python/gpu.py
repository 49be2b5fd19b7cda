"""Prints the time that calls with PyTorch's tensors on a GPU take with stock tvm_ffi, as a multiple of selfsame's.

Usage: gpu.py LIBRARY      LIBRARY: bench_gpu.cu, built

Measures as table.py does: processor time of the thread that calls, which does not wait for the GPU.
"""

import sys

import torch
from output import console, pin
from table import measure_starts, show

PEERS = ["selfsame", "tvm_ffi"]


def main() -> None:
    """Prints the table."""
    screen = console()
    pin()
    times = measure_starts(PEERS, sys.argv[1], screen, "gpu_ops.py")
    show(screen, f"Calls with tensors on {torch.cuda.get_device_name()}", "gpu", PEERS, times)


if __name__ == "__main__":
    main()
