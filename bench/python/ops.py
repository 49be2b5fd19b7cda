"""Times the operations of one peer, on request; table.py runs it.

Usage: ops.py selfsame|tvm_ffi|floor|pybind11|nanobind|pyo3|pyo3-arc|floor-abi|plain FOLDER_OF_THE_BUILT_EXTENSIONS

Prints the names of its operations as a JSON list. Then it reads names from standard input, one a line, runs that
operation for some milliseconds, and prints the average processor time of one operation in nanoseconds.
"""

import ctypes
import importlib
import json
import os
import sys
import threading
import time
from timeit import Timer

import plain_ops

NUMBER = 50_000
INTS = list(range(100))
ENTRIES = {f"key {i}": i for i in INTS}


class Operation:
    """A statement, each run of which does `per_run` operations.

    `hold` returns an object that is kept alive while the statement is timed. The time is the processor's, for this
    thread, which does all of an operation's work: what other programs use does not count.
    """

    def __init__(self, statement: str, number: int = NUMBER, per_run: int = 1, hold=None, **names):
        self.timer = Timer(statement, timer=time.thread_time, globals=names)
        self.empty = Timer("pass", timer=time.thread_time)
        self.number, self.per_run, self.hold = number, per_run, hold

    def measure(self) -> float:
        """Nanoseconds per operation, without the time of an empty loop."""
        held = self.hold and self.hold()
        took = self.timer.timeit(self.number) - self.empty.timeit(self.number)
        del held
        return took / self.number / self.per_run * 1e9


def load_ffi(name: str, folder: str):
    """Import stock tvm_ffi or selfsame_ffi, load the C++ library, and register a class for its objects."""
    ffi = importlib.import_module("selfsame_ffi" if name == "selfsame" else name)
    ctypes.CDLL(os.path.join(folder, "libbench_ffi.so"))

    @ffi.register_object("bench.Node")
    class Node(ffi.Object):
        __slots__ = ()

    return ffi


def of_ffi(name: str, folder: str) -> dict:
    """The operations of stock tvm_ffi and selfsame."""
    ffi = load_ffi(name, folder)
    get = ffi.get_global_func
    make, echo, echo_packed, call8 = (get("bench." + n) for n in ("make", "echo", "echo_packed", "call8"))
    keeps_gil, call8_kept, make_kept = (get(f"bench.{n}_kept") for n in ("echo", "call8", "make"))
    keeps_gil.release_gil = call8_kept.release_gil = make_kept.release_gil = False
    a = make(make(None))
    nodes = [make(None) for _ in range(8)]
    callback = ffi.convert(lambda a, b, c, d, e, f, g, h: None)
    array = ffi.convert(nodes)
    inner = 1000
    names = {"callback": callback, "array": array, "n": inner}
    eight = {"statement": "call8(callback, array, n)", "number": 20, "per_run": inner, "hold": lambda: nodes, **names}
    return {
        "a.x, held": Operation("a.x", hold=lambda: a.x, a=a),
        "a.x, dropped and refetched": Operation("a.x", a=a),
        "a.i": Operation("a.i", a=a),
        "f(x), GIL released": Operation("f(a)", f=echo, a=a),
        "f(x), GIL released, packed": Operation("f(a)", f=echo_packed, a=a),
        "f(x), GIL kept": Operation("f(a)", f=keeps_gil, a=a),
        "make(x) and drop, GIL released": Operation("make(a)", make=make, a=a),
        "make(x) and drop, GIL kept": Operation("make(a)", make=make_kept, a=a),
        "callback with 8 objects": Operation(call8=call8, **eight),
        "callback with 8 objects, GIL kept": Operation(call8=call8_kept, **eight),
        "Array[i], int": Operation("a[500]", a=get("bench.ints")(1000)),
        "Array[i], object held": Operation("a[5]", hold=lambda: nodes, a=array),
        "list of 100 ints, there and back": Operation("list(Array(x))", 1000, Array=ffi.Array, x=INTS),
        "dict of 100, there and back": Operation("dict(Map(x).items())", 500, Map=ffi.Map, x=ENTRIES),
        **plain_ops.of_ffi(Operation, ffi),
    }


