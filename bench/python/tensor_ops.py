"""Times calls with tensors of one peer, on request; tensors.py runs it.

Usage: tensor_ops.py selfsame|tvm_ffi|nanobind|pybind11|floor FOLDER_OF_THE_BUILT_EXTENSIONS

Serves as ops.py does. Without PyTorch or JAX there are no operations with their tensors.
"""

import ctypes
import importlib
import os
import sys

import argument_ops
import numpy as np
from ops import Operation, keep_a_thread, serve

try:
    import torch
except ImportError:
    torch = None
try:
    import jax
except ImportError:
    jax = None

NUMBER = 10_000
COUNTS = (1, 3, 8)
PLURAL = {1: "1 argument", 3: "3 arguments", 8: "8 arguments"}


def calls(label: str, functions: dict, make) -> dict:
    """Calls with one, three and eight different tensors."""
    made = {}
    for count in COUNTS:
        names = {f"t{i}": make() for i in range(count)}
        call = f"f({', '.join(names)})"
        number = NUMBER // 10 if label.startswith("JAX") else NUMBER
        made[f"{label}, {PLURAL[count]}"] = Operation(call, number, f=functions[count], **names)
    return made


def array():
    """A small array of NumPy."""
    return np.zeros((16, 16), "float32")


def tensor():
    """A small tensor of PyTorch."""
    return torch.zeros(16, 16)


def jax_array():
    """A small array of JAX, whose memory is there."""
    return jax.numpy.zeros((16, 16)).block_until_ready()


