"""Measures one peer's operations and prints nanoseconds per operation as JSON.

python ops.py selfsame|tvm_ffi|floor|pybind11|nanobind FOLDER_OF_THE_BUILT_EXTENSIONS
"""

import ctypes
import importlib
import json
import os
import sys
import timeit

ROUNDS = 9
NUMBER = 100_000


def best(statement: str, number: int = NUMBER, **names) -> float:
    """The least time of several rounds: what the operation takes when nothing else disturbs."""
    empty = min(timeit.repeat("pass", number=number, repeat=3))
    return (min(timeit.repeat(statement, globals=names, number=number, repeat=ROUNDS)) - empty) / number * 1e9


def measure_ffi(name: str, folder: str) -> dict:
    """Stock tvm_ffi and selfsame: the same C++ library."""
    ffi = importlib.import_module(name)
    ctypes.CDLL(os.path.join(folder, "libbench_ffi.so"))

    @ffi.register_object("bench.Node")
    class Node(ffi.Object):
        __slots__ = ()

    get = ffi.get_global_func
    make, echo, echo_packed, call8 = (get("bench." + n) for n in ("make", "echo", "echo_packed", "call8"))
    a = make(make(None))
    out = {}
    held = a.x
    out["a.x, held"] = best("a.x", a=a)
    del held
    out["a.x, dropped and refetched"] = best("a.x", a=a)
    out["a.i"] = best("a.i", a=a)
    out["f(x)"] = best("f(a)", f=echo, a=a)
    out["f(x), packed"] = best("f(a)", f=echo_packed, a=a)
    out["make(x) and drop"] = best("make(a)", make=make, a=a)
    nodes = [make(None) for _ in range(8)]
    callback = ffi.convert(lambda a, b, c, d, e, f, g, h: None)
    array = ffi.convert(nodes)
    inner = 1000
    out["callback with 8 objects"] = (
        best("call8(callback, array, n)", 20, call8=call8, callback=callback, array=array, n=inner) / inner
    )
    ints = get("bench.ints")(1000)
    out["Array[i], int"] = best("a[500]", a=ints)
    out["Array[i], object held"] = best("a[5]", a=array)
    return out


def measure_ext(name: str, folder: str) -> dict:
    """Extension modules that know nothing of tvm-ffi."""
    sys.path.insert(0, folder)
    ext = importlib.import_module(name + "_ext")
    a = ext.make(ext.make(None))
    out = {}
    held = a.x
    out["a.x, held"] = best("a.x", a=a)
    del held
    out["a.x, dropped and refetched"] = best("a.fresh" if name == "floor" else "a.x", a=a)
    out["a.i"] = best("a.i", a=a)
    out["f(x)"] = best("f(a)", f=ext.echo, a=a)
    out["make(x) and drop"] = best("make(a)", make=ext.make, a=a)
    return out


if __name__ == "__main__":
    peer, where = sys.argv[1:3]
    print(json.dumps((measure_ffi if peer in ("selfsame", "tvm_ffi") else measure_ext)(peer, where)))
