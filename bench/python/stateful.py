"""What the state of a wrapper costs: stateful objects that a List owns, as ratios to lean ones, in one run.

Usage: build/venv/bin/python bench/python/stateful.py
"""

from __future__ import annotations

import timeit

import selfsame_ffi


class Stateful(selfsame_ffi.List):
    """With a ``__dict__``."""


class Lean(selfsame_ffi.List):
    """Without state of Python's own."""

    __slots__ = ()


OPERATIONS = {
    "owner[0], dropped and refetched": "owner[0]",
    "f(owner[0]), dropped and refetched": "size(owner[0])",
    "f(x), x held by Python too": "size(x)",
    "make and drop": "cls([])",
    "make, lend to a List, drop both": "List([cls([])])",
}


def seconds(cls: type, statement: str) -> float:
    """Seconds per run, the least of many."""
    x = cls([1])
    owner = selfsame_ffi.List([x])
    names = {
        "owner": owner,
        "cls": cls,
        "List": selfsame_ffi.List,
        "size": selfsame_ffi.get_global_func("ffi.ListSize"),
    }
    if "x" in statement:
        names["x"] = x
    del x
    return min(timeit.repeat(statement, globals=names, number=2000, repeat=200)) / 2000


def main() -> None:
    """Print the table."""
    for name, statement in OPERATIONS.items():
        print(f"{name:36} {seconds(Stateful, statement) / seconds(Lean, statement):5.2f}")


if __name__ == "__main__":
    main()
