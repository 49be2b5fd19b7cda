"""TileLang: kernels written in Python, to TIR and to the source of several targets (no device is needed for that)."""

from __future__ import annotations

from typing import Any, Callable

import tilelang
import tilelang.language as T  # noqa: N812  # the name that its users give it
import tvm_ffi
from operations import Step, operation
from tilelang import tvm

AMPERE = {"kind": "cuda", "arch": "sm_80"}
HOPPER = {"kind": "cuda", "arch": "sm_90"}


def gemm(size: int = 256, stages: int = 2, dtype: str = "float16") -> Any:
    """Return a product of matrices in tiles."""

    @T.prim_func
    def main(
        A: T.Tensor((size, size), dtype),
        B: T.Tensor((size, size), dtype),
        C: T.Tensor((size, size), dtype),
    ):
        with T.Kernel(size // 64, size // 64, threads=128) as (bx, by):
            a = T.alloc_shared((64, 32), dtype)
            b = T.alloc_shared((32, 64), dtype)
            c = T.alloc_fragment((64, 64), "float32")
            T.clear(c)
            for k in T.Pipelined(size // 32, num_stages=stages):
                T.copy(A[by * 64, k * 32], a)
                T.copy(B[k * 32, bx * 64], b)
                T.gemm(a, b, c)
            T.copy(c, C[by * 64, bx * 64])

    return main


def add(size: int = 1024) -> Any:
    """Return a sum of vectors."""

    @T.prim_func
    def main(A: T.Tensor((size,), "float32"), B: T.Tensor((size,), "float32"), C: T.Tensor((size,), "float32")):
        with T.Kernel(size // 256, threads=256) as bx:
            for i in T.Parallel(256):
                C[bx * 256 + i] = A[bx * 256 + i] + B[bx * 256 + i]

    return main


def softmax(rows: int = 64, columns: int = 256) -> Any:
    """Return a softmax of the rows of a matrix."""

    @T.prim_func
    def main(A: T.Tensor((rows, columns), "float32"), B: T.Tensor((rows, columns), "float32")):
        with T.Kernel(rows // 16, threads=128) as bx:
            a = T.alloc_fragment((16, columns), "float32")
            top = T.alloc_fragment((16,), "float32")
            total = T.alloc_fragment((16,), "float32")
            T.copy(A[bx * 16, 0], a)
            T.reduce_max(a, top, dim=1)
            for i, j in T.Parallel(16, columns):
                a[i, j] = T.exp(a[i, j] - top[i])
            T.reduce_sum(a, total, dim=1)
            for i, j in T.Parallel(16, columns):
                a[i, j] = a[i, j] / total[i]
            T.copy(a, B[bx * 16, 0])

    return main


def transpose(size: int = 128) -> Any:
    """Return a transposition through shared memory."""

    @T.prim_func
    def main(A: T.Tensor((size, size), "float32"), B: T.Tensor((size, size), "float32")):
        with T.Kernel(size // 32, size // 32, threads=128) as (bx, by):
            tile = T.alloc_shared((32, 32), "float32")
            T.copy(A[by * 32, bx * 32], tile)
            for i, j in T.Parallel(32, 32):
                B[bx * 32 + i, by * 32 + j] = tile[j, i]

    return main


def serial(size: int = 64) -> Any:
    """Return a loop for a CPU."""

    @T.prim_func
    def main(A: T.Tensor((size, size), "float32"), B: T.Tensor((size,), "float32")):
        with T.Kernel(1) as _:
            for i in T.serial(size):
                B[i] = 0.0
                for j in T.serial(size):
                    B[i] = B[i] + A[i, j] * 2.0

    return main


KERNELS: dict[str, Callable[[], Any]] = {"gemm": gemm, "add": add, "softmax": softmax, "transpose": transpose}


def source_of(kernel: Any, target: Any) -> str:
    """Return the source of a kernel for a target."""
    with tvm.target.Target(target):
        return str(tilelang.lower(kernel, target=target, enable_device_compile=False).kernel_source)


def copied(value: Any) -> Any:
    """Return a value with the same structure and other objects."""
    return tvm.ir.load_json(tvm.ir.save_json(value))


def register(name: str, make: Callable[[], Any]) -> None:
    """Put the operations on a kernel into the list."""

    @operation(f"{name}: from Python")
    def _() -> Step:
        return lambda: make().script()

    @operation(f"{name}: source for sm_80")
    def _() -> Step:
        kernel = make()
        return lambda: source_of(kernel, AMPERE)

    @operation(f"{name}: structural_equal")
    def _() -> Step:
        kernel = make()
        other = make()
        return lambda: tvm_ffi.structural_equal(kernel, other)

    @operation(f"{name}: structural_hash")
    def _() -> Step:
        kernel = make()
        return lambda: tvm_ffi.structural_hash(kernel)

    @operation(f"{name}: JSON round trip")
    def _() -> Step:
        kernel = make()
        return lambda: copied(kernel).script()


for _name, _make in KERNELS.items():
    register(_name, _make)


@operation("gemm: source for sm_90")
def _() -> Step:
    kernel = gemm()
    return lambda: source_of(kernel, HOPPER)


@operation("gemm, three stages: source for sm_80")
def _() -> Step:
    kernel = gemm(512, 3)
    return lambda: source_of(kernel, AMPERE)


@operation("gemm in bfloat16: source for sm_80")
def _() -> Step:
    kernel = gemm(256, 2, "bfloat16")
    return lambda: source_of(kernel, AMPERE)


@operation("serial: C source")
def _() -> Step:
    kernel = serial()
    return lambda: source_of(kernel, "c")


@operation("an error in a kernel")
def _() -> Step:
    kernel = gemm()

    def step() -> str:
        try:
            tilelang.lower(kernel, target="no such target")
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return "no error"

    return step


@operation("first structural mismatch")
def _() -> Step:
    a, b = gemm(256, 2), gemm(256, 3)
    return lambda: str(tvm_ffi.get_first_structural_mismatch(a, b))
