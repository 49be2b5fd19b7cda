"""The operations that fast_paths.py counts: those of the benchmarks, and those here, which only a fast path serves."""

from __future__ import annotations

import importlib
import profile as profiles  # the module beside this one

from ops import Operation


def of_python(ffi) -> dict[str, Operation]:
    """Operations without Go code of users."""
    get = ffi.get_global_func
    make, echo = get("bench.make"), get("bench.echo_packed")
    a = make(None)

    @ffi.dataclasses.py_class("bench.Point")
    class Declared(ffi.Object):
        x: int
        y: float

    @ffi.dataclasses.py_class("bench.Defaults")
    class Defaults(ffi.Object):
        x: int = 1
        y: float = 2.0

    class WithAttributes(Declared):
        pass

    point, stateful = Declared(1, 2.0), WithAttributes(1, 2.0)
    stateful.name = "an attribute"
    ints = ffi.Array(range(100))
    return {
        "f of 6 objects": Operation("f(a, a, a, a, a, a)", f=echo, a=a),
        "f of an object with attributes": Operation("f(p)", f=echo, p=stateful),
        "f of an int": Operation("f(7)", f=echo),
        "object declared in Python, made and dropped": Operation("P(1, 2.0)", P=Declared),
        "object declared in Python, made by keywords": Operation("P(x=1, y=2.0)", P=Declared),
        "object declared in Python, made by defaults": Operation("P()", P=Defaults),
        "int field declared in Python, set": Operation("p.x = 5", p=point),
        "float field declared in Python, set": Operation("p.y = 5.0", p=point),
        "field of an object declared in Python": Operation("p.y", p=point),
        "a.x, set": Operation("a.x = b", a=make(None), b=make(None)),
        "an int in an Array of 100": Operation("99 in x", x=ints),
        "list of 100 floats, there": Operation("A(x)", A=ffi.Array, x=[float(i) for i in range(100)]),
    }


def of_go(get, gocalls) -> dict[str, Operation]:
    """Operations of the extension gocalls."""
    n = 100
    ints = get("gocalls.array_of_ints")(n)
    numbers = importlib.import_module("selfsame_ffi").Map({f"key number {i}": i for i in range(n)})
    few = {"one": 1, "two": 2}
    return {
        "object made and released in Go": Operation("f(n)", per_run=n, f=get("gocalls.make_and_release"), n=n),
        "Array.At in Go": Operation("f(a, n)", per_run=n, f=get("gocalls.sum_at"), a=ints, n=n),
        "Array looped over in Go, per element": Operation("f(a)", per_run=n, f=get("gocalls.sum_loop"), a=ints),
        "Array.Slice in Go, per element": Operation("f(a)", per_run=n, f=get("gocalls.sum_slice"), a=ints),
        "List.Append in Go": Operation("f(n)", per_run=n, f=get("gocalls.append_ints"), n=n),
        "Map.Get in Go": Operation(
            "f(m, k, n)", per_run=n, f=get("gocalls.sum_found"), m=numbers, k="key number 5", n=n
        ),
        "bool to bool": Operation("f(True)", f=get("gocalls.bool_in_out")),
        "text to text": Operation("f(x)", f=get("gocalls.text_in_out"), x="a text of some length"),
        "list of 1,000 ints out, as an Array": Operation("f(1000)", f=get("gocalls.ints_out")),
        "dict of 100 in and out, as a Map": Operation(
            "f(x)", f=get("gocalls.echo_dict"), x={f"key number {i}": i for i in range(n)}
        ),
        "dict of 2 in": Operation("f(x)", f=get("gocalls.sum_dict"), x=few),
        "list of 3 floats in": Operation("f(x)", f=get("gocalls.sum_floats"), x=[1.0, 2.0, 3.0]),
        "list of 100 texts in": Operation("f(x)", f=get("gocalls.sum_texts"), x=[f"text number {i}" for i in range(n)]),
        "callback with a text": Operation("f(g, n)", per_run=n, f=get("gocalls.each_text"), g=lambda text: text, n=n),
        "callback with 2 arguments": Operation("f(g, n)", per_run=n, f=get("gocalls.each_two"), g=lambda a, b: b, n=n),
        "bytearray of 8 KB in, lent": Operation("f(x)", f=get("gocalls.size_of_lent"), x=bytearray(8000)),
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
