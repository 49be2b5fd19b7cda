"""Takes the counts of shapes on the package that the environment variable PACKAGE names.

usage: run_shapes.py SET     SET is `rows` (one thing varied at a time) or `all` (every combination)

Prints a line of JSON for each shape: [holder, place, event, family, numbers], with null for numbers at its begin. The
numbers are the strong count while Python holds the object, the count in a native function that has it as an argument,
and the values of its field as Python's holder sees them after native code that copies before it writes has set it to 5:
where native code keeps the object, and then in the argument of a function.
"""

from __future__ import annotations

import gc
import json
import sys
import traceback
from typing import Any, Callable, Iterator

import events
import families
import holders
from package import native
from shapes import Shape, all_shapes, rows


def measure(holder: Callable[[Any], Callable[[], Any]], cell: list[Any]) -> list[Any]:
    """The numbers, with the item of `cell` in Python's holder."""
    get = holder(cell.pop())
    counted = native.watched()
    if get() is None:
        return [counted, None, None, None]
    argument = native.argument(get())
    if not hasattr(get(), "n"):
        return [counted, argument, None, None]
    native.write_held(5)
    held = get().n
    native.write_argument(get(), 5)
    return [counted, argument, held, get().n]


def numbers(shape: Shape) -> list[Any]:
    """The numbers of a shape."""
    cell = [families.MAKERS[shape.family]()]
    holder = holders.HOLDERS[shape.holder]

    def hold() -> None:
        for place in shape.places:
            native.hold(place, cell[0])
        native.watch(cell[0])

    try:
        if shape.event in events.AROUND:
            hold()
            return events.AROUND[shape.event](cell, lambda cell: measure(holder, cell))
        steps = events.EVENTS[shape.event](cell)
        next(steps)
        hold()
        next(steps, None)
        del steps
        return measure(holder, cell)
    finally:
        native.release()


def main() -> None:
    chosen: Iterator[Shape] = rows() if sys.argv[1] == "rows" else all_shapes()
    # Only the shapes say when a collection runs; what imports made is not examined by it.
    gc.disable()
    gc.collect()
    gc.freeze()
    for number, shape in enumerate(chosen):
        if number % 100 == 0:
            gc.collect()
        print(json.dumps([*shape, None]), flush=True)
        try:
            found: Any = numbers(shape)
        except Exception as error:
            traceback.print_exc()
            found = f"{type(error).__name__}: {error}"
        print(json.dumps([*shape, found]), flush=True)


if __name__ == "__main__":
    main()
