"""Operations on classes that are declared in Python and loops over containers, beside dataclasses and Python's own
containers. ops.py runs them.
"""

from __future__ import annotations

import copy
import dataclasses
import importlib
from typing import Any

COUNT = 100
VALUES = {"a": "1", "b": "2", "c": "3.0", "d": "4.0", "e": "'e'", "f": "True", "g": "node", "h": "8"}  # as written
TYPES = {"a": int, "b": int, "c": float, "d": float, "e": str, "f": bool, "g": Any, "h": int}
FOUR = {"a": int, "b": float, "c": str, "d": int}


def made_by(operation: Any, one: Any, plain: Any, listed: Any) -> dict:
    """Constructors of classes with a field, with eight that hold no container, and with a list among the eight."""
    eight = ", ".join(VALUES.values())
    named = ", ".join(f"{name}={value}" for name, value in VALUES.items())
    names = {"one": one, "plain": plain, "listed": listed, "node": one(1), "x": [1, 2, 3]}
    made = {
        "a class of 1 field, made": operation("one(1)", **names),
        "a class of 8 plain fields, made": operation(f"plain({eight})", **names),
        "a class of 8 plain fields, made by names": operation(f"plain({named})", **names),
        "a class of 8 fields with a list, made": operation("listed(1, 2, 3.0, 4.0, 'e', True, node, x)", **names),
    }
    return {name: each for name, each in made.items() if plain is not None or "plain" not in name}


def methods(operation: Any, four: Any) -> dict:
    """What a class of four fields does by itself."""
    names = {"a": four(1, 2.5, "c", 4), "b": four(1, 2.5, "c", 4), "copy": copy.copy}
    return {
        "repr of a class of 4 fields": operation("repr(a)", 5_000, **names),
        "equality of a class of 4 fields": operation("a == b", 10_000, **names),
        "hash of a class of 4 fields": operation("hash(a)", 10_000, **names),
        "copy of a class of 4 fields": operation("copy(a)", 5_000, **names),
    }


def loops(operation: Any, array: Any, mutable: Any, immutable_map: Any, mutable_map: Any, nodes: list) -> dict:
    """Loops over containers of 100 elements."""
    big = [1_000_000 + i for i in range(COUNT)]
    by_text = {f"key {i}": i for i in range(COUNT)}
    containers = {
        "an Array of ints": array(range(COUNT)),
        "an Array of ints over 256": array(big),
        "an Array of floats": array([i + 0.5 for i in range(COUNT)]),
        "an Array of texts": array([f"text number {i}" for i in range(COUNT)]),
        "an Array of objects": array(nodes),
        "a List of ints": mutable(range(COUNT)),
    }
    made = {}
    for name, each in containers.items():
        made[f"loop over {name}"] = operation("for each in x: pass", 1_000, COUNT, hold=lambda: nodes, x=each)
    for name, kind in (("a Map", immutable_map), ("a Dict", mutable_map)):
        each = kind(by_text)
        made[f"loop over keys of {name}"] = operation("for key in x: pass", 1_000, COUNT, x=each)
        made[f"loop over items of {name}"] = operation("for key, value in x.items(): pass", 500, COUNT, x=each)
    return made


def of_ffi(operation: Any, ffi: Any) -> dict:
    """The operations of stock tvm_ffi and selfsame."""
    py_class = importlib.import_module(f"{ffi.__name__}.dataclasses").py_class

    def declared(name: str, fields: dict, **options: Any) -> Any:
        cls = type(name, (ffi.Object,), {"__slots__": (), "__annotations__": fields})
        return py_class(f"bench.{name}", **options)(cls)

    one = declared("One", {"x": int})
    listed = declared("Listed", {**TYPES, "h": list[int]})
    four = declared("Four", FOUR, eq=True, unsafe_hash=True)
    nodes = [one(i) for i in range(COUNT)]
    return {
        **made_by(operation, one, declared("Eight", TYPES), listed),
        **methods(operation, four),
        **loops(operation, ffi.Array, ffi.List, ffi.Map, ffi.Dict, nodes),
    }


def of_plain(operation: Any) -> dict:
    """The same with dataclasses, lists and dicts."""
    one = dataclasses.make_dataclass("One", ["x"])
    eight = dataclasses.make_dataclass("Eight", list(TYPES))
    four = dataclasses.make_dataclass("Four", list(FOUR), unsafe_hash=True)
    nodes = [one(i) for i in range(COUNT)]
    return {
        **made_by(operation, one, eight, eight),
        **methods(operation, four),
        **loops(operation, list, list, dict, dict, nodes),
    }


def of_ext(operation: Any, ext: Any) -> dict:
    """The constructors of an extension's classes."""
    return made_by(operation, ext.One, None, ext.Eight)


def of_floor(operation: Any, ext: Any) -> dict:
    """Elements and loops of a type in C that keeps ints, or objects, in memory of its own and makes what it returns.

    Beside them stand objects of a class in C with eight typed fields.
    """
    ints, big = ext.Elements(list(range(1000))), ext.Elements([1_000_000 + i for i in range(COUNT)])
    held = [object() for _ in range(COUNT)]
    loop = {"statement": "for each in x: pass", "number": 1_000, "per_run": COUNT}
    classes = made_by(operation, lambda x: x, ext.Record, ext.Record)
    return {
        **{name: each for name, each in classes.items() if "8" in name and "names" not in name},
        "Array[i], int": operation("a[500]", a=ints),
        "Array[i], object held": operation("a[5]", a=ext.Elements(held)),
        "loop over an Array of ints": operation(**loop, x=ext.Elements(list(range(COUNT)))),
        "loop over an Array of ints over 256": operation(**loop, x=big),
        "loop over an Array of objects": operation(**loop, x=ext.Elements(held)),
    }
