"""Takes the counts of shapes on the package that the environment variable PACKAGE names.

usage: run_shapes.py SET     SET is `rows` (one thing varied at a time), `all` (every combination), `go` or `rust`

Prints a line of JSON for each shape: [holder, place, event, family, numbers], with null for numbers at its begin. The
numbers are

* use_count() and unique() while Python holds the object;
* the same in a native function that has the object as an argument;
* on another object of the same shape, the values of its field that Python's holder sees after native code has written.
  It copies first unless it has the only reference. It writes into what it keeps, and then into a function's argument.
"""

from __future__ import annotations

import gc
import json
import sys
import traceback
from typing import Any, Callable

import events
import families
import holders
import package
from holders import Get
from package import ffi, native
from shapes import SETS, Shape


def counts(get: Get) -> list[Any]:
    """The counts, with the object in Python's holder."""
    counted = split(native.watched())
    return [*counted, *(split(native.argument(get())) if get() is not None else (None, None))]


def values(get: Get) -> list[Any]:
    """The values after native code has written, with the object in Python's holder."""
    native.write_held(5)
    held = written_into(get())
    if held is not None:
        native.write_argument(get(), 5)
    return [held, written_into(get())]


def written_into(x: Any) -> Any:
    """What native code writes into an object. None for a class into which it does not write."""
    if isinstance(x, (ffi.Array, ffi.Map)):
        return x[0] if isinstance(x, ffi.Array) else x["a"]
    return getattr(x, "n", None)


def split(answer: int) -> tuple[int, bool]:
    """The count, and whether it is unique."""
    return answer // 2, answer % 2 == 1


def asked(shape: Shape, question: Callable[[Get], list[Any]]) -> list[Any]:
    """The answers to a question about a shape."""
    cell = [families.MAKERS[shape.family]()]

    def hold() -> None:
        for place in shape.places:
            hold_in = package.foreign.hold if shape.is_foreign else native.hold
            hold_in(place, cell[0])
        native.watch(cell[0])

    def held(cell: list[Any]) -> list[Any]:
        return question(holders.HOLDERS[shape.holder](cell.pop()))

    try:
        if shape.event in events.AROUND:
            hold()
            return events.AROUND[shape.event](cell, held)
        steps = events.EVENTS[shape.event](cell)
        next(steps)
        hold()
        next(steps, None)
        del steps
        return held(cell)
    finally:
        native.release()
        if shape.is_foreign:
            package.foreign.release()


def main() -> None:
    # Only the shapes say when a collection runs; what imports made is not examined by it.
    gc.disable()
    gc.collect()
    gc.freeze()
    for number, shape in enumerate(SETS[sys.argv[1]]()):
        if number % 100 == 0:
            gc.collect()
        print(json.dumps([*shape, None]), flush=True)
        try:
            found: Any = [*asked(shape, counts), *asked(shape, values)]
        except Exception as error:
            traceback.print_exc()
            found = f"{type(error).__name__}: {error}"
        print(json.dumps([*shape, found]), flush=True)


if __name__ == "__main__":
    main()