def through_jax(ffi) -> dict:
    """Calls that JAX makes through jax-tvm-ffi, which finds `ffi` under the name tvm_ffi."""
    try:
        jax_tvm_ffi = importlib.import_module("jax_tvm_ffi")
    except ImportError:
        return {}
    made = {}
    functions = {"a C++ kernel": ffi.get_global_func("bench.view2"), "a callback": ffi.convert(lambda a, b: None)}
    for i, (label, function) in enumerate(functions.items()):
        jax_tvm_ffi.register_ffi_target(f"bench{i}", function)
        x = jax_array()
        call = jax.jit(jax.ffi.ffi_call(f"bench{i}", jax.ShapeDtypeStruct(x.shape, x.dtype)))
        made[f"jax-tvm-ffi, jitted, {label}"] = Operation("f(x).block_until_ready()", NUMBER // 100, f=call, x=x)
    return made


def of_go(name: str, views: dict, tensors: dict) -> dict:
    """Kernels in Go beside the published package's calls of the same kernels in C++."""
    if name == "selfsame":
        get = importlib.import_module("selfsame_ffi").get_global_func
        importlib.import_module("gocalls")
        views = {count: get(f"gocalls.view{count}") for count in COUNTS}
        tensors = {count: get(f"gocalls.tensor{count}") for count in COUNTS}
    made = calls("NumPy to a kernel in Go, lent", views, array)
    made.update(calls("NumPy to a kernel in Go, as a Tensor", tensors, array))
    if torch is not None:
        made.update(calls("PyTorch to a kernel in Go, lent", views, tensor))
        made.update(calls("PyTorch to a kernel in Go, as a Tensor", tensors, tensor))
    return made


def of_ffi(name: str, folder: str) -> dict:
    """The operations of stock tvm_ffi and selfsame."""
    ffi = importlib.import_module("selfsame_ffi" if name == "selfsame" else name)
    if name == "selfsame":
        ffi.install_as_tvm_ffi()
    ctypes.CDLL(os.path.join(folder, "libbench_tensors.so"))
    get = ffi.get_global_func
    views = {count: get(f"bench.view{count}") for count in COUNTS}
    tensors = {count: get(f"bench.tensor{count}") for count in COUNTS}
    callback = ffi.convert(lambda a, b: None)
    known = {"a": ffi.from_dlpack(array()), "b": ffi.from_dlpack(array()), "f": callback, "n": 1000}
    made = {**argument_ops.calls(ffi), **argument_ops.values(ffi)}
    if torch is not None:
        made.update(calls("PyTorch to TensorView", views, tensor))
        made.update(calls("PyTorch to Tensor", tensors, tensor))
        names = {"x": tensor(), "items": [tensor() for _ in range(3)]}
        made["PyTorch there and back"] = Operation("f(x)", NUMBER, f=get("bench.same_tensor"), **names)
        made["PyTorch in, a new tensor back"] = Operation("f(x)", NUMBER, f=get("bench.fresh_tensor"), **names)
        made["a list of 3 of PyTorch"] = Operation("f(items)", NUMBER, f=get("bench.list"), **names)
        made["from_dlpack of PyTorch"] = Operation("f(x)", NUMBER, f=ffi.from_dlpack, **names)
        made["torch.from_dlpack of an own Tensor"] = Operation("f(x)", NUMBER // 10, f=torch.from_dlpack, x=known["a"])
        there = Operation("f(g(x))", NUMBER // 10, f=torch.from_dlpack, g=ffi.from_dlpack, x=names["x"])
        made["PyTorch, from_dlpack and torch.from_dlpack"] = there
    made.update(calls("NumPy to TensorView", views, array))
    made["from_dlpack of NumPy"] = Operation("f(x)", NUMBER, f=ffi.from_dlpack, x=array())
    made["np.from_dlpack of an own Tensor"] = Operation("f(x)", NUMBER, f=np.from_dlpack, x=known["a"])
    if jax is not None:
        made.update(calls("JAX to TensorView", views, jax_array))
        made["from_dlpack of JAX"] = Operation("f(x)", NUMBER // 10, f=ffi.from_dlpack, x=jax_array())
        made.update(through_jax(ffi))
    made.update(of_go(name, views, tensors))
    made.update(calls("own Tensor to Tensor", tensors, lambda: ffi.from_dlpack(array())))
    fresh = Operation("call(n, f)", 10, 1000, call=get("bench.call_with_fresh"), **known)
    made["callback with 2 new Tensors"] = fresh
    made["callback with 2 known Tensors"] = Operation(
        "call(n, a, b, f)", 10, 1000, call=get("bench.call_with_known"), **known
    )
    return made


def of_nanobind(ext) -> dict:
    """nb::ndarray, which is a view."""
    functions = {count: getattr(ext, f"view{count}") for count in COUNTS}
    made = calls("NumPy to TensorView", functions, array)
    if jax is not None:
        made.update(calls("JAX to TensorView", functions, jax_array))
    if torch is not None:
        made.update(calls("PyTorch to TensorView", functions, tensor))
        made["PyTorch there and back"] = Operation("f(x)", NUMBER, f=ext.same_tensor, x=tensor())
        made["PyTorch in, a new tensor back"] = Operation("f(x)", NUMBER, f=ext.fresh_tensor, x=tensor())
    return made


def of_pybind11(ext) -> dict:
    """py::array_t."""
    return calls("NumPy to TensorView", {count: getattr(ext, f"view{count}") for count in COUNTS}, array)


def jitted_alone() -> dict:
    """What JAX takes to call jitted code that needs no other package."""
    call = {} if jax is None else {"f": jax.jit(lambda x: x + 1), "x": jax_array()}
    names = ("jax-tvm-ffi, jitted, a C++ kernel", "jax-tvm-ffi, jitted, a callback")
    return {name: Operation("f(x).block_until_ready()", NUMBER // 100, **call) for name in names if call}


def of_floor_abi(ext) -> dict:
    """The functions of the protocol, and a call by the rules of the ABI without the GIL."""
    if torch is None:
        return {}
    ext.use(torch.Tensor)
    return calls("PyTorch to TensorView", dict.fromkeys(COUNTS, ext.view_released), tensor)


def of_floor(ext) -> dict:
    """The functions of the protocol alone, and with a bare crossing into Go."""
    arguments = argument_ops.of_floor(ext)
    arguments["np.from_dlpack of an own Tensor"] = Operation("f(x)", NUMBER, f=np.from_dlpack, x=ext.Exporter())
    if torch is None:
        return {**arguments, **jitted_alone()}
    ext.use(torch.Tensor)
    importlib.import_module("gocalls")
    ext.set_into_go(importlib.import_module("selfsame_ffi").get_global_func("gocalls.bare_address")())
    made = calls("PyTorch to TensorView", dict.fromkeys(COUNTS, ext.view), tensor)
    made.update(calls("PyTorch to Tensor", dict.fromkeys(COUNTS, ext.view), tensor))
    for label in ("lent", "as a Tensor"):
        made.update(calls(f"PyTorch to a kernel in Go, {label}", dict.fromkeys(COUNTS, ext.view_in_go), tensor))
    made["PyTorch there and back"] = Operation("f(x)", NUMBER, f=ext.view, x=tensor())
    made["PyTorch in, a new tensor back"] = Operation("f(x)", NUMBER, f=ext.fresh, x=tensor())
    made["from_dlpack of PyTorch"] = Operation("f(x)", NUMBER, f=ext.own, x=tensor())
    return {**arguments, **made, **jitted_alone()}


def main() -> None:
    """Serves requests until the input ends."""
    peer, folder = sys.argv[1:3]
    keep_a_thread()
    sys.path.insert(0, folder)
    if peer in ("selfsame", "tvm_ffi"):
        serve(of_ffi(peer, folder))
        return
    ext = importlib.import_module(f"tensors_{peer.partition('-')[0]}_ext")
    made = {"nanobind": of_nanobind, "pybind11": of_pybind11, "floor": of_floor, "floor-abi": of_floor_abi}
    serve(made[peer](ext))


if __name__ == "__main__":
    main()
