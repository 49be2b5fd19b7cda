"""Times calls of one peer with PyTorch's tensors on a GPU, on request; gpu.py runs it.

Usage: gpu_ops.py selfsame|tvm_ffi LIBRARY      LIBRARY: bench_gpu.cu, built

Serves as ops.py does.
"""

import importlib
import sys

import torch
from ops import Operation, keep_a_thread, serve

NUMBER = 10_000
COUNTS = (1, 3, 8)


class Synchronized(Operation):
    """An operation that begins and ends with an idle GPU."""

    def measure(self) -> float:
        """Nanoseconds per operation."""
        torch.cuda.synchronize()
        took = super().measure()
        torch.cuda.synchronize()
        return took


def calls(label: str, module, stem: str) -> dict:
    """Calls with one, three and eight different tensors."""
    made = {}
    for count in COUNTS:
        names = {f"t{i}": torch.zeros(16, 16, device="cuda") for i in range(count)}
        plural = "argument" if count == 1 else "arguments"
        function = getattr(module, f"{stem}{count}")
        number = NUMBER if stem == "view" else 500  # fewer than the GPU's queue holds
        made[f"{label}, {count} {plural}"] = Synchronized(f"f({', '.join(names)})", number, f=function, **names)
    return made


def main() -> None:
    """Serves requests until the input ends."""
    peer, library = sys.argv[1:3]
    ffi = importlib.import_module("selfsame_ffi" if peer == "selfsame" else peer)
    module = ffi.load_module(library)
    keep_a_thread()
    x = torch.zeros(16, 16, device="cuda")
    items = [torch.zeros(16, 16, device="cuda") for _ in range(3)]
    made = calls("a call without a launch", module, "view")
    made.update(calls("a call with a launch", module, "launch"))
    made["a launch in C++ alone"] = Synchronized("f(x, 500)", 1, 500, f=module.launches, x=x)
    made["a tensor there and back"] = Synchronized("f(x)", NUMBER, f=module.same, x=x)
    made["a new tensor back"] = Synchronized("f(x)", NUMBER, f=module.fresh, x=x)
    made["a list of 3 tensors"] = Synchronized("f(items)", NUMBER, f=module.list, items=items)
    made["from_dlpack"] = Synchronized("f(x)", NUMBER, f=ffi.from_dlpack, x=x)
    serve(made)


if __name__ == "__main__":
    main()
