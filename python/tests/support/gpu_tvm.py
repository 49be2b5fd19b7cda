"""What kernels that Apache TVM compiled give with PyTorch's tensors on a GPU, as JSON: the same on both packages.

Usage: gpu_tvm.py build FOLDER ARCH                  writes the compiled programs, for sm_90 say (needs TVM's compiler)
       gpu_tvm.py tvm_ffi|selfsame_ffi FOLDER        runs them, with that package under the name tvm_ffi

What was written on a machine without a GPU has CUDA source in it, which nvcc compiles when it is run.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import gpu_kernels
from gpu_kernels import kind


def build(folder: Path, arch: str) -> None:
    """Write kernels.so, with functions of tensors, and machine.so, with a virtual machine of Relax, to a folder."""
    import tvm
    import tvm.support.nvcc  # registers what compiles CUDA sources  # noqa: F401
    from tvm import relax, te, tirx
    from tvm.s_tir import dlight

    limits = {"max_threads_per_block": 1024, "max_num_threads": 1024, "max_shared_memory_per_block": 49152}
    target = tvm.target.Target({"kind": "cuda", "arch": arch, "thread_warp_size": 32, **limits}, host="llvm")
    n = tirx.Var("n", "int64")
    x, y = (te.placeholder((n,), "float32", name) for name in "xy")
    total = te.compute((n,), lambda i: x[i] + y[i], "total")
    square = te.placeholder((4, 8), "float32", "square")
    doubled = te.compute((4, 8), lambda i, j: square[i, j] * 2.0, "doubled")
    functions = {"add": te.create_prim_func([x, y, total]), "double": te.create_prim_func([square, doubled])}
    module = tvm.IRModule({name: made.with_attr("global_symbol", name) for name, made in functions.items()})
    with target:
        module = dlight.ApplyDefaultSchedule(dlight.gpu.Fallback())(module)
        tvm.compile(module, target).export_library(str(folder / "kernels.so"))

    builder = relax.BlockBuilder()
    kind = relax.TensorType((tirx.Var("rows", "int64"), 8), "float32")

    def given() -> relax.Var:
        return relax.Var("given", kind)

    with builder.function("softmax", [x := given()]):
        builder.emit_func_output(builder.emit(relax.op.nn.softmax(x, axis=-1)))
    with builder.function("both", [x := given()]):
        grown = builder.emit(relax.op.add(x, relax.const(1.0, "float32")))
        builder.emit_func_output(builder.emit(relax.Tuple([grown, builder.emit(relax.op.nn.relu(x))])))
    with builder.function("through", [x := given()]):
        changed = builder.emit(relax.Call(relax.ExternFunc("gpu_tvm.changed"), [x], ty_args=[kind]))
        builder.emit_func_output(builder.emit(relax.op.nn.relu(changed)))
    with target:
        tvm.compile(builder.get(), target).export_library(str(folder / "machine.so"))


def machine_code(source: str) -> bytes:
    """Return what nvcc makes of a CUDA source for the GPU of this machine."""
    with tempfile.TemporaryDirectory() as folder:
        text, code = Path(folder) / "kernels.cu", Path(folder) / "kernels.fatbin"
        text.write_text(source)
        subprocess.run(["nvcc", "-fatbin", "-arch=native", "-O3", str(text), "-o", str(code)], check=True)
        return code.read_bytes()


def vector(torch, count: int = 1000):
    return gpu_kernels.vector(torch, count)


def matrix(torch, rows: int = 4):
    return vector(torch, rows * 8).reshape(rows, 8) - 9


def call(run):
    x, out = vector(run.torch), run.torch.zeros(1000, device="cuda")
    run.add(x, x, out)
    return out.sum().item()


def views(run):
    """Parts of a tensor that begin where TVM's code expects it, at a multiple of 64 bytes."""
    x, out = vector(run.torch), run.torch.zeros(10, device="cuda")
    run.add(x[16:26], x[512:522], out)
    return out.tolist()


def lengths(run):
    found = []
    for count in (1, 0, 7, 1025, 100_000):
        x, out = vector(run.torch, count), run.torch.zeros(count, device="cuda")
        run.add(x, x, out)
        found.append(run.torch.equal(out, x + x))
    return found


def parameters(run):
    x = vector(run.torch).requires_grad_()
    out = run.torch.zeros(1000, device="cuda")
    run.add(x.detach(), run.torch.nn.Parameter(vector(run.torch)).detach(), out)
    return out.sum().item()


def on_a_stream(run):
    out = run.torch.zeros(1000, device="cuda")

    def call(x):
        run.add(x, x, out)
        return out

    return gpu_kernels.on_a_stream(run.torch, 1000, call)


def in_a_graph(run):
    """A captured call runs again with what the tensors hold then."""
    torch, graph = run.torch, run.torch.cuda.CUDAGraph()
    x, out = vector(torch), torch.zeros(1000, device="cuda")
    run.add(x, x, out)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        run.add(x, x, out)
        run.add(out, out, out)
    x.fill_(2)
    graph.replay()
    torch.cuda.synchronize()
    return out.sum().item()