def of_plain() -> dict:
    """The operations on Python's own objects, functions and containers.

    Its functions keep the GIL, and its objects have no wrapper to drop. Going there and back is a copy each way.
    """

    class Node:
        def __init__(self, x):
            self.x, self.i = x, 7

    def call8(callback, nodes, n):
        a, b, c, d, e, f, g, h = nodes
        for _ in range(n):
            callback(a, b, c, d, e, f, g, h)

    a = Node(Node(None))
    nodes = [Node(None) for _ in range(8)]
    inner = 1000
    names = {"callback": lambda a, b, c, d, e, f, g, h: None, "nodes": nodes, "n": inner}
    return {
        "a.x, held": Operation("a.x", a=a),
        "a.i": Operation("a.i", a=a),
        "f(x), GIL kept": Operation("f(a)", f=lambda x: x, a=a),
        "make(x) and drop, GIL kept": Operation("make(a)", make=Node, a=a),
        "callback with 8 objects, GIL kept": Operation("call8(callback, nodes, n)", 20, inner, call8=call8, **names),
        "Array[i], int": Operation("a[500]", a=list(range(1000))),
        "Array[i], object held": Operation("a[5]", a=nodes),
        "list of 100 ints, there and back": Operation("list(list(x))", 1000, x=INTS),
        "dict of 100, there and back": Operation("dict(dict(x))", 500, x=ENTRIES),
        **plain_ops.of_plain(Operation),
    }


def of_ext(name: str, folder: str) -> dict:
    """The operations of extension modules without tvm-ffi. "pyo3-arc": those of pyo3_ext whose names end in "_arc".

    "floor-abi": the floor where native objects have counts and functions are objects of their own.
    """
    sys.path.insert(0, folder)
    name, _, form = name.partition("-")
    ext = importlib.import_module(name + "_ext")

    def function(stem: str):
        return getattr(ext, f"{stem}_{form}" if form else stem)

    make = function("make")
    a = make(make(None))
    nodes = [make(None) for _ in range(8)]
    inner = 1000
    operations = {
        "a.x, held": Operation("a.x", hold=lambda: a.x, a=a),
        "a.x, dropped and refetched": Operation("a.fresh" if name == "floor" else "a.x", a=a),
        "a.i": Operation("a.i", a=a),
        "f(x), GIL kept": Operation("f(a)", f=function("echo"), a=a),
        "f(x), GIL released": Operation("f(a)", f=function("echo_released"), a=a),
        "make(x) and drop, GIL kept": Operation("make(a)", make=make, a=a),
        "callback with 8 objects, GIL kept": Operation(
            "call8(callback, nodes, n)",
            20,
            inner,
            call8=function("call8"),
            callback=lambda a, b, c, d, e, f, g, h: None,
            nodes=nodes,
            n=inner,
        ),
    }
    if name == "floor" and not form:
        operations["list of 100 ints, there and back"] = Operation("f(x)", 1000, f=ext.ints_there_and_back, x=INTS)
        operations["dict of 100, there and back"] = Operation("f(x)", 500, f=ext.entries_there_and_back, x=ENTRIES)
        operations.update(plain_ops.of_floor(Operation, ext))
    if hasattr(ext, "Eight") and not form:
        operations.update(plain_ops.of_ext(Operation, ext))
    return operations


def keep_a_thread() -> None:
    """Start a second thread, as most programs have.

    In a process with one thread glibc and libstdc++ leave out atomic operations. Programs that import NumPy, PyTorch or
    a Go package have threads, and without threads nobody would release the GIL.
    """
    threading.Thread(target=threading.Event().wait, daemon=True).start()


def serve(operations: dict) -> None:
    """Serve requests until the input ends."""
    print(json.dumps(list(operations)), flush=True)
    for line in sys.stdin:
        print(operations[line.strip()].measure(), flush=True)


def main() -> None:
    """Serves requests until the input ends."""
    peer, folder = sys.argv[1:3]
    keep_a_thread()
    if peer == "plain":
        serve(of_plain())
    else:
        serve((of_ffi if peer in ("selfsame", "tvm_ffi") else of_ext)(peer, folder))


if __name__ == "__main__":
    main()
