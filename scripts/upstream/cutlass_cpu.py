"""A kernel author's host code with CUTLASS's Python package, compiled with --enable-tvm-ffi and run on the CPU.

dependents.py runs it on the published package and on ours, and compares what it prints. No GPU takes part: a function
without a kernel runs where it is called.

Usage: cutlass_cpu.py FOLDER...      (those with CUTLASS and PyTorch)
"""

import importlib
import site
import sys

for folder in sys.argv[1:]:
    site.addsitedir(folder)
importlib.import_module("tvm_ffi")
torch = importlib.import_module("torch")
cutlass = importlib.import_module("cutlass")
cute = importlib.import_module("cutlass.cute")
runtime = importlib.import_module("cutlass.cute.runtime")


@cute.jit
def scale(n: cutlass.Int32, x: cutlass.Float32):
    cute.printf("n={} x={}", n, x)


@cute.jit
def add(a: cute.Tensor, n: cutlass.Int32):
    a[0] = a[1] + a[2]


def compiled(function, *arguments):
    return cute.compile(function, *arguments, cutlass.Int32(1), options="--enable-tvm-ffi")


def show(function, *arguments) -> None:
    """Print what a call returns or raises."""
    try:
        print(function(*arguments), flush=True)
    except Exception as error:
        print(type(error).__name__, error, flush=True)


t = torch.arange(4, dtype=torch.float32)
scale = cute.compile(scale, cutlass.Int32(1), cutlass.Float32(2.0), options="--enable-tvm-ffi")
on_cpu = compiled(add, runtime.from_dlpack(t, enable_tvm_ffi=True))
on_gpu = compiled(add, runtime.make_fake_compact_tensor(cutlass.Float32, (4,)))
for arguments in ((3, 4.5), ("x", 1), (1,)):
    show(scale, *arguments)
for tensor in (t, t.double(), torch.zeros(5), torch.zeros(8)[::2], t.numpy(), None):
    show(on_cpu, tensor, 1)
    show(on_gpu, tensor, 1)
print(t)