def refused(run):
    """The classes of the errors: the compiled code checks its arguments, and a call that is refused changes nothing."""
    torch, good = run.torch, matrix(run.torch)
    out = torch.zeros(4, 8, device="cuda")
    wrong = (good.cpu(), good.double(), good[:2], matrix(torch, 8)[::2], good.t(), 3, None, [good])
    found = gpu_kernels.refusals(lambda value: run.double(value, out), *wrong)
    torch.cuda.synchronize()
    run.double(matrix(torch), out)
    return [found, out.sum().item()]


def machine(run):
    """A virtual machine of Relax takes and gives PyTorch's tensors, of several shapes."""
    found = []
    for rows in (1, 4, 33):
        given = matrix(run.torch, rows)
        got = run.machine["softmax"](given)
        right = run.torch.allclose(run.torch.from_dlpack(got), given.softmax(-1), atol=1e-6)
        found.append([kind(got), list(got.shape), right])
    return found


def tuple_of_tensors(run):
    given = matrix(run.torch)
    both = run.machine["both"](given)
    first, second = both
    right = [run.torch.equal(first, given + 1), run.torch.equal(second, given.relu())]
    return [kind(both), len(both), kind(first), right]


def chained(run):
    """What one program gives is what another takes."""
    given, out = matrix(run.torch), run.torch.zeros(4, 8, device="cuda")
    run.double(run.machine["both"](given)[1], out)
    return run.torch.equal(out, 2 * given.relu())


def through_python(run):
    """A compiled program calls a function of Python with a tensor on the GPU, which gives it another one."""
    given = matrix(run.torch)
    got = run.machine["through"](given)
    return [run.seen, run.torch.equal(run.torch.from_dlpack(got), (-given).relu())]


def own_tensors(run):
    """The package's own tensors, and TVM's, go the same way."""
    x, out = vector(run.torch), run.torch.zeros(1000, device="cuda")
    run.add(run.ffi.from_dlpack(x), run.ffi.from_dlpack(x), run.ffi.from_dlpack(out))
    theirs = run.tvm.runtime.empty((1000,), "float32", run.tvm.cuda(0))
    run.add(x, x, theirs)
    return [out.sum().item(), run.torch.from_dlpack(theirs).sum().item()]


def threads(run):
    """Four threads, each with a stream of its own."""
    import threading

    torch = run.torch
    found = [0.0] * 4

    def work(index):
        with torch.cuda.stream(torch.cuda.Stream()):
            x, out = vector(torch), torch.zeros(1000, device="cuda")
            for _ in range(50):
                run.add(x, out, out)
            found[index] = out.sum().item()

    working = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in working:
        thread.start()
    for thread in working:
        thread.join()
    return found


JOBS = {
    job.__name__: job
    for job in (call, views, lengths, parameters, on_a_stream, in_a_graph, refused, machine, tuple_of_tensors, chained)
    + (through_python, own_tensors, threads)
}


class Run:
    """What the jobs use."""

    def __init__(self, package: str, folder: Path) -> None:
        """Load the compiled programs with a package."""
        if package == "selfsame_ffi":
            import selfsame_ffi

            selfsame_ffi.install_as_tvm_ffi()
        import torch
        import tvm
        import tvm_ffi
        from tvm import libinfo
        from tvm.runtime import vm

        self.torch, self.tvm, self.ffi = torch, tvm, tvm_ffi
        if not tvm.cuda(0).exist:  # without its compiler TVM does not load this part by itself
            paths = libinfo.package_lib_paths()
            tvm_ffi.libinfo.load_lib_ctypes("tvm", "tvm_runtime_cuda", "RTLD_LOCAL", extra_lib_paths=paths)
        tvm_ffi.register_global_func("tvm_callback_cuda_compile", machine_code, override=True)
        tvm_ffi.register_global_func("gpu_tvm.changed", self.changed, override=True)
        self.seen: list = []  # what `changed` was given
        kernels = tvm_ffi.load_module(str(folder / "kernels.so"))
        self.add, self.double = kernels["add"], kernels["double"]
        self.machine = vm.VirtualMachine(tvm_ffi.load_module(str(folder / "machine.so")), tvm.cuda(0))

    def changed(self, given):
        """Return the negative of a tensor: the compiled program `through` calls it."""
        self.seen.append([kind(given), str(given.device), list(given.shape)])
        return self.ffi.from_dlpack(self.torch.from_dlpack(given) * -1)


def main(package: str, folder: str, arch: str = "") -> None:
    """Do what the module's documentation says."""
    if package == "build":
        return build(Path(folder), arch)
    gpu_kernels.print_results(JOBS, Run(package, Path(folder)))
    return None


if __name__ == "__main__":
    main(*sys.argv[1:])
