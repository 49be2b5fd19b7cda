"""The operations that fast_paths.py counts: those of the benchmarks, and those here, which only a fast path serves."""

from __future__ import annotations

import copy
import importlib
import profile as profiles  # the module beside this one
from typing import Any

from ops import Operation


def of_python(ffi) -> dict[str, Operation]:
    """Operations without Go code of users."""

    @ffi.dataclasses.py_class("bench.Point")
    class Declared(ffi.Object):
        x: int
        y: float

    @ffi.dataclasses.py_class("bench.Defaults")
    class Defaults(ffi.Object):
        x: int = 1
        y: float = 2.0

    @ffi.dataclasses.py_class("bench.Record")
    class Record(ffi.Object):
        number: int
        size: float
        name: str
        place: str
        done: bool
        rest: Any

    texts = ffi.Array([f"text number {i}" for i in range(100)])
    return {
        "Array of 100 texts, read": Operation("list(x)", x=texts),
        "object declared in Python, made by defaults": Operation("P()", P=Defaults),
        "object of 6 fields declared in Python, made": Operation("R(1, 2.0, 'a', 'b', True, None)", R=Record),
        "deepcopy of an Array of 100 objects declared in Python": Operation(
            "f(x)", f=copy.deepcopy, x=ffi.Array([Declared(i, 2.0) for i in range(100)])
        ),
        "what pickle asks of an Array": Operation("f(4)", f=ffi.Array([5]).__reduce_ex__),
        "copy of an object declared in Python": Operation("f(x)", f=copy.copy, x=Declared(1, 2.0)),
        "int field declared in Python, set": Operation("p.x = 5", p=Declared(1, 2.0)),
        "ffi.MapGetItem of 3 texts": Operation(
            "f(m, 'b')", f=ffi.get_global_func("ffi.MapGetItem"), m=ffi.Map({"a": 1, "b": 2, "c": 3})
        ),
    }


def of_go(get, gocalls) -> dict[str, Operation]:
    """Operations of the extension gocalls."""
    n, holder = 100, gocalls.Holder()
    ints = get("gocalls.array_of_ints")(n)
    numpy = importlib.import_module("numpy")
    texts = [f"text number {i}" for i in range(n)]
    return {
        "map of 100 texts to numbers": Operation("f.map(x)", f=gocalls.text_size, x=texts),
        "map of 100 texts to texts": Operation("f.map(x)", f=gocalls.shout, x=texts),
        "NumPy array of 100 floats in, lent": Operation("f(x)", f=get("gocalls.sum_lent"), x=numpy.arange(float(n))),
        "int field of a wrapped struct": Operation("m.limit", m=gocalls.Meter()),
        "int in an object of Go": Operation("7 in x", x=holder),
        "object made and released in Go": Operation("f(n)", per_run=n, f=get("gocalls.make_and_release"), n=n),
        "Array.At in Go": Operation("f(a, n)", per_run=n, f=get("gocalls.sum_at"), a=ints, n=n),
        "List.Append in Go": Operation("f(n)", per_run=n, f=get("gocalls.append_ints"), n=n),
        "list of 1,000 ints out, as an Array": Operation("f(1000)", f=get("gocalls.ints_out")),
        "callback with 2 arguments": Operation("f(g, n)", per_run=n, f=get("gocalls.each_two"), g=lambda a, b: b, n=n),
    }


def operations(folder: str, names: list[str]) -> dict[str, Operation]:
    """The operations of these names, made in this process. `folder` has the built extensions."""
    known = profiles.operations("selfsame", folder)
    ffi = importlib.import_module("selfsame_ffi")
    known.update(of_python(ffi))
    if not all(name in known for name in names):
        known.update({of: peers["selfsame"] for of, peers in profiles.go_operations(folder).items()})
        known.update(of_go(ffi.get_global_func, importlib.import_module("gocalls")))
    return {name: known[name] for name in names}
