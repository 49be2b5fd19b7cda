"""What kernels that TileLang compiles give with PyTorch's tensors on a GPU, as JSON: the same on both packages.

Usage: gpu_tilelang.py tvm_ffi|selfsame_ffi      runs them, with that package under the name tvm_ffi (needs nvcc)
"""

from __future__ import annotations

import sys

import gpu_kernels
from gpu_kernels import kind


def kernels(tilelang, T):  # noqa: N803  # the name that its users give it
    """Return TileLang's kernels by name, compiled."""

    @T.prim_func
    def add(
        a: T.Tensor((1024,), "float32"),
        b: T.Tensor((1024,), "float32"),
        c: T.Tensor((1024,), "float32"),
    ):
        with T.Kernel(4, threads=256) as block:
            for i in T.Parallel(256):
                c[block * 256 + i] = a[block * 256 + i] + b[block * 256 + i]

    @T.prim_func
    def product(
        a: T.Tensor((256, 256), "float16"),
        b: T.Tensor((256, 256), "float16"),
        c: T.Tensor((256, 256), "float16"),
    ):
        with T.Kernel(4, 4, threads=128) as (x, y):
            left = T.alloc_shared((64, 32), "float16")
            right = T.alloc_shared((32, 64), "float16")
            total = T.alloc_fragment((64, 64), "float32")
            T.clear(total)
            for k in T.Pipelined(8, num_stages=2):
                T.copy(a[y * 64, k * 32], left)
                T.copy(b[k * 32, x * 64], right)
                T.gemm(left, right, total)
            T.copy(total, c[y * 64, x * 64])

    rows = T.dynamic("rows")

    @T.prim_func
    def doubled(a: T.Tensor((rows, 64), "float32"), b: T.Tensor((rows, 64), "float32")):
        with T.Kernel(rows, threads=64) as row:
            for i in T.Parallel(64):
                b[row, i] = a[row, i] * 2.0

    def made(source, *results):
        return tilelang.compile(source, out_idx=list(results) or None, target="cuda", execution_backend="tvm_ffi")

    return {"add": made(add), "added": made(add, 2), "product": made(product, 2), "doubled": made(doubled, 1)}


def vector(torch, count: int = 1024):
    return gpu_kernels.vector(torch, count)


def out_argument(run):
    x, out = vector(run.torch), run.torch.zeros(1024, device="cuda")
    run.add(x, x, out)
    return out.sum().item()


def result(run):
    """The result's memory is that of PyTorch's allocator."""
    torch, x = run.torch, vector(run.torch)
    before = torch.cuda.memory_allocated()
    got = run.added(x, x)
    more = torch.cuda.memory_allocated() - before
    return [kind(got), list(got.shape), str(got.dtype), torch.equal(got, x + x), more]


def product(run):
    torch = run.torch
    torch.manual_seed(1)
    a, b = (torch.randn(256, 256, device="cuda").half() for _ in range(2))
    got = run.product(a, b)
    return [kind(got), str(got.dtype), torch.allclose(got.float(), a.float() @ b.float(), atol=0.1, rtol=0.02)]


def dynamic_shapes(run):
    found = []
    for rows in (1, 5, 200):
        given = vector(run.torch, rows * 64).reshape(rows, 64)
        got = run.doubled(given)
        found.append([list(got.shape), run.torch.equal(got, given * 2)])
    return found


def on_a_stream(run):
    return gpu_kernels.on_a_stream(run.torch, 1024, lambda x: run.added(x, x))


def in_a_graph(run):
    """A captured call runs again with what the tensors hold then; its result comes from the graph's memory."""
    torch, graph = run.torch, run.torch.cuda.CUDAGraph()
    x, out = vector(torch), torch.zeros(1024, device="cuda")
    run.add(x, x, out)
    run.added(x, x)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        run.add(x, x, out)
        more = run.added(out, out)
    x.fill_(2)
    graph.replay()
    torch.cuda.synchronize()
    return [out.sum().item(), more.sum().item()]


def refused(run):
    """The classes of the errors, and a call that works behind them."""
    torch, out = run.torch, run.torch.zeros(1024, device="cuda")
    x = vector(torch)
    wrong = (x.cpu(), x.double(), x[:512], vector(torch, 2048)[::2], x.reshape(32, 32), 3, [x])
    found = gpu_kernels.refusals(lambda value: run.add(value, x, out), *wrong)
    torch.cuda.synchronize()
    run.add(x, x, out)
    return [found, out.sum().item()]


def views(run):
    x, out = vector(run.torch, 4096), run.torch.zeros(1024, device="cuda")
    run.add(x[1024:2048], x[3072:], out)
    return out.sum().item()


def autograd(run):
    """A kernel inside a function of PyTorch's autograd."""
    torch = run.torch

    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(context, given):
            return run.doubled(given.detach())

        @staticmethod
        def backward(context, slope):
            return run.doubled(slope.contiguous())

    given = torch.ones(3, 64, device="cuda", requires_grad=True)
    Doubled.apply(given).sum().backward()
    return given.grad.sum().item()


JOBS = {
    job.__name__: job
    for job in (out_argument, result, product, dynamic_shapes, on_a_stream, in_a_graph, refused, views, autograd)
}


class Run:
    """What the jobs use."""

    def __init__(self, package: str) -> None:
        """Compile the kernels with a package."""
        if package == "selfsame_ffi":
            import selfsame_ffi

            selfsame_ffi.install_as_tvm_ffi()
        import tilelang
        import tilelang.language
        import torch

        tilelang.disable_cache()
        self.torch = torch
        vars(self).update(kernels(tilelang, tilelang.language))


def main(package: str) -> None:
    """Do what the module's documentation says."""
    gpu_kernels.print_results(JOBS, Run(package))


if __name__ == "__main__":
    main(*sys.argv[1:])
