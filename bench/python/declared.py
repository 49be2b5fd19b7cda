"""Classes declared in Python, typed conversions and structural maps, beside the stock package, the standard library's
dataclasses, nanobind and PyO3, where these have the like.

Usage: declared.py [FOLDER [ROUNDS]]     FOLDER has the extensions that scripts/bench.sh built

Each package runs in processes of its own, in turn; a figure is the least of all rounds, in CPU time. Quote the ratios.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import pickle
import subprocess
import sys
import time
from typing import Any, Callable

PACKAGES = ("tvm_ffi", "selfsame_ffi")
EXTENSIONS = ("nanobind_ext", "pyo3_ext")


def timed(work: Callable[[], Any], count: int) -> float:
    """Nanoseconds of CPU time for one call."""
    start = time.process_time_ns()
    for _ in range(count):
        work()
    return (time.process_time_ns() - start) / count


def rows(name: str) -> dict[str, float]:
    """The figures of one package, in this process."""
    package = importlib.import_module(name)
    py_class = importlib.import_module(f"{name}.dataclasses").py_class
    schema = importlib.import_module(f"{name}.core").TypeSchema.from_annotation

    class One(package.Object):
        __slots__ = ()
        x: int

    class Eight(package.Object):
        __slots__ = ()
        a: int
        b: int
        c: float
        d: float
        e: str
        f: bool
        g: Any
        h: list[int]

    One.__annotations__, Eight.__annotations__ = (
        {"x": int},
        {"a": int, "b": int, "c": float, "d": float, "e": str, "f": bool, "g": Any, "h": list[int]},
    )
    py_class("bench.One")(One)
    py_class("bench.Eight")(Eight)
    one, items = One(1), [1, 2, 3]
    nested, value = schema(dict[str, list[int]]), {"a": [1, 2, 3], "b": [4, 5]}
    number = schema(int)
    thousand = list(range(1000))
    array = package.Array(thousand)
    objects = package.Array([package.Array([i]) for i in range(1000)])

    def set_field() -> None:
        one.x = 5

    work: dict[str, tuple[Callable[[], Any], int]] = {
        "py_class, 1 field": (lambda: One(1), 20000),
        "py_class, 8 fields": (lambda: Eight(1, 2, 3.0, 4.0, "e", True, one, items), 5000),
        "the same by name": (lambda: Eight(a=1, b=2, c=3.0, d=4.0, e="e", f=True, g=one, h=items), 5000),
        "typed setter": (set_field, 50000),
        "getter": (lambda: one.x, 50000),
        "check_value": (lambda: number.check_value(5), 50000),
        "convert dict of lists": (lambda: nested.convert(value), 5000),
        "Array of 1,000": (lambda: package.Array(thousand), 300),
        "structural_map, 1,000 ints": (lambda: package.structural_map(array, (int, lambda each: each)), 20),
        "pickle of 1,000 objects": (lambda: pickle.dumps(objects), 5),
    }
    return {row: timed(function, count) for row, (function, count) in work.items()}


def standard_rows() -> dict[str, float]:
    """The constructors of the standard library's dataclasses, which convert nothing."""
    one = dataclasses.make_dataclass("One", ["x"], slots=True) if sys.version_info >= (3, 10) else None
    if one is None:
        return {}
    eight = dataclasses.make_dataclass("Eight", list("abcdefgh"), slots=True)
    return {
        "py_class, 1 field": timed(lambda: one(1), 20000),
        "py_class, 8 fields": timed(lambda: eight(1, 2, 3.0, 4.0, "e", True, None, None), 5000),
    }


def extension_rows(name: str) -> dict[str, float]:
    """The figures of classes of another binding tool; none when its extension was not built."""
    try:
        module = importlib.import_module(name)
    except ImportError:
        return {}
    one, items, thousand = module.One(1), [1, 2, 3], list(range(1000))

    def set_field() -> None:
        one.x = 5

    work: dict[str, tuple[Callable[[], Any], int]] = {
        "py_class, 1 field": (lambda: module.One(1), 20000),
        "py_class, 8 fields": (lambda: module.Eight(1, 2, 3.0, 4.0, "e", True, one, items), 5000),
        "the same by name": (lambda: module.Eight(a=1, b=2, c=3.0, d=4.0, e="e", f=True, g=one, h=items), 5000),
        "typed setter": (set_field, 50000),
        "getter": (lambda: one.x, 50000),
        "Array of 1,000": (lambda: module.Ints(thousand), 300),
    }
    return {row: timed(function, count) for row, (function, count) in work.items()}


def main() -> None:
    """Print a table of the packages' figures and of their ratio."""
    arguments = sys.argv[1:]
    if arguments and arguments[0] in PACKAGES:
        print(json.dumps(rows(arguments[0])))
        return
    if arguments:
        sys.path.insert(0, arguments[0])
    others = ("dataclasses", *EXTENSIONS)
    best: dict[str, dict[str, float]] = {name: {} for name in (*PACKAGES, *others)}

    def note(name: str, figures: dict[str, float]) -> None:
        for row, figure in figures.items():
            best[name][row] = min(figure, best[name].get(row, figure))

    for _ in range(int(arguments[1]) if len(arguments) > 1 else 5):
        for name in PACKAGES:
            done = subprocess.run([sys.executable, __file__, name], check=True, capture_output=True, text=True)
            note(name, json.loads(done.stdout))
        note("dataclasses", standard_rows())
        for name in EXTENSIONS:
            note(name, extension_rows(name))
    heads = [name.removesuffix("_ext") for name in others]
    print(f"{'nanoseconds':28} {'tvm_ffi':>10} {'selfsame':>10} {'ratio':>7} " + "".join(f"{h:>12}" for h in heads))
    for row, stock in best["tvm_ffi"].items():
        ours = best["selfsame_ffi"][row]
        beside = "".join(f"{best[name][row]:12.0f}" if row in best[name] else " " * 12 for name in others)
        print(f"{row:28} {stock:10.0f} {ours:10.0f} {stock / ours:6.1f}x {beside}".rstrip())


main()
