"""Compiles kernels of TileLang for the CPU into a library with the C ABI, and runs them on NumPy's arrays.

Usage: tilelang_kernels.py FOLDER

Writes kernels.so, and for the Go program in ./kernels arguments and results: logits.bin, mask.bin, probabilities.bin,
left.bin, right.bin and product.bin. TileLang 0.1.15 lowers a kernel for the target "c", but does not build a library of
it: its code for the host calls a function that its own generator does not know. Here that call becomes one of an
external function, and a C compiler puts both sources together.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import tilelang
import tilelang.language as T  # noqa: N812  # the name that its users give it
import tvm_ffi
from tilelang import tvm
from tvm import tirx

WORDS = 1000
MASK = (WORDS + 31) // 32
LOWEST = -3.0e38

rows = T.dynamic("rows")


@T.prim_func
def masked_softmax(
    logits: T.Tensor((rows, WORDS), "float32"),
    mask: T.Tensor((rows, MASK), "int32"),
    out: T.Tensor((rows, WORDS), "float32"),
):
    """Make probabilities of logits; a token whose bit in the mask is not set gets 0."""
    with T.Kernel(rows) as row:
        top = T.alloc_local((1,), "float32")
        total = T.alloc_local((1,), "float32")
        top[0] = LOWEST
        total[0] = 0.0
        for i in T.serial(WORDS):
            if ((mask[row, i // 32] >> (i % 32)) & 1) != 0:
                top[0] = T.max(top[0], logits[row, i])
        for i in T.serial(WORDS):
            if ((mask[row, i // 32] >> (i % 32)) & 1) != 0:
                out[row, i] = T.exp(logits[row, i] - top[0])
                total[0] += out[row, i]
            else:
                out[row, i] = 0.0
        for i in T.serial(WORDS):
            out[row, i] = out[row, i] / total[0]


@T.prim_func
def product(
    left: T.Tensor((128, 64), "float32"),
    right: T.Tensor((64, 96), "float32"),
    out: T.Tensor((128, 96), "float32"),
):
    """Multiply matrices, tile by tile."""
    with T.Kernel(3, 4) as (x, y):
        a = T.alloc_local((32, 32), "float32")
        b = T.alloc_local((32, 32), "float32")
        c = T.alloc_local((32, 32), "float32")
        T.clear(c)
        for k in T.serial(2):
            T.copy(left[y * 32, k * 32], a)
            T.copy(right[k * 32, x * 32], b)
            for i, j, m in T.grid(32, 32, 32):
                c[i, j] += a[i, m] * b[m, j]
        T.copy(c, out[y * 32, x * 32])


def external(node: Any) -> Any:
    """Return a call of an external function for the call of a function of another module, None for another node."""
    if isinstance(node.op, tvm.ir.GlobalVar):
        return tirx.call_extern("int32", node.op.name_hint, *node.args)
    return None


def sources(kernel: Any) -> tuple[str, str]:
    """Return the source of a kernel in C++, and in C that of the function with the C ABI which calls it."""
    lower = sys.modules["tilelang.engine.lower"]
    context = lower.create_backend_context("c", "c", "auto")
    with context.target:
        host, device, *_ = lower.lower_to_host_device_ir(kernel, context)
        for name, function in list(host.functions.items()):
            body = tirx.stmt_functor.ir_transform(function.body, None, external, ["tirx.Call"])
            host.update_func(name, function.with_body(body))
        code = lower.device_codegen_without_compile(device, context).inspect_source()
        return str(code), str(lower.host_codegen(host, context).inspect_source())


def build(folder: Path, *kernels: Any) -> Path:
    """Compile kernels into one library and return its path."""
    root = Path(tilelang.__file__).parent
    headers = [tvm_ffi.libinfo.find_include_path(), tvm_ffi.libinfo.find_dlpack_include_path()]
    headers += [str(root / "src"), str(root / "3rdparty" / "tvm" / "include")]
    flags = ["-O2", "-fPIC", *(f"-I{header}" for header in headers)]
    objects = []
    for kernel in kernels:
        name = str(kernel.attrs["global_symbol"])
        code, host = sources(kernel)
        # The source of each kernel defines the library's context, and a main function of the library.
        host = host.replace("void* __tvm_ffi__library_ctx", "__attribute__((weak)) void* __tvm_ffi__library_ctx")
        host = host.replace("int32_t __tvm_ffi_main(", f"static __attribute__((unused)) int32_t main_of_{name}(")
        files = ((".cc", code, ["g++", "-std=c++17"]), (".c", host, ["gcc", "-w", "-fpermissive"]))
        for suffix, text, compiler in files:
            source = folder / (name + suffix)
            source.write_text(text)
            objects.append(str(source) + ".o")
            subprocess.run([*compiler, *flags, "-c", str(source), "-o", objects[-1]], check=True)
    library = folder / "kernels.so"
    subprocess.run(["g++", "-shared", *objects, "-o", str(library)], check=True)
    return library


def main(folder: Path) -> int:
    """Do what the module's documentation says."""
    library = tvm_ffi.load_module(str(build(folder, masked_softmax, product)))
    random = np.random.default_rng(7)
    logits = random.standard_normal((3, WORDS), dtype=np.float32)
    mask = random.integers(-(2**31), 2**31, (3, MASK), dtype=np.int32)
    probabilities = np.zeros_like(logits)
    library["masked_softmax"](*map(tvm_ffi.from_dlpack, (logits, mask, probabilities)))
    allowed = np.unpackbits(mask.view(np.uint8), axis=1, bitorder="little")[:, :WORDS].astype(bool)
    wanted = np.where(allowed, np.exp(logits - np.where(allowed, logits, LOWEST).max(axis=1, keepdims=True)), 0)
    np.testing.assert_allclose(probabilities, wanted / wanted.sum(axis=1, keepdims=True), rtol=1e-4)
    left = random.standard_normal((128, 64), dtype=np.float32)
    right = random.standard_normal((64, 96), dtype=np.float32)
    out = np.zeros((128, 96), dtype=np.float32)
    library["product"](*map(tvm_ffi.from_dlpack, (left, right, out)))
    np.testing.assert_allclose(out, left @ right, rtol=1e-3, atol=1e-4)
    arrays = {"logits": logits, "mask": mask, "probabilities": probabilities}
    for name, array in {**arrays, "left": left, "right": right, "product": out}.items():
        array.tofile(folder / f"{name}.bin")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
